package evidence

import (
	"cmp"
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/roles"
)

// sourceTrace is the source of a wait that execution traces show.
const sourceTrace = "trace.out"

// knows reports whether the traces hold enough requests to speak for the window.
func (ts *traces) knows() bool { return ts.count >= fewest }

// scale turns what happened inside requests of the traces into what happened in
// the window, by the number of requests, or by time where that is not known.
func (ts *traces) scale() float64 {
	switch l := ts.window.in.Window.Load; {
	case l != nil && l.Requests > 0 && ts.count > 0:
		times := l.Answered() / float64(ts.count)
		// Near its limit a service does not stand still: where requests took longer in
		// the trace than in the window, so did their waits.
		if l.Service.N > 0 && ts.wall > 0 {
			times *= min(1, l.Service.Mean/(ts.wall/float64(ts.count)))
		}
		return times
	case ts.seconds > 0:
		return ts.window.seconds / ts.seconds
	}
	return 0
}

// completed is the number of requests in the window: counted by the load, or, where
// there is none, what the traces say.
func (ts *traces) completed() unpark.Number {
	if n := ts.window.requests(); n.Known() || !ts.knows() {
		return n
	}
	return unpark.Num(float64(ts.count) * ts.scale())
}

// waits sums the waits inside requests of the traces, by place. Recorded ones
// are those that the block profile would have as well.
func (ts *traces) waits() tally[dumpPlace] {
	sums := tally[dumpPlace]{}
	if !ts.knows() {
		return sums
	}
	scale := ts.scale()
	for _, i := range ts.fair {
		for n, u := range ts.all[i].Uses {
			if u.Inside == 0 || !u.State.HasPlace() || u.State == exectrace.Internal {
				continue
			}
			sp := ts.spots[i][n]
			s := stack{catalogue: ts.window.catalogue, sites: sp.stack, label: sp.label}
			// A system call on a socket holds no thread up.
			if s.observer() || u.State == exectrace.Syscall && ts.window.catalogue.OnSocket(sp.stack) {
				continue
			}
			p := place{u.State.Class(), unpark.RequestPath, false, s.site()}
			sums.add(dumpPlace{p, u.State.EndedByAnother()}, s, seconds(u.Inside)*scale, float64(u.Count)*scale)
		}
	}
	return sums
}

// pairs joins waiters and holders as the traces show them: exactly.
func (ts *traces) pairs() []pair {
	type ends struct {
		waits   tally[endKey] // of one key
		holders tally[unpark.Site]
	}
	found := map[endKey]*ends{}
	scale := ts.scale()
	for _, i := range ts.fair {
		for _, e := range ts.all[i].Edges {
			w, h := ts.spots[i][e.Waiter], ts.spots[i][e.Holder]
			if e.State != exectrace.Lock || e.Delay == 0 || w.label.Side == unpark.ObserverSide {
				continue
			}
			// Whatever waits inside a request delays it, whatever its stack says.
			label := profile.Label{Side: unpark.RequestPath}
			waiter := stack{catalogue: ts.window.catalogue, sites: w.stack, label: label}
			k := endKey{waiter.lockType(), w.site}
			if found[k] == nil {
				found[k] = &ends{tally[endKey]{}, tally[unpark.Site]{}}
			}
			f := found[k]
			delay := seconds(e.Delay) * scale
			f.waits.add(k, waiter, delay, float64(e.Count)*scale)
			f.holders.add(h.site, stack{sites: h.stack, label: label}, delay, float64(e.Count)*scale)
		}
	}
	var out []pair
	for k, f := range found {
		w := end{k.typ, k.site, f.waits[k]}
		p := pair{typ: k.typ, waiter: &w, released: w.sum.value, agreement: unpark.Num(1), waiters: []end{w}}
		if h, ok := f.holders.main(w.sum.value); ok {
			p.holder, p.releases = &end{k.typ, h, f.holders[h]}, f.holders[h].count
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b pair) int {
		return cmp.Or(cmp.Compare(b.released, a.released), compareSites(a.waiter.site, b.waiter.site), cmp.Compare(a.typ, b.typ))
	})
	return out
}

// main returns the key that has most of a total, if one does.
func (t tally[K]) main(total float64) (best K, ok bool) {
	var most float64
	for k, v := range t.all() {
		if v.value > most {
			best, most = k, v.value
		}
	}
	return best, most >= mainHolder*total
}

