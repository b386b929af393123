//go:build linux && (amd64 || arm64)

package image

import (
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/unpark-go/unpark/internal/measure/inspect/layout"
	"github.com/unpark-go/unpark/internal/measure/inspect/memory"
	"github.com/unpark-go/unpark/internal/measure/inspect/pclntab"
)

// Image is an executable as a process has it in its memory.
type Image struct {
	Build     *buildinfo.BuildInfo
	Arch      string // "amd64" or "arm64"
	Layout    layout.Layout
	Functions *pclntab.Table
	Stripped  bool // it has no table of symbols

	bias    uint64 // where it was loaded, less where it says
	symbols map[string]elf.Symbol
	code    elf.SectionHeader
	text    []byte // of code
	module  uint64 // address of runtime.firstmoduledata
	written []span // what the program may write
	fixed   []span // of it, what it may not any more
}

// span is addresses in the process.
type span struct{ from, to uint64 }

// Errors of Open, wrapped.
var (
	ErrNotGo = errors.New("it is not a Go program (name the service itself: ps -ef shows what a shell or a wrapper has started), or was packed (upx -d unpacks it)")
	ErrArch  = errors.New("only amd64 and arm64 are read: build it for one of them, or give it an endpoint and name that with --pprof")
)

// Open reads the executable of a process: /proc/PID/exe is the file itself, also when it was
// deleted, replaced, or lies in another mount namespace. mem is the memory of the process.
func Open(pid int, mem memory.Reader) (*Image, error) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		return nil, fmt.Errorf("open the executable of process %d: %w", pid, err)
	}
	defer func() { _ = f.Close() }()
	bias, lost := loadedAt(pid)
	i, err := Read(f, mem, bias)
	if lost != nil && !errors.Is(err, ErrArch) && !errors.Is(err, ErrNotGo) {
		return nil, lost // of a program that is not read it is not asked where it lies
	}
	if err != nil {
		return nil, fmt.Errorf("executable of process %d: %w", pid, err)
	}
	return i, nil
}

// Read reads an executable of a process that has its program headers at an address.
func Read(file io.ReaderAt, mem memory.Reader, headers uint64) (*Image, error) {
	f, err := elf.NewFile(file)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotGo, err)
	}
	i := &Image{}
	switch {
	case f.Class != elf.ELFCLASS64:
		return nil, fmt.Errorf("it is a 32-bit program: %w", ErrArch)
	case f.Machine == elf.EM_X86_64:
		i.Arch = "amd64"
	case f.Machine == elf.EM_AARCH64:
		i.Arch = "arm64"
	default:
		return nil, fmt.Errorf("it is for %v: %w", f.Machine, ErrArch)
	}
	if i.Build, err = buildinfo.Read(file); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotGo, err)
	}
	if i.bias, err = biasOf(f, headers); err != nil {
		return nil, err
	}
	for _, p := range f.Progs {
		at := span{p.Vaddr + i.bias, p.Vaddr + p.Memsz + i.bias}
		switch {
		case p.Type == elf.PT_LOAD && p.Flags&elf.PF_W != 0:
			i.written = append(i.written, at)
		case p.Type == elf.PT_GNU_RELRO: // written once, before the program begins
			i.fixed = append(i.fixed, at)
		}
	}
	if err := i.findLayout(f); err != nil {
		return nil, err
	}
	i.readSymbols(f)
	return i, i.findFunctions(f, mem)
}

// findLayout takes the layout of a released version from the tables, which were made of it; that of
// any other from DWARF. Reading the DWARF of a large binary takes a second and hundreds of megabytes.
func (i *Image) findLayout(f *elf.File) error {
	l, err := layout.Of(i.Build.GoVersion, i.Arch)
	if err == nil && layout.Released(i.Build.GoVersion) {
		i.Layout = l
		return nil
	}
	if d, err := f.DWARF(); err == nil {
		if i.Layout, err = layout.FromDWARF(d); err == nil {
			return nil
		}
	}
	i.Layout = l
	return err
}

// readSymbols keeps the symbols of the runtime, which are few of all.
func (i *Image) readSymbols(f *elf.File) {
	all, err := f.Symbols()
	i.Stripped = err != nil
	i.symbols = map[string]elf.Symbol{}
	for _, s := range all {
		if strings.HasPrefix(s.Name, "runtime.") && elf.ST_TYPE(s.Info) == elf.STT_OBJECT {
			i.symbols[s.Name] = s
		}
	}
}

