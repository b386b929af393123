package load

import (
	"sync/atomic"
	"time"
)

// connection is what the books know of one connection, whichever engine drives
// it.
type connection struct {
	id int
	// current is the intended start of the request in hand, never when there is
	// none. Once the load was stopped it stays at what was not answered.
	current  atomic.Int64
	freed    int64 // when the connection came free
	count    int64 // of requests
	failures int   // in a row
	shard    *shard
	index    int // of the shard
	lane     int // of the schedule that it takes arrivals from
}

// backoff is how long to wait after another failed connection, longer each time,
// so that a target that is down is not stormed by all of them.
func (c *connection) backoff() int64 {
	wait := min(int64(lastBackoff), int64(firstBackoff)<<min(c.failures, 10))
	c.failures++
	return wait
}

// engine drives the connections of one load.
type engine interface {
	// connections returns all of them, always the same.
	connections() []*connection
	// mark returns one instant, and for every lane of the schedule the arrival
	// that no connection had taken then: the earlier ones of the lane were taken, and
	// were due. A closed loop has one lane with no arrival: a connection that is
	// free takes the next at once.
	mark() (now int64, heads []head)
	// start begins to drive, and returns when everything of it moves, with the instant
	// since which it does; what it starts has ended when close returned and the
	// generator's running group is done.
	start() time.Time
	// close ends it; what is in flight is abandoned.
	close()
	// drop releases one that is not started.
	drop()
}

// head is the first arrival of a lane that no connection has taken. Arrival k belongs to
// lane k modulo the number of lanes.
type head struct{ index, due int64 }

// judge completes the sample by what the plan says about its kind.
func (g *Generator) judge(c *connection, s *sample, kind int, hash bool) {
	k := &g.settings.kinds[kind]
	if s.status == 0 {
		s.words = k.name() + ": " + s.detail.Error()
		return
	}
	c.failures = 0
	if !k.accepts(s.status) {
		s.err, s.words = failStatus, unexpected(k, s.status)
		if s.detail != nil {
			s.words += ": " + s.detail.Error()
		}
	} else if hash {
		s.compared, s.repeated = g.repeats.seen(kind, s.sum)
	}
}

// serial numbers the requests of a plan from 0: an open one by arrival, so that it
// can be repeated, a closed one in the order of sending.
func (g *Generator) serial(a arrival) int64 {
	if g.settings.pacer != nil {
		return g.settings.part.Number(a.index)
	}
	return g.settings.part.Number(g.sent.Add(1) - 1)
}

// wall returns an instant of the load in nanoseconds since 1970.
func (g *Generator) wall(at int64) int64 { return g.started.UnixNano() + at }

// record counts a finished request and frees its connection.
func (g *Generator) record(c *connection, s *sample) {
	sh := c.shard
	sh.mu.Lock()
	defer sh.mu.Unlock()
	list := *g.stretches.Load() // within the lock: see cut
	if st := find(list, s.intended); st != nil && st.tallies[c.index] != nil {
		st.tallies[c.index].add(s)
	}
	if s.status > 0 {
		if st := find(list, s.done); st != nil && st.tallies[c.index] != nil {
			st.tallies[c.index].requests++
		}
		sh.pulse.answer(s)
	}
	if s.err != "" {
		sh.pulse.errors++
	}
	c.freed = s.done
	if g.settings.pacer == nil {
		c.current.Store(s.done)
	} else {
		c.current.Store(never)
	}
}

// untaken yields the intended starts of a lane's arrivals before end that no connection
// had taken, in order.
func (g *Generator) untaken(lane int, heads []head, end int64) func(yield func(int64) bool) {
	return func(yield func(int64) bool) {
		h, lanes := heads[lane], int64(len(heads))
		for h.due < end {
			if h.index%lanes == int64(lane) && !yield(h.due) {
				return
			}
			h.index++
			h.due = g.settings.pacer.next(h.index, h.due)
		}
	}
}
