// Package memory reads the memory of another process while it runs. Nothing is stopped, so
// what is read may be torn: readers say how they notice.
package memory

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Reader reads memory of a process by its own addresses.
type Reader interface {
	// Read fills p from an address, or fails: a part of it is no answer.
	Read(addr uint64, p []byte) error
}

// ErrUnmapped says that there is no memory at an address, wrapped.
var ErrUnmapped = errors.New("no memory there")

// Uint64 reads one word.
func Uint64(r Reader, addr uint64) (uint64, error) {
	var b [8]byte
	err := r.Read(addr, b[:])
	return binary.LittleEndian.Uint64(b[:]), err
}

// Words reads n words.
func Words(r Reader, addr uint64, n int) ([]uint64, error) {
	b := make([]byte, 8*n)
	if err := r.Read(addr, b); err != nil {
		return nil, err
	}
	out := make([]uint64, n)
	for i := range out {
		out[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return out, nil
}

// Bytes is memory that is known already, from an address on.
type Bytes struct {
	At   uint64
	Data []byte
}

// Read implements Reader.
func (b Bytes) Read(addr uint64, p []byte) error {
	if addr < b.At || addr-b.At > uint64(len(b.Data)) || uint64(len(p)) > uint64(len(b.Data))-(addr-b.At) {
		return fmt.Errorf("read %d bytes at %#x: %w", len(p), addr, ErrUnmapped)
	}
	copy(p, b.Data[addr-b.At:])
	return nil
}