// findFunctions decodes the table of functions, and finds the module that it belongs to.
func (i *Image) findFunctions(f *elf.File, mem memory.Reader) error {
	s := section(f, ".gopclntab")
	if s == nil {
		return fmt.Errorf("%w: it has no table of functions (.gopclntab)", ErrNotGo)
	}
	table, err := s.Data()
	if err != nil {
		return fmt.Errorf("read the table of functions: %w", err)
	}
	if code := f.Section(".text"); code != nil {
		i.code = code.SectionHeader
		if i.text, err = code.Data(); err != nil {
			return fmt.Errorf("read the code: %w", err)
		}
	}
	at, err := i.findModule(f, mem, s.Addr+i.bias)
	if err != nil {
		return err
	}
	i.module = at
	text, err := memory.Uint64(mem, at+uint64(i.Layout.ModuleText))
	if err != nil {
		return fmt.Errorf("read where the text is: %w", err)
	}
	data, err := memory.Uint64(mem, at+uint64(i.Layout.ModuleData))
	if err != nil {
		return fmt.Errorf("read where the functions' data is: %w", err)
	}
	i.Functions, err = pclntab.New(table, text, func(offset uint32, p []byte) error { return mem.Read(data+uint64(offset), p) })
	return err
}

// section also finds what the linker renamed for a position-independent program.
func section(f *elf.File, name string) *elf.Section {
	for _, n := range []string{name, ".data.rel.ro" + name} {
		if s := f.Section(n); s != nil && s.Type != elf.SHT_NOBITS {
			return s
		}
	}
	return nil
}

// findModule looks for the module's data: the symbol, or the words that begin with the address
// of the table of functions and go on as it does (runtime.moduledata.pcHeader, funcnametab).
func (i *Image) findModule(f *elf.File, mem memory.Reader, table uint64) (uint64, error) {
	if s, ok := i.symbols["runtime.firstmoduledata"]; ok {
		return s.Value + i.bias, nil
	}
	var want [8]byte
	binary.LittleEndian.PutUint64(want[:], table)
	for _, s := range f.Sections {
		if s.Flags&(elf.SHF_ALLOC|elf.SHF_EXECINSTR) != elf.SHF_ALLOC || s.Type == elf.SHT_NOBITS || s.Size > mostData {
			continue
		}
		b := make([]byte, s.Size)
		switch err := mem.Read(s.Addr+i.bias, b); {
		case errors.Is(err, memory.ErrRefused) || errors.Is(err, memory.ErrGone):
			return 0, err
		case err != nil:
			continue
		}
		for from := 0; ; {
			at := bytes.Index(b[from:], want[:])
			if at < 0 {
				break
			}
			at += from
			from = at + 8
			addr := s.Addr + i.bias + uint64(at)
			if addr%8 == 0 && i.isModule(mem, addr, table) {
				return addr, nil
			}
		}
	}
	return 0, errors.New("the module's data was not found: the executable is not as Go's linker leaves it")
}

// mostData bounds what is looked through.
const mostData = 1 << 30

// isModule reports whether the names of functions begin behind the header, as a module has it.
func (i *Image) isModule(mem memory.Reader, at, table uint64) bool {
	w, err := memory.Words(mem, at, 4)
	if err != nil {
		return false
	}
	names, length, capacity := w[1], w[2], w[3]
	return names > table && names-table < mostData && length > 0 && length == capacity
}

// Variable returns the address of a variable of the runtime by the table of symbols.
func (i *Image) Variable(name string) (uint64, bool) {
	s, ok := i.symbols[name]
	return s.Value + i.bias, ok
}

// Code returns the instructions of a function, and its address in the process.
func (i *Image) Code(function string) (code []byte, at uint64, ok bool) {
	start, end, ok := i.Functions.Range(function)
	from := start - i.bias - i.code.Addr
	if !ok || from >= uint64(len(i.text)) || end-start > uint64(len(i.text))-from {
		return nil, 0, false
	}
	return i.text[from : from+end-start], start, true
}
