package pclntab

import (
	"encoding/binary"
	"testing"
)

// table is one function of 64 bytes at address 16, with a map of one local that holds a pointer.
func table() (data, funcdata []byte) {
	data = make([]byte, 256)
	binary.LittleEndian.PutUint32(data, magic)
	data[6], data[7] = 1, 8
	put := func(at int, v uint32) { binary.LittleEndian.PutUint32(data[at:], v) }
	const functions, entry = 128, 32 // the function lies so far behind the table of functions
	put(8, 1)                        // functions
	put(24, 16)                      // text
	for i, at := range []uint32{72, 80, 88, 96, functions} {
		put(32+8*i, at)
	}
	copy(data[72:], "f\x00")
	put(functions+4, entry)
	put(functions+8, 64) // the end of the text
	f := functions + entry
	put(f+28, 3) // tables by address: none but empty ones
	data[f+43] = 2
	put(f+fixed+12, none) // arguments
	funcdata = []byte{1, 0, 0, 0, 3, 0, 0, 0, 0b100}
	return data, funcdata
}

// TestLive reads which of three words of a frame holds a pointer: the highest is 1.
func TestLive(t *testing.T) {
	data, kept := table()
	tab, err := New(data, 0, reads(kept))
	if err != nil {
		t.Fatal(err)
	}
	l := tab.Live(20)
	if len(l.Args) != 0 || len(l.Locals) != 1 || l.Locals[0] != 1 {
		t.Errorf("%+v, want the highest local", l)
	}
	if l := tab.Live(200); len(l.Locals) != 0 {
		t.Errorf("outside of the text: %+v", l)
	}
}

// FuzzTable: tables and maps that say anything are bounded.
func FuzzTable(f *testing.F) {
	data, kept := table()
	f.Add(data, kept, uint64(20))
	f.Add(data[:100], []byte{}, uint64(1))
	f.Fuzz(func(t *testing.T, data, kept []byte, pc uint64) {
		tab, err := New(data, 0, reads(kept))
		if err != nil {
			return
		}
		if n := len(tab.Expand([]uint64{pc})); n > deepest {
			t.Errorf("%d calls at one address", n)
		}
		if l := tab.Live(pc); len(l.Args)+len(l.Locals) > 16*len(kept) {
			t.Errorf("%d pointers in %d bytes", len(l.Args)+len(l.Locals), len(kept))
		}
	})
}

// reads fills from bytes, and fails behind their end.
func reads(kept []byte) func(offset uint32, p []byte) error {
	return func(at uint32, p []byte) error {
		if uint64(at)+uint64(len(p)) > uint64(len(kept)) {
			return ErrFormat
		}
		copy(p, kept[at:])
		return nil
	}
}
