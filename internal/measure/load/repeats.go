package load

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

const (
	firstHashed = 16          // answers of each kind that are always compared
	everyHashed = 128         // of all answers one in so many, drawn by chance
	hashedPause = 10_000_000  // ns between the others, on average: those of a slow service
	hashedBurst = 640_000_000 // ns of pauses that may be owed: for 64 answers asked at once
	hashedBytes = 1 << 20     // of one body; the rest counts by its length
	keptSums    = 4096        // different bodies remembered for each kind
)

// repeats finds answers that never change, on a sample whose cost stays far
// below that of the answers themselves: of 10 answers/s all, of 1,000/s every
// ninth, of 100,000/s 0.9 %, over however many connections they come. What is
// shared is only read, but for those that are hashed.
type repeats struct {
	seed  maphash.Seed
	kinds []bodies
	due   atomic.Int64 // when one more may be hashed if nothing is owed, ns of the load
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

// wants reports whether the answer to the request that a connection begins now is
// to be hashed. Requests that differ may take turns (values in the order of their
// file), so none are chosen at equal distances: that could be always the same one.
func (r *repeats) wants(c *connection, kind int, now int64) bool {
	return mix(uint64(c.id)<<40+uint64(c.count))%everyHashed == 0 ||
		r.kinds[kind].sampled.Load() < firstHashed || r.rested(now)
}

// rested reports that the last hashed answer is long enough ago, and counts one
// more (a leaky bucket: ITU-T I.371, generic cell rate algorithm).
func (r *repeats) rested(now int64) bool {
	for {
		due := r.due.Load()
		if now < due-hashedBurst {
			return false
		}
		pause := int64(hashedPause * (0.5 + uniform(0, due)))
		if r.due.CompareAndSwap(due, max(due, now)+pause) {
			return true
		}
	}
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
