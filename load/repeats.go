package load

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

const (
	firstHashed = 16      // answers of each kind that are always compared
	everyHashed = 128     // after that, one in so many of each connection
	hashedBytes = 1 << 20 // of one body; the rest counts by its length
	keptSums    = 4096    // different bodies remembered for each kind
)

// repeats finds answers that never change, on a sample whose cost stays far
// below that of the answers themselves.
type repeats struct {
	seed  maphash.Seed
	kinds []bodies
}

// bodies is what was seen of one kind of request.
type bodies struct {
	sampled atomic.Int64
	mu      sync.Mutex
	sums    map[uint64]struct{}
}

func newRepeats(kinds int) *repeats {
	r := &repeats{seed: maphash.MakeSeed(), kinds: make([]bodies, kinds)}
	for i := range r.kinds {
		r.kinds[i].sums = map[uint64]struct{}{}
	}
	return r
}

// wants reports whether the answer to the n-th request of a connection is to be
// hashed.
func (r *repeats) wants(kind int, n int64) bool {
	return n%everyHashed == 0 || r.kinds[kind].sampled.Load() < firstHashed
}

// seen compares a sum with the earlier ones of its kind and remembers it. The
// first answer of a kind has nothing to be compared with.
func (r *repeats) seen(kind int, sum uint64) (compared, repeated bool) {
	b := &r.kinds[kind]
	compared = b.sampled.Add(1) > 1
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, repeated = b.sums[sum]; !repeated && len(b.sums) < keptSums {
		b.sums[sum] = struct{}{}
	}
	return compared, repeated
}
