package exectrace_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

// between is a range of shares.
type between struct{ low, high float64 }

func (b between) holds(share float64) bool { return b.low <= share && share <= b.high }

func atLeast(low float64) between { return between{low, 1.000001} }
func atMost(high float64) between { return between{0, high} }

// verdict collects what is not as expected.
type verdict struct {
	about  string
	failed []string
	notes  []string
}

func (v *verdict) failf(format string, args ...any) {
	v.failed = append(v.failed, v.about+": "+fmt.Sprintf(format, args...))
}

func (v *verdict) notef(format string, args ...any) {
	v.notes = append(v.notes, v.about+": "+fmt.Sprintf(format, args...))
}

// expected is what must be said of the requests of one route.
type expected struct {
	route string
	count int
	// vector is the share of states in the wall time of all of them.
	vector map[exectrace.State]between
	// mostly is a set of states, together gives their share.
	mostly   []exectrace.State
	together between
	waits    []wait
	chains   []chain
	blamed   between // share of the wall time for which somebody is named; zero: any
	served   between // share of the blamed waits in which the holder worked for them alone; zero: any
}

// wait is a place where requests wait and one that makes them wait. Functions are
// those that must be on the stack.
type wait struct {
	state          exectrace.State
	waiter, holder string
	share          between // of the route's time in the state
	held           []held
}

// held is what holders do meanwhile, as a share of all that they did.
type held struct {
	state exectrace.State
	at    string
	share between
}

// chain is a wait of somebody else that the route's requests are blocked behind.
type chain struct {
	state          exectrace.State
	waiter, holder string
	share          between // of the route's time in State of
	of             exectrace.State
	held           []held
}

// check compares a cohort of requests with what is expected.
func (e expected) check(v *verdict, tr *exectrace.Trace, requests []exectrace.Request) {
	if len(requests) != e.count {
		v.failf("%d requests, want %d", len(requests), e.count)
	}
	var wall, blamed int64
	spent := map[exectrace.State]int64{}
	for _, r := range requests {
		wall += r.Wall
		for _, s := range r.Spent {
			spent[s.State] += s.Time
		}
		for _, b := range r.Waits {
			blamed += b.Time
		}
	}
	v.notef("%d ms: %s", wall/1e6, vector(spent, wall))
	for s, want := range e.vector {
		if got := share(spent[s], wall); !want.holds(got) {
			v.failf("%s is %.3f of the wall time, want %.2f to %.2f (%s)", s.Class(), got, want.low, want.high, vector(spent, wall))
		}
	}
	var sum int64
	for _, s := range e.mostly {
		sum += spent[s]
	}
	if got := share(sum, wall); e.mostly != nil && !e.together.holds(got) {
		v.failf("%d states together are %.3f of the wall time, want %.2f to %.2f (%s)", len(e.mostly), got, e.together.low, e.together.high, vector(spent, wall))
	}
	if got := share(blamed, wall); e.blamed != (between{}) && !e.blamed.holds(got) {
		v.failf("somebody is named for %.3f of the wall time, want %.2f to %.2f", got, e.blamed.low, e.blamed.high)
	}
	if got := servedShare(tr, requests); e.served != (between{}) && !e.served.holds(got) {
		v.failf("%.3f of the waits are for somebody who worked for them alone, want %.2f to %.2f\n%s", got, e.served.low, e.served.high, describe(tr))
	}
	for _, w := range e.waits {
		w.check(v, tr, requests, spent[w.state])
	}
	for _, c := range e.chains {
		c.check(v, tr, spent[c.of])
	}
}

// merge checks the states of all inferred requests as one.
func (e expected) merge(v *verdict, tr *exectrace.Trace) {
	one := expected{vector: e.vector, count: int(tr.Inferred.Count)}
	one.check(v, tr, tr.Inferred.Slowest)
}

// servedShare sums the edges that requests waited at.
func servedShare(tr *exectrace.Trace, requests []exectrace.Request) float64 {
	seen := map[int32]bool{}
	var served, all int64
	for _, r := range requests {
		for _, b := range r.Waits {
			if e := tr.Edges[b.Edge]; !seen[b.Edge] {
				seen[b.Edge] = true
				served, all = served+e.Served, all+e.Delay
			}
		}
	}
	return share(served, all)
}

