package exectrace

import "golang.org/x/exp/trace"

// scheduler follows the one of the traced process: which goroutines live, in which
// state each is since when, and how the processors are used. It books the time of a
// state when that ends.
type scheduler struct {
	now  int64 // time of the latest event, in ns since the first
	live map[trace.GoID]*goroutine
	dead []*goroutine // to be used again
	cpus processors
	uses uses

	moments moments
}

// processors tells how they are used, as integrals over time: what happened between
// two instants is the difference.
type processors struct {
	running    int     // goroutines on processors
	collecting int     // of these, the collector's
	stopped    bool    // the world, or about to be
	gcTime     float64 // ns × collecting ÷ running
	stwTime    int64   // ns
}

// pass lets time pass, in ns.
func (p *processors) pass(d int64) {
	if p.collecting > 0 && p.running > 0 {
		p.gcTime += float64(d) * float64(p.collecting) / float64(p.running)
	}
	if p.stopped {
		p.stwTime += d
	}
}

// advance moves the clock.
func (s *scheduler) advance(t int64) {
	if d := t - s.now; d > 0 {
		s.cpus.pass(d)
		s.now = t
	}
}

// born returns a goroutine that is known from now on.
func (s *scheduler) born(id trace.GoID) *goroutine {
	var g *goroutine
	if n := len(s.dead); n > 0 {
		g, s.dead = s.dead[n-1], s.dead[:n-1]
		*g = goroutine{past: past{spans: g.past.spans[:0], older: older{spans: g.past.older.spans[:0]}}, wakes: g.wakes[:0]}
	} else {
		g = &goroutine{}
	}
	g.id, g.since = id, s.now
	s.live[id] = g
	return g
}

// bury keeps the memory of a goroutine that ended for the next.
func (s *scheduler) bury(g *goroutine) {
	delete(s.live, g.id)
	g.past.forget()
	clear(g.wakes)
	s.dead = append(s.dead, g)
}

// enter begins a state.
func (s *scheduler) enter(g *goroutine, in State, stack int32) {
	g.state, g.stack, g.since = in, stack, s.now
	g.gcAt, g.stwAt = s.cpus.gcTime, s.cpus.stwTime
	if in == Running {
		s.cpus.running++
		if g.collector {
			s.cpus.collecting++
		}
	}
}

// leave ends the state that a goroutine is in, and books its time.
func (s *scheduler) leave(g *goroutine) {
	d := s.now - g.since
	if g.state == Running {
		s.cpus.running--
		if g.collector {
			s.cpus.collecting--
		}
	}
	if g.state == Runnable {
		g.stack = 0 // where it was stopped, if it was
		stw := min(s.cpus.stwTime-g.stwAt, d)
		gc := min(int64(s.cpus.gcTime-g.gcAt), d-stw)
		s.book(g, STW, g.since+stw, stw)
		s.book(g, GC, g.since+stw+gc, gc)
		s.book(g, Runnable, s.now, d-stw-gc)
	} else {
		s.book(g, g.does(), s.now, d)
	}
	g.woken, g.done, g.late = nil, false, false
}

// settle books what a goroutine has spent in its state so far; it stays in it.
func (s *scheduler) settle(g *goroutine) {
	in, stack := g.state, g.stack
	s.leave(g)
	s.enter(g, in, stack)
}

// book books a stretch of a goroutine's life that ends at an instant, at the stack of
// its state.
func (s *scheduler) book(g *goroutine, in State, end, d int64) {
	if d <= 0 {
		return
	}
	s.moments.add(in, g.stack, end-d, end)
	g.past.add(span{end: end, time: d, state: in, stack: g.stack, serves: g.serves(), idle: g.idle, behind: g.woken})
	if !g.idle {
		g.exact.add(in, g.stack, d)
		g.inferred.add(in, g.stack, d)
	}
	if g.stack != 0 {
		s.uses.add(g, in, d)
	}
}

// collects is told that a goroutine works for the garbage collector.
func (s *scheduler) collects(g *goroutine) {
	if g == nil || g.collector {
		return
	}
	g.collector = true
	if g.state == Running {
		s.cpus.collecting++
	}
}

// assists is told that a goroutine begins or ends a mark assist.
func (s *scheduler) assists(g *goroutine, begins bool) {
	if g == nil || g.assists == begins {
		return
	}
	if g.state == Running {
		s.settle(g)
	}
	g.assists = begins
}

// uses is the time that goroutines spent in waits and system calls, by stack.
type uses []Use

func (u *uses) add(g *goroutine, in State, d int64) {
	for len(*u) <= int(g.stack) {
		*u = append(*u, Use{})
	}
	use := &(*u)[g.stack]
	use.State = in
	use.Ended++
	if g.done {
		use.GivenUp++
	}
	if g.serves() {
		use.Inside += d
		use.Count++
		if g.late {
			use.Late += d
		}
	} else {
		use.Outside += d
	}
}

// chained books that a request was blocked behind a part of a wait.
func (u uses) chained(p *span, d int64) {
	if !p.serves && !p.idle && p.stack != 0 && int(p.stack) < len(u) {
		u[p.stack].Chained += d
	}
}
