// Package pclntab tells functions, files and lines of addresses, with the calls that were
// inlined, from what every Go binary keeps: .gopclntab and the function data beside it, also
// when it was stripped (-s -w). The format is that of Go 1.20 and later (cmd/link/internal/ld/pcln.go,
// runtime/symtab.go, runtime/symtabinl.go). debug/gosym of the standard library reads the same
// table, but knows nothing of inlined calls.
package pclntab

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"sort"
)

// magic is that of Go 1.20 and later (internal/abi/symtab.go).
const magic = 0xfffffff1

// Frame is one call: a function with the file and line at which it was.
type Frame struct {
	Function string
	File     string
	Line     int
	Start    int    // the line of its func keyword
	PC       uint64 // of a call that was inlined: where it stands in the function around it
}

// Table is a decoded header over the bytes of a table; nothing else is copied. It may be used
// from several goroutines.
type Table struct {
	text      uint64 // what entries are offsets from
	funcs     int
	quantum   uint32
	names     []byte
	units     []byte // uint32 each
	files     []byte
	pctab     []byte
	functions []byte // ftab, then the functions
	funcdata  func(offset uint32, p []byte) error
}

// ErrFormat is what New returns, wrapped, for bytes that are no such table.
var ErrFormat = errors.New("not a table of Go 1.20 or later")

// New reads the header of a table. text is the address of the module's text, at which the
// program counts its addresses (moduledata.text); 0: the table says it, as up to Go 1.25.
// funcdata fills p from the module's function data at an offset (moduledata.gofunc); nil: inlined
// calls are not told apart.
func New(data []byte, text uint64, funcdata func(offset uint32, p []byte) error) (*Table, error) {
	const header = 72
	if len(data) < header || binary.LittleEndian.Uint32(data) != magic || data[7] != 8 {
		return nil, fmt.Errorf("functions by address: %w", ErrFormat)
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(data[8+8*i:]) }
	t := &Table{text: text, quantum: uint32(data[6]), funcdata: funcdata}
	if text == 0 {
		t.text = word(2)
	}
	for i, part := range []*[]byte{&t.names, &t.units, &t.files, &t.pctab, &t.functions} {
		at := word(3 + i)
		if at > uint64(len(data)) {
			return nil, fmt.Errorf("functions by address: part %d begins at %d of %d bytes: %w", i, at, len(data), ErrFormat)
		}
		*part = data[at:]
	}
	n := word(0)
	if n > uint64(len(t.functions))/8 || t.quantum == 0 {
		return nil, fmt.Errorf("functions by address: %d functions in %d bytes: %w", n, len(t.functions), ErrFormat)
	}
	t.funcs = int(n)
	return t, nil
}

// Text is the address from which entries are counted.
func (t *Table) Text() uint64 { return t.text }

// entry is the address of function i; that of the one past the last is the end of the text.
func (t *Table) entry(i int) uint64 {
	return t.text + uint64(binary.LittleEndian.Uint32(t.functions[8*i:]))
}

// find returns the function that an address is in.
func (t *Table) find(pc uint64) (function, bool) {
	if t.funcs == 0 || pc < t.entry(0) || pc >= t.end(t.funcs-1) {
		return function{}, false
	}
	i := sort.Search(t.funcs, func(i int) bool { return t.entry(i) > pc }) - 1
	return t.function(i)
}

// end is the address past function i.
func (t *Table) end(i int) uint64 {
	if 8*(i+1)+4 > len(t.functions) {
		return t.entry(i)
	}
	return t.entry(i + 1)
}

// function decodes the fixed part of function i.
func (t *Table) function(i int) (function, bool) {
	at := uint64(binary.LittleEndian.Uint32(t.functions[8*i+4:]))
	if at+fixed > uint64(len(t.functions)) {
		return function{}, false
	}
	b := t.functions[at:]
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	return function{
		t: t, entry: t.text + uint64(u32(0)), name: u32(4), pcsp: u32(16), pcfile: u32(20), pcln: u32(24), npcdata: u32(28), unit: u32(32), line: int(int32(u32(36))),
		nfuncdata: uint32(b[43]), tables: b[fixed:],
	}, true
}

// text of a name at an offset, up to its zero.
func text(b []byte, at uint64) string {
	if at >= uint64(len(b)) {
		return ""
	}
	b = b[at:]
	if n := bytes.IndexByte(b, 0); n >= 0 {
		return string(b[:n])
	}
	return ""
}

// Range returns the addresses of a function by its name: from start, below end.
func (t *Table) Range(name string) (start, end uint64, ok bool) {
	want := append([]byte(name), 0)
	for i := range t.funcs {
		f, ok := t.function(i)
		if ok && uint64(f.name) < uint64(len(t.names)) && bytes.HasPrefix(t.names[f.name:], want) {
			return t.entry(i), t.end(i), true
		}
	}
	return 0, 0, false
}
