//go:build linux && (amd64 || arm64)

package image

import (
	"golang.org/x/arch/arm64/arm64asm"
	"golang.org/x/arch/x86/x86asm"
)

// how is what an instruction does with a variable.
type how int

const (
	loads     how = iota // reads it, or compares it
	stores               // writes it
	exchanges            // writes it in exchange for what was there: an atomic store
	takes                // takes its address
	computes             // any other
)

// reference is one use of a variable by its fixed address.
type reference struct {
	at    uint64 // of the variable
	how   how
	bytes int // of what is read or written; 0 where an address is taken
}

// references lists how a function reaches variables, in the order of its code. Code that does
// not decode is passed over.
func references(arch string, code []byte, at uint64) []reference {
	if arch == "arm64" {
		return referencesARM64(code, at)
	}
	return referencesAMD64(code, at)
}

// referencesAMD64 finds operands that are relative to the instruction pointer, which is how
// Go reaches every variable.
func referencesAMD64(code []byte, at uint64) []reference {
	var out []reference
	for pc := 0; pc < len(code); {
		in, err := x86asm.Decode(code[pc:], 64)
		if err != nil || in.Len == 0 {
			pc++
			continue
		}
		next := at + uint64(pc+in.Len)
		pc += in.Len
		for i, arg := range in.Args {
			m, ok := arg.(x86asm.Mem)
			if !ok || m.Base != x86asm.RIP {
				continue
			}
			out = append(out, reference{at: next + uint64(m.Disp), how: howAMD64(in, i), bytes: in.MemBytes})
		}
	}
	return out
}

func howAMD64(in x86asm.Inst, arg int) how {
	switch {
	case in.Op == x86asm.LEA:
		return takes
	case in.Op == x86asm.XCHG:
		return exchanges
	case in.Op == x86asm.CMP, in.Op == x86asm.TEST, in.Op == x86asm.MOV && arg == 1:
		return loads
	case in.Op == x86asm.MOV:
		return stores
	}
	return computes
}

// referencesARM64 follows ADRP, which takes the page of a variable, to the instruction that adds
// what is left. A register that anything else writes is forgotten; branches are not followed,
// which the compiler's code does not need: the two stand together.
func referencesARM64(code []byte, at uint64) []reference {
	var out []reference
	pages := map[arm64asm.Reg]uint64{}
	for pc := 0; pc+4 <= len(code); pc += 4 {
		in, err := arm64asm.Decode(code[pc:])
		if err != nil {
			continue
		}
		first, isReg := in.Args[0].(arm64asm.Reg)
		if in.Op == arm64asm.ADRP {
			if rel, ok := in.Args[1].(arm64asm.PCRel); ok && isReg {
				pages[first] = (at+uint64(pc))&^0xfff + uint64(rel)
			}
			continue
		}
		if r, ok := referenceARM64(in, pages, code[pc:]); ok {
			out = append(out, r)
		}
		if isReg && in.Op != arm64asm.STR && in.Op != arm64asm.STLR && in.Op != arm64asm.CMP {
			delete(pages, first)
		}
	}
	return out
}

// referenceARM64 completes an address whose page is in a register.
func referenceARM64(in arm64asm.Inst, pages map[arm64asm.Reg]uint64, code []byte) (reference, bool) {
	word := uint32(code[0]) | uint32(code[1])<<8 | uint32(code[2])<<16 | uint32(code[3])<<24
	base := arm64asm.X0 + arm64asm.Reg(word>>5&31)
	page, known := pages[base]
	if !known {
		return reference{}, false
	}
	imm := uint64(word >> 10 & 0xfff)
	switch in.Op {
	case arm64asm.ADD:
		if word&0xff800000 == 0x91000000 { // ADD Xd, Xn, #imm
			return reference{at: page + imm, how: takes}, true
		}
	case arm64asm.LDR, arm64asm.STR:
		if word&0x3b000000 == 0x39000000 { // unsigned offset
			size := 1 << (word >> 30)
			use := loads
			if in.Op == arm64asm.STR {
				use = stores
			}
			return reference{at: page + imm*uint64(size), how: use, bytes: size}, true
		}
	}
	return reference{}, false
}
