package model

import (
	"cmp"
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/owner"
)

// Wait is the request-path waiting of some classes in one function, joined over lines and
// sources. Block profile and snapshots never hold the same wait twice (package evidence),
// so their delays add up.
type Wait struct {
	Heaviest facts.Wait // of those that are joined
	Delay    float64    // s
	Requeue  float64    // s for which requests were then ready to run, and did not yet
	Count    float64    // waits that ended
	Seen     float64    // records of the profile, and sightings in snapshots
	Sources  map[string]float64
	Calls    *unpark.Held // another goroutine's system calls, or its use of a connection, that it is a wait for
	Between  []Wait       // the same wait, as those goroutines feel it that requests wait for
	Beside   []Wait       // waits for the same in other functions, part of this one

	// Under is what most of the time is computed in for which the places of a pool are
	// held, below Within; nil where that is not known. Busy is how many places are.
	Under  *owner.Owner
	Within string
	Busy   float64
	// Aside is where a goroutine that serves no request gives back the place for which requests mostly wait, leaf first; nil where
	// requests wait for one another.
	Aside []unpark.Site

	// Clock is where the goroutine waits for a timer that keeps requests waiting, over others or for more
	// to come; zero where they wait for it themselves.
	Clock unpark.Site
	// Paced says that the goroutine at Clock lets one of several that wait go each time.
	Paced bool

	// Plausible says that the figures fit waits of requests that were answered. A worker
	// that is parked in a place which no catalogue knows looks like a request by its stack;
	// its figures do not.
	Plausible bool
	// Starved says that it is a wait for goroutines that wait for a processor themselves.
	Starved bool
	// Explained says, of a join, that what the goroutines do that it joins accounts for it:
	// waiting of their own, or computing.
	Explained bool
	// Served says, of a join, that those that end it are idle until it begins, and then
	// sleep or compute for it alone.
	Served bool
	// InVain says, of a wait for a place, that all are woken for one that is given back, and most wait again.
	InVain bool
	// Loops says that the places are goroutines, Busy of them with the entry Within, which serve
	// one request after another: those behind wait in none.
	Loops bool
}

// Lost is the time, in seconds, that requests take longer for it.
func (w Wait) Lost() float64 { return w.Delay + w.Requeue }

// Function is where it waits.
func (w Wait) Function() string { return w.Heaviest.Waiter.Function }

// Covers reports whether the waits in a function are part of this one.
func (w Wait) Covers(function string) bool {
	is := func(other Wait) bool { return other.Function() == function }
	return is(w) || slices.ContainsFunc(w.Beside, is) || slices.ContainsFunc(w.Between, is)
}

// ExplainedBy reports whether another wait is long enough to be the cause of this one.
func (w Wait) ExplainedBy(other Wait) bool { return other.Lost() >= explainedBy*w.Lost() }

// Overlaps reports that a wait and others do not fit one after the other into a request's
// time: they are at the same time.
func (w Wait) Overlaps(m *Model, others ...Wait) bool {
	share := m.Share(w.Delay).Or(0)
	for _, other := range others {
		share += m.Share(other.Delay).Or(0)
	}
	return share > overlap
}

// add joins a wait for the same thing in another function.
func (w *Wait) add(other Wait) {
	w.Delay += other.Delay
	w.Requeue += other.Requeue
	w.Count += other.Count
	w.Seen += other.Seen
	w.Sources = maps.Clone(w.Sources)
	for source, delay := range other.Sources {
		w.Sources[source] += delay
	}
	w.Beside = append(w.Beside, other)
}

// waits returns the request-path waits of some classes, largest first, one row a function.
// Those of the background and idle ones are left out: they delay no request.
func waits(m *Model, classes ...unpark.WaitClass) []Wait {
	byFunction := map[string]*Wait{}
	for _, w := range m.Ev.Waits {
		if w.Side != unpark.RequestPath || w.Idle || w.Delay <= 0 || !slices.Contains(classes, w.Class) || m.Itself.Asks(w) {
			continue
		}
		p := byFunction[w.Waiter.Function]
		if p == nil {
			p = &Wait{Sources: map[string]float64{}}
			byFunction[w.Waiter.Function] = p
		}
		if w.Delay > p.Heaviest.Delay {
			p.Heaviest = w
		}
		p.Delay += w.Delay
		p.Count += w.Count
		p.Seen += m.Sightings(w)
		p.Sources[w.Source] += w.Delay
	}
	out := make([]Wait, 0, len(byFunction))
	for _, p := range byFunction {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b Wait) int {
		return cmp.Or(cmp.Compare(b.Delay, a.Delay), cmp.Compare(a.Heaviest.Waiter.Function, b.Heaviest.Waiter.Function))
	})
	for i := range out {
		assess(m, &out[i])
	}
	return out
}

// assess says what the figures of a wait are worth.
func assess(m *Model, w *Wait) {
	w.Plausible = plausible(m, *w)
	if w.Heaviest.Class.Joins() || w.Heaviest.Class == unpark.WaitPool {
		w.Requeue = requeued(m, w.Count)
	}
	w.Starved = starvedWait(m, *w)
}

// plausible see Wait.Plausible.
func plausible(m *Model, w Wait) bool {
	if w.Heaviest.Count > 0 && m.Load != nil && m.Load.Response.N > 0 && w.Delay/w.Count > m.Load.Response.Max {
		return false // one wait lasts longer than the longest request
	}
	if !w.Heaviest.Class.Joins() {
		return true
	}
	if _, finished := w.Sources[unpark.KindBlock.File()]; !finished && m.Present(unpark.KindBlock) {
		return false // the block profile records every such wait that ends: none did
	}
	if beside(m, w) {
		return false
	}
	return m.Share(w.Delay).Or(0) <= fitsRequests
}
