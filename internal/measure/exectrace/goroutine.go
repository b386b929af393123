package exectrace

import "golang.org/x/exp/trace"

// goroutine is one goroutine that lives.
type goroutine struct {
	id    trace.GoID
	since int64 // when its state began
	gcAt  float64
	stwAt int64
	stack int32 // of the wait or system call
	entry int32 // it begins with; 0 where the trace does not have its start
	state State

	serving   Serving
	learned   bool // serving is known
	collector bool // works for the garbage collector
	assists   bool // inside a mark assist
	idle      bool // the wait is for work
	done      bool // the wait that is being left ended because its context was done
	late      bool // the same, because its time was up

	past  past  // its latest states
	wakes wakes // its latest wait at each place that another goroutine ended
	woken *hold // what ended the wait that is being left

	// starter set it to work: it created the goroutine, or ended its latest wait for
	// another. What it waits for by itself in between, it does for that one; so does it
	// what it has goroutines of its own do, of which it is the creator.
	starter, creator trace.GoID

	exact, inferred *request
}

// does returns the state it is in, as its time is booked.
func (g *goroutine) does() State {
	if g.state == Running && g.assists {
		return Assist
	}
	return g.state
}

// serves reports whether it is inside a request.
func (g *goroutine) serves() bool { return !g.idle && (g.exact != nil || g.inferred != nil) }

// learn takes from a stack what the goroutine is for.
func (g *goroutine) learn(m *Meaning) {
	if m.Serving != NoRequest && !g.learned {
		g.serving, g.learned = m.Serving, true
	}
}

// observes is told that it belongs to profiling itself.
func (g *goroutine) observes() {
	for _, r := range [...]*request{g.exact, g.inferred} {
		if r != nil {
			r.observer = true
		}
	}
}

// did returns its states from an instant until now, the oldest first.
func (g *goroutine) did(from, now int64) []span {
	spans := g.past.since(from)
	if d := now - g.since; d > 0 {
		spans = append(spans, span{end: now, time: d, state: g.does(), stack: g.stack})
	}
	return spans
}

// maxWakes bounds the places at which a goroutine's latest wait is remembered.
const maxWakes = 16

// wake is the latest instant before which a goroutine held nothing at a place: the
// end of a wait there, with the hold that ended it, or its own release.
type wake struct {
	place int32
	end   int64
	by    *hold
	own   bool
}

// wakes is one wake for each place, the place that was met first is the first.
type wakes []wake

// at returns the wake at a place, nil when there is none.
func (w wakes) at(place int32, p *places) *wake {
	root := p.root(place)
	for i := len(w) - 1; i >= 0; i-- {
		if p.root(w[i].place) == root {
			return &w[i]
		}
	}
	return nil
}

// add notes the latest wake at its place.
func (w *wakes) add(k wake, p *places) {
	if old := w.at(k.place, p); old != nil {
		*old = k
		return
	}
	if len(*w) == maxWakes {
		copy(*w, (*w)[1:])
		*w = (*w)[:maxWakes-1]
	}
	*w = append(*w, k)
}