func (w wait) check(v *verdict, tr *exectrace.Trace, requests []exectrace.Request, total int64) {
	var sum int64
	var edges []exectrace.Edge
	seen := map[int32]bool{}
	for _, r := range requests {
		for _, b := range r.Waits {
			e := tr.Edges[b.Edge]
			if e.State != w.state || !on(tr, e.Waiter, w.waiter) || !on(tr, e.Holder, w.holder) {
				continue
			}
			sum += b.Time
			if !seen[b.Edge] {
				seen[b.Edge] = true
				edges = append(edges, e)
			}
		}
	}
	if got := share(sum, total); !w.share.holds(got) {
		v.failf("%s at %s because of %s is %.3f of the time in that state, want %.2f to %.2f\n%s",
			w.state.Class(), w.waiter, w.holder, got, w.share.low, w.share.high, describe(tr))
	}
	for _, h := range w.held {
		h.check(v, tr, edges)
	}
}

func (c chain) check(v *verdict, tr *exectrace.Trace, total int64) {
	var sum int64
	var edges []exectrace.Edge
	for _, e := range tr.Edges {
		if e.State == c.state && on(tr, e.Waiter, c.waiter) && on(tr, e.Holder, c.holder) {
			sum += e.Chained
			edges = append(edges, e)
		}
	}
	if got := share(sum, total); !c.share.holds(got) {
		v.failf("blocked behind %s of %s by %s for %.3f of the wait, want %.2f to %.2f\n%s",
			c.state.Class(), c.waiter, c.holder, got, c.share.low, c.share.high, describe(tr))
	}
	for _, h := range c.held {
		h.check(v, tr, edges)
	}
}

func (h held) check(v *verdict, tr *exectrace.Trace, edges []exectrace.Edge) {
	var sum, all int64
	for _, e := range edges {
		for _, s := range e.Held {
			all += s.Time
			if s.State == h.state && (h.at == "" || on(tr, s.Stack, h.at)) {
				sum += s.Time
			}
		}
	}
	if got := share(sum, all); !h.share.holds(got) {
		v.failf("the holder spent %.3f on %s at %q, want %.2f to %.2f\n%s",
			got, h.state.Class(), h.at, h.share.low, h.share.high, describe(tr))
	}
}

func share(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// on reports whether a function of the cases is on a stack.
func on(tr *exectrace.Trace, stack int32, function string) bool {
	return slices.ContainsFunc(tr.Stacks[stack], func(s unpark.Site) bool { return s.Function == function })
}

func vector(spent map[exectrace.State]int64, wall int64) string {
	var parts []string
	for s := range exectrace.State(64) {
		if spent[s] > 0 {
			parts = append(parts, fmt.Sprintf("%s %.3f", s.Class(), share(spent[s], wall)))
		}
	}
	return strings.Join(parts, ", ")
}

// describe prints the edges of a trace.
func describe(tr *exectrace.Trace) string {
	var b strings.Builder
	for _, e := range tr.Edges {
		fmt.Fprintf(&b, "  %s at %s because of %s: delay %d ms, chained %d ms, outside %d ms, n %d\n", e.State.Class(),
			frames(tr, e.Waiter), frames(tr, e.Holder), e.Delay/1e6, e.Chained/1e6, e.Outside/1e6, e.Count)
		for _, h := range e.Held {
			fmt.Fprintf(&b, "    held: %s at %s %d ms\n", h.State.Class(), frames(tr, h.Stack), h.Time/1e6)
		}
	}
	return b.String()
}

// frames prints the first frames of main on a stack.
func frames(tr *exectrace.Trace, stack int32) string {
	var names []string
	for _, s := range tr.Stacks[stack] {
		if strings.HasPrefix(s.Function, "main.") && len(names) < 2 {
			names = append(names, s.Function)
		}
	}
	if len(names) == 0 && len(tr.Stacks[stack]) > 0 {
		return tr.Stacks[stack][0].Function
	}
	return strings.Join(names, "←")
}
