package owner

import (
	"cmp"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// meet finds functions at which ways meet that are worth no name each, and together are: an iterator that all queries
// go through, whichever handler or goroutine asks. What is handed on from there is followed to where it forks. A function
// that mostly has others of the application do it is none: it only lies on all their ways. Nor are several below one call of
// a library: they are how that call does its work, which is one cause and is told where it forks.
func (d *descent) meet(roots []*facts.Node) {
	all := outermost(roots)
	worth := map[string]bool{}
	for _, g := range all {
		worth[g.function] = g.value >= d.least && g.value < d.whole
	}
	var places []group
	within := map[[2]string][]string{}
	for _, g := range all {
		if !worth[g.function] || roles.Is(g.function, roles.Standard) || !g.meets(d.least) || g.partOf(worth) {
			continue
		}
		on := g.onward()
		places = append(places, on)
		if call, ok := on.call(); ok && !on.inside(within[call]) {
			within[call] = append(within[call], on.function)
		}
	}
	for _, on := range places {
		if call, ok := on.call(); ok && len(within[call]) > 1 {
			continue
		}
		var back float64
		for _, n := range on.nodes {
			back += on.furtherIn(n)
		}
		told := d.shared(on)
		if value := on.value - told; back <= keepShare*on.value && value >= d.least && told <= (1-mostOfAll)*on.value {
			d.found = append(d.found, on.owner(value, on.arms()))
		}
	}
}

// shared is what a group's cost has of functions that are owners, above it or below.
func (d *descent) shared(g group) float64 {
	owns := func(function string) bool {
		return slices.ContainsFunc(d.found, func(o Owner) bool { return o.Culprit.Function == function })
	}
	var below func(n *facts.Node) float64
	below = func(n *facts.Node) float64 {
		if owns(n.Site.Function) {
			return n.Value
		}
		var sum float64
		for _, c := range n.Calls {
			sum += below(c)
		}
		return sum
	}
	var sum float64
	for _, n := range g.nodes {
		if slices.ContainsFunc(n.Stack(), func(s unpark.Site) bool { return owns(s.Function) }) {
			sum += n.Value
		} else {
			sum += below(n)
		}
	}
	return sum
}

// outermost is each function with its outermost nodes, the largest first.
func outermost(roots []*facts.Node) []group {
	by := map[string]*group{}
	var order []*group
	var visit func(nodes []*facts.Node, above []string)
	visit = func(nodes []*facts.Node, above []string) {
		for _, n := range nodes {
			f := n.Site.Function
			if !slices.Contains(above, f) {
				if by[f] == nil {
					by[f] = &group{function: f}
					order = append(order, by[f])
				}
				g := by[f]
				g.nodes, g.value = append(g.nodes, n), g.value+n.Value
				g.begin = g.value
			}
			visit(n.Calls, append(above, f))
		}
	}
	visit(roots, nil)
	slices.SortStableFunc(order, func(a, b *group) int { return cmp.Compare(b.value, a.value) })
	out := make([]group, 0, len(order))
	for _, g := range order {
		out = append(out, *g)
	}
	return out
}

// meets reports whether ways meet at a group: no function calls most of it, or so much that the way there is worth a
// name.
func (g group) meets(least float64) bool {
	by := map[string]float64{}
	for _, n := range g.nodes {
		if n.Caller == nil {
			return false // where goroutines begin
		}
		by[n.Caller.Site.Function] += n.Value
	}
	for _, v := range by {
		if v >= min(least, descendShare*g.value) {
			return false
		}
	}
	return true
}

// partOf reports whether most of a group lies below one of these functions of the application, further in than its handlers:
// where that forks, it is how that one does its work.
func (g group) partOf(worth map[string]bool) bool {
	by := map[string]float64{}
	for _, n := range g.nodes {
		above := map[string]bool{}
		for at := n.Caller; at != nil; at = at.Caller {
			if f := at.Site.Function; at.App && worth[f] && !above[f] && beyond(at) {
				above[f] = true
				by[f] += n.Value
			}
		}
	}
	for _, v := range by {
		if v >= descendShare*g.value {
			return true
		}
	}
	return false
}

// inside reports whether most of a group lies below some functions, or is one of them.
func (g group) inside(functions []string) bool {
	var sum float64
	for _, n := range g.nodes {
		if slices.ContainsFunc(n.Stack(), func(s unpark.Site) bool { return slices.Contains(functions, s.Function) }) {
			sum += n.Value
		}
	}
	return sum >= descendShare*g.value
}

// call is the line of the application, by its function, and the function of a library that it calls, below which most of a group
// lies.
func (g group) call() ([2]string, bool) {
	by := map[[2]string]float64{}
	for _, n := range g.nodes {
		for at := n; at.Caller != nil; at = at.Caller {
			if at.Caller.App {
				if !at.App && at != n {
					by[[2]string{at.Caller.Site.Function, at.Site.Function}] += n.Value
				}
				break
			}
		}
	}
	for call, v := range by {
		if v >= descendShare*g.value {
			return call, true
		}
	}
	return [2]string{}, false
}

// onward is the last group on the way from one along which most of what is left is handed on, and half of what it
// began with.
func (g group) onward() group {
	for least := keepShare * g.value; ; {
		next, ok := g.dominant()
		if !ok || next.value < least {
			return g
		}
		g = next
	}
}
