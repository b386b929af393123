package exectrace

import "golang.org/x/exp/trace"

const (
	// maxHolders bounds the holders that one wait is shared among. What is left of
	// a longer queue is charged to the place that the last of them released at, and
	// taken to be spent like the part that was walked.
	maxHolders = 128
	// maxLevel bounds chains: who waits on whom, who waits on whom, …
	maxLevel = 8
	// maxWakes bounds the places at which a goroutine's latest wait is remembered.
	maxWakes = 16
	// sweepEvery is how many waits may end before the horizon is looked up again.
	sweepEvery = 1024
)

// hold is the time in which one goroutine held up another: until it released it,
// and since it was itself let in at the same place, if it had to wait for that. Of one
// that was idle it is all of the time until it got work.
type hold struct {
	start, end int64
	stack      int32  // that released
	spans      []span // what it did, as far as somebody waited
	before     *hold  // who held until start
	depth      int    // of before
	level      int    // of the chains in spans
	handed     bool   // start is when another let it in
	again      bool   // one of several releases in a row
}

// wake is the latest instant before which a goroutine held nothing at a place: the
// end of a wait there, with the hold that ended it, or its own release.
type wake struct {
	place int32
	end   int64
	by    *hold
	own   bool
}

// unblocked joins a goroutine that stops to wait with the one that ends its wait:
// the event is recorded on the latter, with the stack of its Unlock, send or Done
// (runtime/trace.go:GoUnpark).
func (f *follower) unblocked(g *goroutine, id trace.GoID, ev *trace.Event) {
	if !g.state.EndedByAnother() {
		return
	}
	by := f.live[ev.Goroutine()]
	if by == nil || by == g || by.collector {
		return
	}
	stack := f.stacks.number(ev.Stack(), AtWake)
	if g.idle {
		// Nobody held it up, but whoever waits for it waited for its work to come.
		g.woken = &hold{end: f.now, stack: stack}
		f.look(g.woken, by, g.since)
		return
	}
	place := f.places.join(f.stacks.info(g.stack).place, f.stacks.info(stack).place)
	h := f.hold(by, place, stack, g.since)
	g.woken = h
	f.blame(g, h)
	f.served(g, id, by, h)
	if g.state == Lock && h.handed && !h.again && g.since <= h.start {
		n := f.edges.number(g.state, g.stack, h.stack)
		f.edges.list[n].Holds.add(h.end - h.start)
	}
	g.remember(wake{place: place, end: f.now, by: h}, &f.places)
	by.remember(wake{place: place, end: f.now, by: h, own: true}, &f.places)
}

// served books a wait for somebody who worked for nobody else meanwhile. Once it has
// answered, it is free for those that queue up.
func (f *follower) served(g *goroutine, id trace.GoID, by *goroutine, h *hold) {
	if g.state == Lock || !g.serves() {
		return
	}
	if by.starter == id {
		n := f.edges.number(g.state, g.stack, h.stack)
		f.edges.list[n].Served += f.now - g.since
	}
	by.starter = trace.NoGoroutine
}

// hold says since when a goroutine has held what it now releases, and what it did
// from then on. A goroutine that got it without a wait may have held it since its
// own last release, or for ever. Several releases in one stretch on a processor
// (a broadcast) are one.
func (f *follower) hold(by *goroutine, place, stack int32, from int64) *hold {
	h := &hold{end: f.now, stack: stack}
	switch last := by.wakeAt(place, &f.places); {
	case last == nil:
	case last.own && last.end >= by.since:
		h.start, h.before, h.depth = last.by.start, last.by.before, last.by.depth
		h.again = true
	default:
		h.start, h.handed = last.end, !last.own
		if last.end > f.oldest.get(f) {
			h.behind(last.by)
		}
	}
	f.look(h, by, min(from, f.oldest.get(f))) // others wait for longer, and go on from here
	return h
}

// look notes what the holder did from an instant on, or since its hold began.
func (f *follower) look(h *hold, by *goroutine, from int64) {
	h.spans = by.past.since(max(from, h.start))
	for i := range h.spans {
		b := h.spans[i].behind
		if b == nil {
			continue
		}
		if b.level >= maxLevel {
			h.spans[i].behind = nil
			continue
		}
		h.level = max(h.level, b.level+1)
	}
	if d := f.now - by.since; d > 0 {
		s := by.state
		if s == Running && by.assists {
			s = Assist
		}
		h.spans = append(h.spans, span{end: f.now, time: d, state: s, stack: by.stack})
	}
}

