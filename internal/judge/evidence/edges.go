package evidence

import (
	"cmp"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

// end2end is what edges of all traces are summed by.
type end2end struct {
	state          exectrace.State
	waiter, holder unpark.Site
}

// link is an edge while it is summed.
type link struct {
	unpark.Edge
	top  int64
	held map[heldKey]int64 // ns
	hold exectrace.Holds

	listed bool
}

type heldKey struct {
	class      unpark.WaitClass
	site, call unpark.Site
}

// edges joins the edges of all traces by place.
func (ts *traces) edges(tail set) []unpark.Edge {
	links := map[end2end]*link{}
	of := make([][]*link, len(ts.all)) // by trace and edge
	for i, t := range ts.all {
		of[i] = make([]*link, len(t.Edges))
		for j, e := range t.Edges {
			if ts.snap[i] {
				// What the slow ones waited for is of interest, how much in all is not known.
				e.Delay, e.Chained, e.Outside, e.Served, e.Count, e.Again = 0, 0, 0, 0, 0, 0
				e.Holds = exectrace.Holds{}
			}
			of[i][j] = ts.link(links, i, e)
		}
	}
	var all float64
	for _, q := range tail.of {
		all += seconds(q.request.Wall)
		for _, b := range q.request.Waits {
			of[q.trace][b.Edge].Tail += seconds(b.Time)
		}
	}
	var out []unpark.Edge
	for _, l := range slices.Concat(of...) { // in the order of the traces, which no map has
		if l.listed || l.Delay+l.Chained+l.Tail == 0 {
			continue
		}
		l.listed = true
		l.Share = unpark.Ratio(l.Tail, all)
		if n := len(tail.of); n > 0 {
			l.Tail /= float64(n)
		}
		l.Held, l.Hold = l.shares(), holdOf(l.hold)
		out = append(out, l.Edge)
	}
	out = largest(out, func(e unpark.Edge) float64 { return e.Delay + e.Chained }, func(e unpark.Edge) unpark.Site { return e.Waiter })
	// The links of one chain have the same second each: they must not crowd out what
	// holds requests up directly.
	var direct, behind int
	return slices.DeleteFunc(out, func(e unpark.Edge) bool {
		n := &behind
		if e.Delay+e.Tail > 0 {
			n = &direct
		}
		*n++
		return *n > maxEdges
	})
}

// link adds an edge of the i-th trace.
func (ts *traces) link(links map[end2end]*link, i int, e exectrace.Edge) *link {
	w, h := ts.spots[i][e.Waiter], ts.spots[i][e.Holder]
	k := end2end{e.State, w.site, h.site}
	l := links[k]
	if l == nil {
		l = &link{Edge: unpark.Edge{Class: e.State.Class(), Waiter: w.site, Holder: h.site}, held: map[heldKey]int64{}}
		links[k] = l
	}
	if d := e.Delay + e.Chained; d >= l.top {
		l.top = d
		l.WaiterStack, l.HolderStack = clip(w.stack), clip(h.stack)
	}
	l.Delay += seconds(e.Delay)
	l.Chained += seconds(e.Chained)
	l.Outside += seconds(e.Outside)
	l.Served += seconds(e.Served)
	l.Count += e.Count
	l.Again += e.Again
	l.hold.N += e.Holds.N
	l.hold.Sum += e.Holds.Sum
	l.hold.Squares += e.Holds.Squares
	for _, s := range e.Held {
		sp := ts.spots[i][s.Stack]
		l.held[heldKey{s.State.Class(), sp.site, sp.call}] += s.Time
	}
	return l
}

// shares turns what holders did into parts of the whole.
func (l *link) shares() []unpark.Held {
	var all int64
	for _, v := range l.held {
		all += v
	}
	var out []unpark.Held
	for k, v := range l.held {
		if float64(v) >= heldLeast*float64(all) {
			out = append(out, unpark.Held{Class: k.class, Site: k.site, Call: k.call, Share: float64(v) / float64(all)})
		}
	}
	slices.SortFunc(out, func(a, b unpark.Held) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Class, b.Class), compareSites(a.Site, b.Site), compareSites(a.Call, b.Call))
	})
	return out
}

// holdOf returns mean and spread of the holds of an edge; nil when there was none.
func holdOf(h exectrace.Holds) *unpark.Hold {
	if h.N == 0 {
		return nil
	}
	n := float64(h.N)
	mean := float64(h.Sum) / n // ns
	out := &unpark.Hold{N: h.N, Mean: mean * 1e-9}
	if h.N > 1 && mean > 0 {
		// Rounding may take what is constant below zero.
		out.SCV = unpark.Num(max(0, (h.Squares-n*mean*mean)/(n-1)/(mean*mean)))
	}
	return out
}
