//go:build linux && (amd64 || arm64)

package image

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
)

// atHeaders is AT_PHDR of the auxiliary vector (elf.h): where the program's headers are.
const atHeaders = 3

// loadedAt returns the address at which a process has the headers of its program, from what
// the kernel told it when it began (getauxval(3)).
func loadedAt(pid int) (uint64, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/auxv", pid))
	if err != nil {
		return 0, fmt.Errorf("where process %d was loaded: %w", pid, err)
	}
	for ; len(b) >= 16; b = b[16:] {
		if binary.LittleEndian.Uint64(b) == atHeaders {
			return binary.LittleEndian.Uint64(b[8:]), nil
		}
	}
	return 0, fmt.Errorf("where process %d was loaded: the kernel does not say (it has no auxiliary vector: has it ended?)", pid)
}

// headerOffset is where the headers lie in a file of 64 bits: behind the ELF header, as
// linkers put them.
const headerOffset = 64

// biasOf is the address at which a program is, less that which its file says.
func biasOf(f *elf.File, headers uint64) (uint64, error) {
	for _, p := range f.Progs {
		if p.Type == elf.PT_PHDR {
			return headers - p.Vaddr, nil
		}
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD && p.Off == 0 {
			return headers - p.Vaddr - headerOffset, nil
		}
	}
	return 0, errors.New("it has no part that holds its headers")
}
