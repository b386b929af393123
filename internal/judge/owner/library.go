package owner

import (
	"cmp"
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// library returns the functions of one library that a function of the application calls, where
// together they have most of it. Go's own packages are what everything is written with, and no
// part of a program by themselves.
func (g group) library() (group, bool) {
	if !g.app() {
		return group{}, false
	}
	by := map[string]*group{}
	var most *group
	for _, arm := range g.arms() {
		if arm.app() || roles.Is(arm.function, roles.Standard) {
			continue
		}
		of := unpark.PackageOf(arm.function)
		if by[of] == nil {
			by[of] = &group{function: arm.function, without: arm.without}
		} else {
			by[of].beside = append(by[of].beside, arm.function)
		}
		by[of].nodes = append(by[of].nodes, arm.nodes...)
		by[of].value += arm.value
		if most == nil || by[of].value > most.value {
			most = by[of]
		}
	}
	if most == nil || most.value < descendShare*g.value {
		return group{}, false
	}
	most.begin = most.value
	return *most, true
}

// spread finds libraries that several functions of the application call, each for a part that
// is worth no name, and that together are worth one: a logger, a tracer, a detector of deadlocks.
// What the application does in functions that such a library calls is its own.
func (d *descent) spread(roots []*facts.Node) {
	by := map[string]*group{}
	var order []string
	var visit func(nodes []*facts.Node)
	visit = func(nodes []*facts.Node) {
		for _, n := range nodes {
			if of := unpark.PackageOf(n.Site.Function); n.Caller != nil && n.Caller.App && !n.App && !roles.Is(n.Site.Function, roles.Standard) {
				if by[of] == nil {
					by[of] = &group{}
					order = append(order, of)
				}
				by[of].nodes = append(by[of].nodes, n)
			}
			visit(n.Calls)
		}
	}
	visit(roots)
	for _, of := range order {
		if g := by[of]; g.gather() && g.value >= d.least && !d.told(*g) {
			if callers := g.callers(); len(callers) > 1 {
				d.found = append(d.found, g.owner(g.value, g.arms()))
			}
		}
	}
}

// gather names a group by its nodes, and sums what they have without the application's part.
// False where that part is the larger one: then it is a framework that calls the application.
func (g *group) gather() bool {
	values := map[string]float64{}
	var back float64
	for _, n := range g.nodes {
		v := n.Value - g.furtherIn(n)
		values[n.Site.Function] += v
		g.value += v
		back += g.furtherIn(n)
	}
	functions := slices.SortedFunc(maps.Keys(values), func(a, b string) int {
		return cmp.Or(cmp.Compare(values[b], values[a]), cmp.Compare(a, b))
	})
	g.function, g.beside, g.begin = functions[0], functions[1:], g.value
	return back < g.value
}

// told reports whether what has been found has most of a group's cost, or is most of what
// one of them is.
func (d *descent) told(g group) bool {
	var sum float64
	for _, n := range g.nodes {
		for _, o := range d.found {
			if facts.Through(n.Stack(), o.Culprit.Function) || slices.ContainsFunc(o.Stack, func(s unpark.Site) bool { return g.is(s.Function) }) {
				sum += n.Value - g.furtherIn(n)
				break
			}
		}
	}
	return sum >= keepShare*g.value
}
