//go:build linux && (amd64 || arm64)

package inspect

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/unpark-go/unpark/internal/measure/inspect/layout"
	"github.com/unpark-go/unpark/internal/measure/inspect/memory"
)

// hostile is memory that says anything: the same bytes again and again, everywhere.
type hostile []byte

func (h hostile) Read(addr uint64, p []byte) error {
	if len(h) == 0 || addr == 0 {
		return memory.ErrUnmapped
	}
	for i := range p {
		p[i] = h[(addr+uint64(i))%uint64(len(h))]
	}
	return nil
}

func (h hostile) Many(addrs []uint64, into [][]byte) ([]bool, error) {
	read := make([]bool, len(addrs))
	for i, at := range addrs {
		read[i] = h.Read(at, into[i]) == nil
	}
	return read, nil
}

// FuzzWaiters: trees and lists without an end, and waiters of another place, are bounded.
func FuzzWaiters(f *testing.F) {
	l, err := layout.Of("go1.26", "amd64")
	if err != nil {
		f.Fatal(err)
	}
	loop := make([]byte, 64)
	binary.LittleEndian.PutUint64(loop[l.SemaRoot:], 64)
	f.Add(loop, uint64(64))
	f.Add([]byte{1, 2, 3}, uint64(8))
	f.Fuzz(func(t *testing.T, b []byte, table uint64) {
		if len(b) > 1<<12 {
			return
		}
		all, err := semaphores(hostile(b), l, table, "amd64")
		if err != nil && !errors.Is(err, memory.ErrUnmapped) || len(all) > mostWaiters {
			t.Errorf("%d waiters, %v", len(all), err)
		}
		for _, at := range all {
			if at == 0 {
				t.Error("a semaphore at address 0")
			}
		}
	})
}

// FuzzBuckets: lists that lead back to themselves, stacks without an end and wild pointers end in
// an error, and soon.
func FuzzBuckets(f *testing.F) {
	l, err := layout.Of("go1.26", "amd64")
	if err != nil {
		f.Fatal(err)
	}
	loop := make([]byte, 128)
	binary.LittleEndian.PutUint64(loop[l.BucketAllNext:], 128)
	binary.LittleEndian.PutUint64(loop[l.BucketType:], blockProfile)
	f.Add(loop, uint64(128), blockProfile)
	deep := make([]byte, 128)
	binary.LittleEndian.PutUint64(deep[l.BucketType:], memProfile)
	binary.LittleEndian.PutUint64(deep[l.BucketDepth:], 1<<40)
	f.Add(deep, uint64(8), memProfile)
	f.Add([]byte{}, uint64(1), mutexProfile)
	f.Fuzz(func(t *testing.T, b []byte, head uint64, kind int) {
		if len(b) > 1<<12 {
			return
		}
		all, err := buckets(hostile(b), l, head, kind)
		if err == nil && len(all) > len(b) {
			t.Errorf("%d places in %d bytes", len(all), len(b))
		}
		if err != nil && !errors.Is(err, ErrTorn) && !errors.Is(err, memory.ErrUnmapped) {
			t.Errorf("%v", err)
		}
	})
}
