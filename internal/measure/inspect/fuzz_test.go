//go:build linux && (amd64 || arm64)

package inspect

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/unpark-go/unpark/internal/measure/inspect/image"
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

// FuzzGoroutines: lists of any length, stacks that lie anywhere and frames that lead back to themselves are bounded.
func FuzzGoroutines(f *testing.F) {
	l, err := layout.Of("go1.26", "amd64")
	if err != nil {
		f.Fatal(err)
	}
	// The same goroutine everywhere, parked, whose frame is its own caller's.
	parked := make([]byte, l.GSize)
	for at, v := range map[int]uint64{l.GStackHigh: 1 << 20, l.GSP: 1 << 12, l.GBP: 1 << 12, l.GStatus: waiting} {
		binary.LittleEndian.PutUint64(parked[at:], v)
	}
	f.Add(parked, uint64(8*len(parked)), uint64(l.GID))
	// At the end of all addresses.
	binary.LittleEndian.PutUint64(parked[l.GSP:], 16)
	binary.LittleEndian.PutUint64(parked[l.GBP:], 1<<64-8)
	f.Add(parked, uint64(l.GStackHigh), uint64(l.GSP))
	f.Add([]byte{1, 2, 3}, uint64(8), uint64(16))
	f.Fuzz(func(t *testing.T, b []byte, array, length uint64) {
		if len(b) > 1<<12 {
			return
		}
		const most = 50
		if len(b) >= l.GSize && word(b, l.GSP) >= belowStack {
			if calls, _ := walk(l, b, waiting, word(b, l.GSP)-belowStack, b); len(calls) > deepestWalk {
				t.Errorf("%d calls", len(calls))
			}
		}
		v := image.Variables{AllG: array, AllGLen: length}
		for _, read := range []func() (census, error){
			func() (census, error) { return goroutines(hostile(b), l, v, most, rand.New(rand.NewPCG(1, 2))) },
			func() (census, error) { return first(hostile(b), l, v, most) },
		} {
			c, err := read()
			if err != nil && !errors.Is(err, ErrTorn) && !errors.Is(err, memory.ErrUnmapped) {
				t.Errorf("%v", err)
			}
			if len(c.seen)+c.torn > most {
				t.Errorf("%d goroutines, %d torn", len(c.seen), c.torn)
			}
			for _, g := range c.seen {
				if len(g.stack) > deepestWalk || len(g.memory) > stackMost {
					t.Errorf("%d calls, %d bytes of a stack", len(g.stack), len(g.memory))
				}
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