// behind links a hold to the one before. Chains are cut at twice the length that is
// ever walked.
func (h *hold) behind(b *hold) {
	h.before, h.depth = b, b.depth+1
	if h.depth < 2*maxHolders {
		return
	}
	last := h
	for range maxHolders + 1 {
		last = last.before
		if last == nil {
			break
		}
	}
	if last != nil {
		last.before = nil
	}
	h.depth = maxHolders
}

// blame shares the wait of a goroutine that ends now among those who held what it
// waited for, one after the other.
func (f *follower) blame(g *goroutine, last *hold) {
	in := g.serves()
	counted := false
	f.walk(last, g.since, f.now, func(h *hold, from, to int64, k knowledge) {
		n := f.edges.number(g.state, g.stack, h.stack)
		e := &f.edges.list[n]
		if !in {
			e.Outside += to - from
			return
		}
		e.Delay += to - from
		if !counted {
			e.Count++
			counted = true
		}
		g.exact.blame(n, to-from)
		g.inferred.blame(n, to-from)
		f.held(n, h, from, to, k, 0)
	})
}

// knowledge is what is known of a part of a wait.
type knowledge uint8

const (
	heldBy   knowledge = iota // who held
	nobody                    // the trace does not say who held
	notAsked                  // it would, and the queue is too long to be followed
)

// walk calls share for every hold that a wait between two instants went through,
// the latest first, and for what is left.
func (f *follower) walk(h *hold, begin, end int64, share func(h *hold, from, to int64, k knowledge)) {
	for n := 0; ; n++ {
		from := max(h.start, begin)
		if from < end {
			share(h, from, end, heldBy)
		}
		if from <= begin {
			return
		}
		if h.before == nil {
			share(h, begin, from, nobody)
			return
		}
		if n == maxHolders {
			share(h, begin, from, notAsked)
			return
		}
		end, h = from, h.before
	}
}

// held books what a holder did in a part of somebody's wait, at a level of the chain.
func (f *follower) held(edge int32, h *hold, from, to int64, k knowledge, level int) {
	if k == notAsked {
		return
	}
	left := to - from
	if k == heldBy {
		for i := range h.spans {
			s := &h.spans[i]
			if a, b := max(s.start(), from), min(s.end, to); a < b {
				left -= b - a
				f.edges.list[edge].did(s.state, s.stack, b-a)
				f.chain(s, a, b, level+1)
			}
		}
	}
	f.edges.list[edge].did(Unknown, 0, left)
}

// chain follows a holder that waited itself while it held somebody up.
func (f *follower) chain(s *span, begin, end int64, level int) {
	if !s.serves && !s.idle && s.stack != 0 && int(s.stack) < len(f.uses) {
		f.uses[s.stack].Chained += end - begin
	}
	if s.behind == nil || level > maxLevel {
		return
	}
	f.walk(s.behind, begin, end, func(h *hold, from, to int64, k knowledge) {
		n := f.edges.number(s.state, s.stack, h.stack)
		f.edges.list[n].Chained += to - from
		f.held(n, h, from, to, k, level)
	})
}

// wakeAt returns the latest wait at a place that somebody ended.
func (g *goroutine) wakeAt(place int32, p *places) *wake {
	root := p.root(place)
	for i := len(g.wakes) - 1; i >= 0; i-- {
		if p.root(g.wakes[i].place) == root {
			return &g.wakes[i]
		}
	}
	return nil
}

// remember notes the end of a wait.
func (g *goroutine) remember(w wake, p *places) {
	if old := g.wakeAt(w.place, p); old != nil {
		*old = w
		return
	}
	if len(g.wakes) == maxWakes {
		copy(g.wakes, g.wakes[1:])
		g.wakes = g.wakes[:maxWakes-1]
	}
	g.wakes = append(g.wakes, w)
}

// horizon is an instant before which no wait began that still goes on.
type horizon struct {
	at  int64
	age int
}

func (z *horizon) get(f *follower) int64 {
	if z.age--; z.age > 0 {
		return z.at
	}
	z.age = max(sweepEvery, len(f.live)) // so that a sweep costs a constant for each wait
	z.at = f.now
	for _, g := range f.live {
		if g.state.EndedByAnother() && !g.idle {
			z.at = min(z.at, g.since)
		}
	}
	return z.at
}
