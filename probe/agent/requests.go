package agent

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// timing is what one follower of the vitals adds to state.open: the middleware asks one
// word for both, and pays for one load while nothing looks.
const timing = 1 << 16

const (
	// shards keep requests that end at the same time on different processors from
	// writing to one cache line, and cells keep goroutines apart.
	shards = 8
	cells  = 1 << cellBits
	// A duration is counted in units of 1.024 µs with four bits of precision: what is
	// read out of a bucket is off by 3 % at most.
	unitBits      = 10
	precisionBits = 4
	octaves       = 32 // up to 73 minutes; what is longer counts as that
	buckets       = octaves << precisionBits
)

// Timer counts requests by how long they took, while the vitals are followed. Its
// counters only grow: each follower takes differences of its own.
type Timer struct {
	used   atomic.Bool // there is a middleware
	sample sample
	cells  [cells]cell
	shards [shards]shard
}

// cell is a cache line, of one goroutine mostly: each request writes to it.
type cell struct {
	started atomic.Uint64
	brief   atomic.Uint64 // ended, not timed by the clock, and not slow
	_       [48]byte
}

// shard is of requests that were timed by the clock, and of slow ones.
type shard struct {
	ended [buckets]atomic.Uint64
	_     [64]byte
}

// Middleware returns what a middleware times requests with, and notes that there is one.
func Middleware() *Timer {
	process.requests.used.Store(true)
	return &process.requests
}

// Began is called when a request begins. Watched is false while nothing looks at the
// process, which costs one atomic load. At is for Ended, and 0 while requests are not timed.
func (t *Timer) Began() (at int64, watched bool) {
	n := process.open.Load()
	if n == 0 {
		return 0, false
	}
	return t.began(n), true
}

func (t *Timer) began(open int32) int64 {
	if open < timing {
		return 0
	}
	mine := here()
	t.cells[mine].started.Add(1)
	if at := t.sample.began(); at != 0 {
		return at | mine<<1
	}
	return process.since()
}

// Ended is called when a request ends that began at an instant of Began, also when it
// panics. It counts after the followers are gone as well, so that what began has ended.
func (t *Timer) Ended(at int64) {
	if at&1 == 0 {
		if at != 0 {
			t.endedByTick(at)
		}
		return
	}
	t.shards[shardOf(at)].ended[bucketOf(process.since()-at)].Add(1)
}

// since reads the monotonic clock alone, which takes half as long as time.Now, in ns from
// the first follower on; never 0.
func (s *state) since() int64 { return int64(time.Since(s.zero)) | 1 }

// shardOf spreads instants: the multiplier is the golden ratio's.
func shardOf(at int64) uint32 { return uint32(at) * 2654435769 >> 29 }

// bucketOf returns the bucket of a duration in ns, as a histogram with linear parts of each octave.
func bucketOf(ns int64) int {
	if ns < 0 {
		ns = 0
	}
	units := uint64(ns) >> unitBits
	octave := bits.Len64(units >> precisionBits)
	if octave == 0 {
		return int(units)
	}
	i := octave<<precisionBits + int(units>>(octave-1))&(1<<precisionBits-1)
	if i >= buckets {
		return buckets - 1
	}
	return i
}

// lowest returns the shortest duration of a bucket in seconds.
func lowest(bucket int) float64 {
	octave, part := bucket>>precisionBits, bucket&(1<<precisionBits-1)
	units := uint64(part)
	if octave > 0 {
		units = uint64(part|1<<precisionBits) << (octave - 1)
	}
	return float64(units<<unitBits) / float64(time.Second)
}

// counts are the counters of all shards at an instant.
type counts struct {
	started, brief uint64
	ended          [buckets]uint64
}

// read is the counters. A goroutine that loses its processor in between would find all that began meanwhile under way: it looks again
// then, and takes the look during which the fewest began.
func (t *Timer) read() counts { return steadiest(t.look) }

func steadiest(look func() (counts, uint64)) counts {
	const looks, few = 5, 8
	best, least := look()
	for i := 1; i < looks && least > few; i++ {
		if c, meanwhile := look(); meanwhile < least {
			best, least = c, meanwhile
		}
	}
	return best
}

// look returns the counters, and how many requests began while it looked.
func (t *Timer) look() (c counts, meanwhile uint64) {
	before := t.all()
	for i := range t.shards {
		s := &t.shards[i]
		for b := range s.ended { // before started: no request has ended that did not begin
			c.ended[b] += s.ended[b].Load()
		}
	}
	for i := range t.cells {
		c.brief += t.cells[i].brief.Load()
	}
	c.started = t.all()
	return c, c.started - before
}

// all is how many requests began.
func (t *Timer) all() uint64 {
	var n uint64
	for i := range t.cells {
		n += t.cells[i].started.Load()
	}
	return n
}