// waitEnds says how waits ended: what part of their time in requests the deadlines of their contexts ended, and what part of those
// that contexts can end, also outside of requests, they did.
type waitEnds struct {
	late, givenUp float64
	wrote         float64 // writes to clients in the same function, for each wait
}

// howEnded returns that by place; of what traces hold too little it is left out.
func howEnded(ts *traces) map[waitIn]waitEnds {
	type sums struct{ inside, late, all, number, may, givenUp float64 }
	found, wrote := map[waitIn]sums{}, map[string]float64{}
	for _, i := range ts.fair {
		for n, u := range ts.all[i].Uses {
			if !u.State.HasPlace() {
				continue
			}
			if sp := ts.spots[i][n]; u.State == exectrace.Syscall && roles.On(sp.stack, roles.OwnConn) && roles.On(sp.stack, roles.Write) {
				wrote[sp.site.Function] += float64(u.Count)
				continue
			}
			k := waitIn{u.State.Class(), ts.spots[i][n].site.Function}
			s, may := found[k], 0.0
			if u.GivenUp > 0 { // no context ends what waits elsewhere: for the body, or until it is closed
				may = float64(u.Ended)
			}
			found[k] = sums{
				s.inside + seconds(u.Inside), s.late + seconds(u.Late), s.all + seconds(u.Inside+u.Outside),
				s.number + float64(u.Ended), s.may + may, s.givenUp + float64(u.GivenUp),
			}
		}
	}
	out := map[waitIn]waitEnds{}
	for k, s := range found {
		if (s.givenUp > 0 || wrote[k.function] > 0) && s.all >= enoughTraced {
			out[k] = waitEnds{s.late / max(s.inside, enoughTraced), s.givenUp / max(s.may, 1), wrote[k.function] / s.number}
		}
	}
	return out
}

// stops sums how long the world was stopped, by the function that did it.
func (ts *traces) stops() []facts.Stop {
	sums := tally[unpark.Site]{}
	var span float64
	for _, i := range ts.fair {
		span += ts.all[i].Seconds
		for _, n := range slices.Sorted(maps.Keys(ts.all[i].Stops)) {
			h, sp := ts.all[i].Stops[n], ts.spots[i][n]
			if s := (stack{catalogue: ts.window.catalogue, sites: sp.stack, label: sp.label}); len(sp.stack) > 0 && !s.observer() {
				sums.add(sp.site, s, seconds(h.Sum), float64(h.N))
			}
		}
	}
	var out []facts.Stop
	for site, v := range sums.all() {
		out = append(out, facts.Stop{Site: site, Call: v.stack[0], Share: v.value / span, Rate: v.count / span, Stack: clip(v.stack)})
	}
	return largest(out, func(s facts.Stop) float64 { return s.Share }, func(s facts.Stop) unpark.Site { return s.Site })
}

// starts sums the goroutines that are started, by the function that asks for them: what starts them
// for it, such as an errgroup, is passed over.
func (ts *traces) starts() []facts.SiteSum {
	sums := map[string]facts.SiteSum{}
	var span float64
	for _, i := range ts.fair {
		t := ts.all[i]
		span += t.Seconds
		for _, creators := range t.Starts {
			for n, count := range creators {
				if len(t.Stacks[n]) == 0 {
					continue
				}
				// Go's own packages start what they are asked to; where there is nothing else, they ask.
				at := max(0, slices.IndexFunc(t.Stacks[n], func(s unpark.Site) bool {
					return !roles.Is(s.Function, roles.Standard) && !roles.Is(s.Function, roles.Extended) && !roles.Is(s.Function, roles.Starter)
				}))
				site := t.Stacks[n][at]
				sums[site.Function] = facts.SiteSum{Site: site, Value: sums[site.Function].Value + float64(count)}
			}
		}
	}
	var out []facts.SiteSum
	for _, s := range sums {
		out = append(out, facts.SiteSum{Site: s.Site, Value: s.Value / max(span, 1e-9)})
	}
	out = largest(out, func(s facts.SiteSum) float64 { return s.Value }, func(s facts.SiteSum) unpark.Site { return s.Site })
	return out[:min(len(out), maxStarts)]
}
