package agent

import (
	"math/rand/v2"
	"sync/atomic"
	"time"
	"unsafe"
)

// The clock is most of what timing a request costs: 60 ns in a loop, and twice that in a service whose caches are full of
// other things, which is a hundredth of one that answers 65,000 requests a second. So of many requests some are timed by the clock.
// The others are by a tick that is kept for all of them, which tells the slow ones: no stall is missed, and how long the
// brief ones took is what those of the sample did.
const (
	// timedWanted is how many requests a second are timed by the clock when there are more than twice as many: their
	// 99th percentile is that of the 20 slowest of them.
	timedWanted = 2000
	tick        = 10 * time.Millisecond
	// slow is what a tick tells from brief: each that takes longer is counted by its own time, which ticks know
	// within one of them.
	slow = 5 * tick
	// certain is the chance of a request that is always timed.
	certain = 1 << 24
)

// sample is which requests are timed by the clock. The zero sample is all.
type sample struct {
	chance atomic.Uint32 // of certain; 0: each is, and no tick is kept
	tick   atomic.Int64  // the instant of the last tick, in units of 128 ns
}

// began is the instant of the last tick for a request that is not timed by the clock, 0 for one that is. It has no bits but above
// those for the cell and bit 0, which an instant of the clock always has.
func (s *sample) began() int64 {
	if chance := s.chance.Load(); chance == 0 || rand.Uint32()>>8 < chance {
		return 0
	}
	return s.tick.Load()
}

// cellBits are those of an instant between bit 0 and what a tick has.
const cellBits = 6

// here is the cell of this goroutine, by where its stack is: those of a server's connections stay on one processor for
// many requests, and so does the cache line. Another goroutine may have the same.
func here() int64 {
	var on byte
	at := uint64(uintptr(unsafe.Pointer(&on))) >> 11 // the least stack is of 2 kB
	return int64(at * 0x9e3779b97f4a7c15 >> (64 - cellBits))
}

// instant is one as ticks are told: never 0.
func instant() int64 { return (process.since() | 2*cells) &^ (2*cells - 1) }

// endedByTick counts a request that was not timed by the clock. When no tick is kept any more the clock says when it ended.
func (t *Timer) endedByTick(at int64) {
	now := t.sample.tick.Load()
	if t.sample.chance.Load() == 0 {
		now = instant()
	}
	mine := at >> 1 & (cells - 1)
	if took := now - at&^(2*cells-1); took >= int64(slow) {
		t.shards[mine%shards].ended[bucketOf(took)].Add(1)
		return
	}
	t.cells[mine].brief.Add(1)
}

// ticker keeps the tick while there are so many requests that some are not timed by the clock.
type ticker struct {
	of  *sample
	end chan struct{} // nil while there is none
}

// adapt is told once a second how many requests began since.
func (t *ticker) adapt(began uint64) {
	switch many := began > 2*timedWanted; {
	case many && t.end == nil:
		t.of.tick.Store(instant())
		t.end = make(chan struct{})
		go t.of.keep(t.end)
		fallthrough
	case many:
		t.of.chance.Store(uint32(timedWanted * certain / began))
	default:
		t.stop()
	}
}

// stop has each request timed again. Another follower that wants it otherwise says so within a second.
func (t *ticker) stop() {
	if t.end != nil {
		t.of.chance.Store(0)
		close(t.end)
		t.end = nil
	}
}

func (s *sample) keep(end chan struct{}) {
	ticks := time.NewTicker(tick)
	defer ticks.Stop()
	for {
		select {
		case <-end:
			return
		case <-ticks.C:
			s.tick.Store(instant())
		}
	}
}

// whole returns what all requests took of which some were timed by the clock: the brief ones of the sample stand for those that
// were not, in proportion. The total is what was counted.
func whole(ended *[buckets]uint64, brief uint64) {
	border := bucketOf(int64(slow))
	var timed uint64
	for _, n := range ended[:border] {
		timed += n
	}
	if brief == 0 {
		return
	}
	if timed == 0 {
		ended[border/2] += brief // nothing is known but that they were brief
		return
	}
	var seen, told uint64
	for i, n := range ended[:border] {
		seen += n
		upTo := uint64(float64(seen) / float64(timed) * float64(timed+brief))
		ended[i], told = upTo-told, upTo
	}
}
