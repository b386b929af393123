package pclntab

import "encoding/binary"

const (
	// stackMapIndex is PCDATA_StackMapIndex, argsMaps and localsMaps FUNCDATA_ArgsPointerMaps and
	// FUNCDATA_LocalsPointerMaps (internal/abi/symtab.go).
	stackMapIndex        = 1
	argsMaps, localsMaps = 0, 1
	// mostSlots bounds how many words of a frame a map may tell of.
	mostSlots = 1 << 16
)

// Live is which words of a frame hold pointers that the function still needs where it stands, as the
// collector knows them (runtime/stkframe.go, getStackMap). Words are counted in pointers.
type Live struct {
	Locals []int // words below the end of the locals, from the lowest: 1 is the highest word
	Args   []int // words from the beginning of the arguments
}

// Live returns the live pointers of a call, by the address that it returns to, minus 1; nothing
// where the function keeps no maps.
func (t *Table) Live(pc uint64) Live {
	f, ok := t.find(pc)
	if !ok || t.funcdata == nil || f.npcdata <= stackMapIndex {
		return Live{}
	}
	i := max(0, f.value(f.offset(stackMapIndex), pc))
	var l Live
	args, _ := f.bits(argsMaps, i)
	l.Args = args
	locals, n := f.bits(localsMaps, i)
	for _, k := range locals {
		l.Locals = append(l.Locals, n-k)
	}
	return l
}

// bits returns which bits the i-th map of a function has set, and how many it has: runtime.stackmap is
// two int32, the number of maps and of their bits, and the maps, each of whole bytes.
func (f function) bits(kind uint32, i int32) (set []int, n int) {
	at := f.funcdata(kind)
	var head [8]byte
	if at == none || f.t.funcdata(at, head[:]) != nil {
		return nil, 0
	}
	maps := int32(binary.LittleEndian.Uint32(head[:]))
	n = int(int32(binary.LittleEndian.Uint32(head[4:])))
	if i >= maps || n <= 0 || n > mostSlots {
		return nil, 0
	}
	b := make([]byte, (n+7)/8)
	if f.t.funcdata(at+8+uint32(i)*uint32(len(b)), b) != nil {
		return nil, 0
	}
	for k := range n {
		if b[k/8]>>(k%8)&1 == 1 {
			set = append(set, k)
		}
	}
	return set, n
}
