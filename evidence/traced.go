package evidence

import (
	"cmp"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/exectrace"
	"github.com/unpark-go/unpark/profile"
)

// sourceTrace is the source of a wait that execution traces show.
const sourceTrace = "trace.out"

// knows reports whether the traces hold enough requests to speak for the window.
func (ts *traces) knows() bool {
	var n int64
	for _, i := range ts.fair() {
		n += ts.requests(i).Count
	}
	return n >= fewest
}

// scale turns what happened inside requests of the traces into what happened in
// the window, by the number of requests, or by time where that is not known.
func (r *reducer) scale() float64 {
	var n int64
	var longest, wall float64
	for _, i := range r.traces.fair() {
		t := r.traces.all[i]
		n += r.traces.requests(i).Count
		wall += seconds(r.traces.requests(i).Wall.Sum())
		longest = max(longest, t.Seconds)
	}
	switch l := r.in.Window.Load; {
	case l != nil && l.Requests > 0 && n > 0:
		times := float64(l.Requests) / float64(n)
		// Near its limit a service does not stand still: where requests took longer in
		// the trace than in the window, so did their waits.
		if l.Service.N > 0 && wall > 0 {
			times *= min(1, l.Service.Mean/(wall/float64(n)))
		}
		return times
	case longest > 0:
		return r.seconds / longest
	}
	return 0
}

// requests is the number of requests in the window: counted by the load, or told by
// the traces where there is none.
func (r *reducer) requests() unpark.Number {
	if l := r.in.Window.Load; l != nil {
		return unpark.Num(float64(l.Requests))
	}
	if !r.traces.knows() {
		return unpark.Number{}
	}
	var n int64
	for _, i := range r.traces.fair() {
		n += r.traces.requests(i).Count
	}
	return unpark.Num(float64(n) * r.scale())
}

// tracedWaits sums the waits inside requests of the traces, by place. Recorded ones
// are those that the block profile would have as well.
func (r *reducer) tracedWaits() tally[dumpPlace] {
	sums := tally[dumpPlace]{}
	if !r.traces.knows() {
		return sums
	}
	scale := r.scale()
	for _, i := range r.traces.fair() {
		for n, u := range r.traces.all[i].Uses {
			if u.Inside == 0 || !u.State.HasPlace() || u.State == exectrace.Internal {
				continue
			}
			sp := r.traces.spots[i][n]
			s := stack{sites: sp.stack, label: r.catalogue.Label(unpark.KindGoroutine, sp.stack)}
			if s.label.Side == unpark.ObserverSide || u.State == exectrace.Syscall && !blocksThread(sp.stack) {
				continue
			}
			p := place{u.State.Class(), unpark.RequestPath, false, s.site()}
			sums.add(dumpPlace{p, recordable(u.State)}, s, seconds(u.Inside)*scale, float64(u.Count)*scale)
		}
	}
	return sums
}

// recordable reports whether runtime/mprof.go:blockevent is called for a wait.
func recordable(s exectrace.State) bool {
	switch s {
	case exectrace.Lock, exectrace.Channel, exectrace.Select, exectrace.Cond, exectrace.WaitGroup, exectrace.Pool:
		return true
	}
	return false
}

// blocksThread reports whether a system call can hold a thread up: those of a
// socket cannot, they are non-blocking.
func blocksThread(sites []unpark.Site) bool {
	return !slices.ContainsFunc(sites, func(s unpark.Site) bool {
		return s.Function == "net.(*netFD).Read" || s.Function == "net.(*netFD).Write"
	})
}

// tracedPairs joins waiters and holders as the traces show them: exactly.
func (r *reducer) tracedPairs() []pair {
	type ends struct {
		waits   tally[endKey] // of one key
		holders tally[unpark.Site]
	}
	found := map[endKey]*ends{}
	scale := r.scale()
	for _, i := range r.traces.fair() {
		for _, e := range r.traces.all[i].Edges {
			w, h := r.traces.spots[i][e.Waiter], r.traces.spots[i][e.Holder]
			if e.State != exectrace.Lock || e.Delay == 0 || w.side == unpark.ObserverSide {
				continue
			}
			k := endKey{lockType(w.stack), w.site}
			if found[k] == nil {
				found[k] = &ends{tally[endKey]{}, tally[unpark.Site]{}}
			}
			f := found[k]
			delay := seconds(e.Delay) * scale
			// Whoever waits inside a request delays it, whatever its stack says.
			label := profile.Label{Side: unpark.RequestPath}
			f.waits.add(k, stack{sites: w.stack, label: label}, delay, float64(e.Count)*scale)
			f.holders.add(h.site, stack{sites: h.stack, label: label}, delay, float64(e.Count)*scale)
		}
	}
	var out []pair
	for k, f := range found {
		w := end{k.typ, k.site, f.waits[k]}
		p := pair{typ: k.typ, waiter: &w, released: w.sum.value, agreement: unpark.Num(1), waiters: []end{w}}
		if h, ok := f.holders.main(w.sum.value); ok {
			p.holder = &end{k.typ, h, f.holders[h]}
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b pair) int {
		return cmp.Or(cmp.Compare(b.released, a.released), compareSites(a.waiter.site, b.waiter.site))
	})
	return out
}

// main returns the key that has most of a total, if one does.
func (t tally[K]) main(total float64) (best K, ok bool) {
	var most float64
	for k, v := range t {
		if v.value > most {
			best, most = k, v.value
		}
	}
	return best, most >= mainHolder*total
}

const (
	// nobodys is the part of a wait that may lie inside requests, or block one, while
	// it counts as nobody's: requests under way at the ends of a trace are not told.
	nobodys = 0.05
	// enoughTraced is how much of a wait traces must hold to say so, in seconds.
	enoughTraced = 0.1
)

// placed moves a wait off the request path that traces find outside of requests
// and in nobody's way: a stack can look like a request's and be a flusher's.
func (r *reducer) placed(p place) place {
	if p.side != unpark.RequestPath || p.idle || !r.traces.knows() {
		return p
	}
	var inside, chained, outside float64
	for _, i := range r.traces.fair() {
		for n, u := range r.traces.all[i].Uses {
			if u.State.HasPlace() && u.State.Class() == p.class && r.traces.spots[i][n].site.Function == p.site.Function {
				inside += seconds(u.Inside)
				chained += seconds(u.Chained)
				outside += seconds(u.Outside)
			}
		}
	}
	if outside >= enoughTraced && inside+chained <= nobodys*(inside+outside) {
		p.side = unpark.Background
	}
	return p
}
