package exectrace

import "golang.org/x/exp/trace"

// sweepEvery is how many waits may end before the horizon is looked up again.
const sweepEvery = 1024

// waitGraph joins every wait with the goroutines that made it last, and says what
// they did meanwhile.
type waitGraph struct {
	sched  *scheduler
	stacks *stacks
	places places
	edges  edges
	oldest horizon
}

// unblocked joins a goroutine that stops to wait with the one that ends its wait,
// with the stack of its Unlock, send or Done.
func (w *waitGraph) unblocked(g, by *goroutine, stack int32) {
	now := w.sched.now
	if g.idle {
		// It was not held up, but whatever waits for it waited for its work to come.
		g.woken = &hold{end: now, stack: stack}
		g.woken.look(by, g.since)
		return
	}
	place := w.places.join(w.stacks.info(g.stack).place, w.stacks.info(stack).place)
	h := w.hold(by, place, stack, g.since)
	g.woken = h
	w.blame(g, h)
	w.served(g, by, h)
	if g.state == Lock && h.handed && !h.again && g.since <= h.start {
		w.edges.of(g, h).Holds.add(h.end - h.start)
	}
	g.wakes.add(wake{place: place, end: now, by: h}, &w.places)
	by.wakes.add(wake{place: place, end: now, by: h, own: true}, &w.places)
}

// served books a wait for a goroutine that worked for no other meanwhile. Once it has
// answered, it is free for those that queue up.
func (w *waitGraph) served(g, by *goroutine, h *hold) {
	if g.state == Lock || !g.serves() {
		return
	}
	if by.starter == g.id {
		w.edges.of(g, h).Served += w.sched.now - g.since
	}
	by.starter = trace.NoGoroutine
}

// hold says since when a goroutine has held what it now releases, and what it did
// from then on. A goroutine that got it without a wait may have held it since its
// own last release, or for ever. Several releases in one stretch on a processor
// (a broadcast) are one.
func (w *waitGraph) hold(by *goroutine, place, stack int32, from int64) *hold {
	h := &hold{end: w.sched.now, stack: stack}
	switch last := by.wakes.at(place, &w.places); {
	case last == nil:
	case last.own && last.end >= by.since:
		h.start, h.before, h.depth = last.by.start, last.by.before, last.by.depth
		h.again = true
	default:
		h.start, h.handed = last.end, !last.own
		if last.end > w.oldest.get(w.sched) {
			h.behind(last.by)
		}
	}
	h.look(by, min(from, w.oldest.get(w.sched))) // others wait for longer, and go on from here
	return h
}

// blame shares the wait of a goroutine that ends now among those that held what it
// waited for, one after the other.
func (w *waitGraph) blame(g *goroutine, last *hold) {
	in := g.serves()
	counted := false
	for p := range last.parts(g.since, last.end) {
		n := w.edges.number(g.state, g.stack, p.by.stack)
		e := &w.edges.list[n]
		if !in {
			e.Outside += p.time()
			continue
		}
		e.Delay += p.time()
		if !counted {
			e.Count++
			if last.again {
				e.Again++
			}
			counted = true
		}
		g.exact.blame(n, p.time())
		g.inferred.blame(n, p.time())
		w.held(n, p, 0)
	}
}

// held books what the holder did in a part of another goroutine's wait, at a level of
// the chain.
func (w *waitGraph) held(edge int32, p part, level int) {
	if p.source == notFollowed {
		return
	}
	left := p.time()
	if p.source == recorded {
		for i := range p.by.spans {
			s := &p.by.spans[i]
			if a, b := max(s.start(), p.start), min(s.end, p.end); a < b {
				left -= b - a
				w.edges.list[edge].did(s.state, s.stack, b-a)
				w.chain(s, a, b, level+1)
			}
		}
	}
	w.edges.list[edge].did(Unknown, 0, left)
}

// chain follows a holder that waited itself while another goroutine waited for it.
func (w *waitGraph) chain(s *span, begin, end int64, level int) {
	w.sched.uses.chained(s, end-begin)
	if s.behind == nil || level > maxLevel {
		return
	}
	for p := range s.behind.parts(begin, end) {
		n := w.edges.number(s.state, s.stack, p.by.stack)
		w.edges.list[n].Chained += p.time()
		w.held(n, p, level)
	}
}

// horizon is an instant before which no wait began that still goes on.
type horizon struct {
	at  int64
	age int
}

func (z *horizon) get(s *scheduler) int64 {
	if z.age--; z.age > 0 {
		return z.at
	}
	z.age = max(sweepEvery, len(s.live)) // so that a sweep costs a constant for each wait
	z.at = s.now
	for _, g := range s.live {
		if g.state.EndedByAnother() && !g.idle {
			z.at = min(z.at, g.since)
		}
	}
	return z.at
}
