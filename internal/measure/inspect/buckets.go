//go:build linux && (amd64 || arm64)

package inspect

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/unpark-go/unpark/internal/measure/inspect/layout"
	"github.com/unpark-go/unpark/internal/measure/inspect/memory"
)

// bucket is one place of a profile, as the runtime counts it since the process began.
type bucket struct {
	stack []uint64 // return addresses, the innermost first
	size  uint64   // of an allocation, in bytes

	count  float64 // of block and mutex events, already scaled by how few are recorded
	cycles int64

	allocs, frees uint64 // sampled, not scaled
}

// The types of buckets (runtime/mprof.go).
const (
	memProfile = 1 + iota
	blockProfile
	mutexProfile
)

const (
	// deepestStack is runtime.maxProfStackDepth: what a bucket may say at most.
	deepestStack = 1024
	// mostBuckets is how many places one list may have; a list that goes on is no list, or is
	// changed while it is read.
	mostBuckets = 1 << 20
)

// ErrTorn says that memory did not hold together, wrapped: it changed while it was read, or
// is not what it was taken for.
var ErrTorn = errors.New("the runtime's memory does not hold together")

// buckets reads a list of buckets from the address of its head. Nothing of one changes after it
// was put in but its counts, and new ones come in front, so a list is read without stopping anything.
func buckets(mem memory.Reader, l layout.Layout, head uint64, kind int) ([]bucket, error) {
	at, err := memory.Uint64(mem, head)
	if err != nil {
		return nil, fmt.Errorf("list of buckets: %w", err)
	}
	var out []bucket
	seen := map[uint64]bool{}
	for at != 0 {
		if at%8 != 0 || seen[at] || len(out) >= mostBuckets {
			return nil, fmt.Errorf("list of buckets: place %d at %#x: %w", len(out)+1, at, ErrTorn)
		}
		seen[at] = true
		b, next, err := oneBucket(mem, l, at, kind)
		if err != nil {
			return nil, fmt.Errorf("list of buckets: place %d at %#x: %w", len(out)+1, at, err)
		}
		out = append(out, b)
		at = next
	}
	return out, nil
}

// oneBucket reads the head, the stack and the record, which lie behind one another.
func oneBucket(mem memory.Reader, l layout.Layout, at uint64, kind int) (b bucket, next uint64, err error) {
	head := make([]byte, l.BucketSize)
	if err := mem.Read(at, head); err != nil {
		return b, 0, err
	}
	word := func(b []byte, at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }
	depth := word(head, l.BucketDepth)
	if is := word(head, l.BucketType); is != uint64(kind) || depth > deepestStack {
		return b, 0, fmt.Errorf("type %d and %d calls: %w", is, depth, ErrTorn)
	}
	rest := make([]byte, 8*int(depth)+recordSize(l, kind))
	if err := mem.Read(at+uint64(l.BucketSize), rest); err != nil {
		return b, 0, err
	}
	b.size = word(head, l.BucketBytes)
	for i := range int(depth) {
		b.stack = append(b.stack, word(rest, 8*i))
	}
	record := rest[8*depth:]
	if kind == memProfile {
		// Published, and what the next collections will publish: all that was ever counted.
		for _, c := range cycles(l) {
			b.allocs += word(record, c+l.MemAllocs)
			b.frees += word(record, c+l.MemFrees)
		}
	} else {
		b.count = math.Float64frombits(word(record, l.BlockCount))
		b.cycles = int64(word(record, l.BlockCycles))
		if math.IsNaN(b.count) || math.IsInf(b.count, 0) || b.count < 0 || b.cycles < 0 {
			return b, 0, fmt.Errorf("%g events of %d cycles: %w", b.count, b.cycles, ErrTorn)
		}
	}
	return b, word(head, l.BucketAllNext), nil
}

// memCycles is how many cycles a memRecord keeps beside what is published.
const memCycles = 3

// cycles is where the counts of a memRecord are.
func cycles(l layout.Layout) []int {
	out := []int{l.MemActive}
	for i := range memCycles {
		out = append(out, l.MemFuture+i*l.MemCycleSize)
	}
	return out
}

func recordSize(l layout.Layout, kind int) int {
	if kind == memProfile {
		return l.MemFuture + memCycles*l.MemCycleSize
	}
	return max(l.BlockCount, l.BlockCycles) + 8
}
