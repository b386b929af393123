//go:build linux && (amd64 || arm64)

package inspect

import (
	"fmt"

	"github.com/unpark-go/unpark/internal/measure/inspect/layout"
)

// The runtime keeps who waits for which semaphore in a table of trees: the root of an entry is
// one waiter of each address, behind which the others of that address are in a list
// (runtime/sema.go, semTable and semaRoot).
const (
	semaphoreRoots = 251 // semTabSize
	// mostWaiters bounds what is followed: lists are as long as their queues, and are read one by
	// one. Who comes later in a queue has no address.
	mostWaiters = 20_000
)

// rootSize is that of an entry: a line of the processor's cache (internal/cpu, CacheLinePadSize).
func rootSize(arch string) int {
	if arch == "arm64" {
		return 128
	}
	return 64
}

// semaphores returns the address of the semaphore that a goroutine waits for, by the goroutine's
// own address. The table changes while it is read: an entry that is not where its address belongs
// is left out.
func semaphores(mem batch, l layout.Layout, table uint64, arch string) (map[uint64]uint64, error) {
	size := rootSize(arch)
	roots := make([]byte, semaphoreRoots*size)
	if err := mem.Read(table, roots); err != nil {
		return nil, fmt.Errorf("table of semaphores: %w", err)
	}
	var next []waiter
	for i := range semaphoreRoots {
		if at := word(roots, i*size+l.SemaRoot); at != 0 {
			next = append(next, waiter{at: at, root: i})
		}
	}
	out := map[uint64]uint64{}
	seen := map[uint64]bool{}
	for left := mostWaiters; len(next) > 0 && left > 0; {
		level := next[:min(len(next), left)]
		left -= len(level)
		var err error
		if next, err = follow(mem, l, level, seen, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// waiter is where a sudog lies.
type waiter struct {
	at      uint64
	root    int    // of the table
	address uint64 // of the semaphore, in a list: known from its head
}

// follow notes who waits, and returns whom they lead to.
func follow(mem batch, l layout.Layout, level []waiter, seen map[uint64]bool, out map[uint64]uint64) ([]waiter, error) {
	at, into := make([]uint64, len(level)), pieces(len(level), l.WaiterSize)
	for i, w := range level {
		at[i] = w.at
	}
	read, err := mem.Many(at, into)
	if err != nil {
		return nil, fmt.Errorf("waiters for semaphores: %w", err)
	}
	var next []waiter
	for i, w := range level {
		if !read[i] || seen[w.at] {
			continue
		}
		seen[w.at] = true
		b := into[i]
		head := w.address == 0
		if head {
			w.address = semaphore(b, l)
		}
		if w.address == 0 || int(w.address>>3%semaphoreRoots) != w.root {
			continue
		}
		out[word(b, l.WaiterG)] = w.address
		next = append(next, waiter{at: word(b, l.WaiterLink), root: w.root, address: w.address})
		if head {
			next = append(next, waiter{at: word(b, l.WaiterPrev), root: w.root}, waiter{at: word(b, l.WaiterNext), root: w.root})
		}
	}
	kept := next[:0]
	for _, w := range next {
		if w.at != 0 && !seen[w.at] {
			kept = append(kept, w)
		}
	}
	return kept, nil
}

// semaphore is the address that a waiter at the head of a list waits for. From Go 1.26 on that is
// two words, of which the first may be empty while the collector looks for leaks
// (runtime/runtime2.go, maybeTraceablePtr).
func semaphore(b []byte, l layout.Layout) uint64 {
	if at := word(b, l.WaiterElem); at != 0 {
		return at
	}
	return word(b, l.WaiterElem+8)
}
