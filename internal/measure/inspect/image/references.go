//go:build linux && (amd64 || arm64)

package image

import (
	"encoding/binary"

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

// referencesARM64 follows ADRP, which puts the page of a variable into a register, to the instructions that add what
// is left and that load or store there. A register that anything else writes is forgotten; branches are not followed, which the
// compiler's code does not need: they stand together.
func referencesARM64(code []byte, at uint64) []reference {
	var out []reference
	known := map[arm64asm.Reg]uint64{} // what registers hold: a page, or an address
	for pc := 0; pc+4 <= len(code); pc += 4 {
		in, err := arm64asm.Decode(code[pc:])
		if err != nil {
			continue
		}
		first, isReg := in.Args[0].(arm64asm.Reg)
		if in.Op == arm64asm.ADRP {
			if rel, ok := in.Args[1].(arm64asm.PCRel); ok && isReg {
				known[first] = (at+uint64(pc))&^0xfff + uint64(rel)
			}
			continue
		}
		r, ok := referenceARM64(in, known, code[pc:])
		if ok {
			if last := len(out) - 1; in.Op == arm64asm.LDP && last >= 0 && out[last] == (reference{at: r.at, how: takes}) {
				out = out[:last] // it was put together for this, because a pair has no such offset
			}
			out = append(out, r)
		}
		switch {
		case ok && r.how == takes:
			known[destinationARM64(code[pc:])] = r.at
		case isReg && in.Op != arm64asm.STR && in.Op != arm64asm.STLR && in.Op != arm64asm.CMP:
			delete(known, first)
		}
	}
	return out
}

// referenceARM64 completes an address of which a register has a part.
func referenceARM64(in arm64asm.Inst, known map[arm64asm.Reg]uint64, code []byte) (reference, bool) {
	word := binary.LittleEndian.Uint32(code)
	from, ok := known[arm64asm.X0+arm64asm.Reg(word>>5&31)]
	if !ok {
		return reference{}, false
	}
	imm, size := uint64(word>>10&0xfff), 1<<(word>>30)
	switch in.Op {
	case arm64asm.ADD:
		if word&0xff800000 == 0x91000000 { // ADD Xd, Xn, #imm
			return reference{at: from + imm, how: takes}, true
		}
	case arm64asm.LDR, arm64asm.LDRSW, arm64asm.STR:
		if word&0x3b000000 == 0x39000000 { // unsigned offset
			use := loads
			if in.Op == arm64asm.STR {
				use = stores
			}
			return reference{at: from + imm*uint64(size), how: use, bytes: size}, true
		}
	case arm64asm.LDAR: // of an atomic load: it has no offset
		return reference{at: from, how: loads, bytes: size}, true
	case arm64asm.STLR:
		return reference{at: from, how: exchanges, bytes: size}, true
	case arm64asm.LDP:
		if word>>15&0x7f == 0 { // without an offset
			return reference{at: from, how: loads, bytes: pair}, true
		}
	}
	return reference{}, false
}

// pair is how many bytes an instruction loads into two registers.
const pair = 16

// destinationARM64 is the register that an addition writes.
func destinationARM64(code []byte) arm64asm.Reg {
	return arm64asm.X0 + arm64asm.Reg(binary.LittleEndian.Uint32(code)&31)
}
