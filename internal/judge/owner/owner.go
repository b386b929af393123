package owner

import (
	"cmp"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// Owner is the function that owns a cost: where the way from the server inwards forks, or
// ends.
type Owner struct {
	Culprit unpark.Site // in whichever module
	App     bool        // it is the application's
	// With are the other functions of the culprit's library that the application's function
	// calls beside it, largest first, where only together they have most of the cost.
	With   []facts.SiteSum
	Value  float64 // s of CPU, or bytes, of all that runs through it, but for what other owners have
	Malloc float64 // share of it that the allocator takes itself
	Kernel float64 // share of it that system calls take
	Files  float64 // share of it that they take to open, close and ask for files
	Makes  bool    // the culprit is a constructor
	// Site is the last line of the application on the way to it; the outermost function
	// where there is none.
	Site  unpark.Site
	Way   []facts.SiteSum // from below Site to the culprit, outermost first, with what runs through each
	Into  []facts.SiteSum // what the culprit calls, largest first
	From  []facts.SiteSum // lines of the application that reach it, the site first; none if there is no other
	Stack []unpark.Site   // the culprit, and what called it, leaf first
}

// group is one function wherever it is called from, or several of one library that the same
// function calls, without what runs through some others.
type group struct {
	function string
	beside   []string // of its library, smaller than it
	nodes    []*facts.Node
	value    float64
	// begin is what the way had of the cost where it left the application, or a fork: 0 at
	// the root.
	begin   float64
	without []string
}

// of is what a node has of the group's cost.
func (g group) of(n *facts.Node) float64 {
	if len(g.without) == 0 {
		return n.Value
	}
	v := n.Value
	var visit func(*facts.Node)
	visit = func(n *facts.Node) {
		for _, c := range n.Calls {
			if slices.Contains(g.without, c.Site.Function) {
				v -= c.Value
			} else {
				visit(c)
			}
		}
	}
	visit(n)
	return v
}

// Find returns who owns a cost of which a share of the whole is worth a name, the
// largest first. It descends from the server inwards while one function has most of what
// is left, whichever way leads there, and stops where that forks. Between handlers, and
// between functions of the application, it follows each way that is worth a name.
//
// With parts, the libraries that the first function of the application calls are followed
// as well: they are the parts of a request. Without, what they cost is that function's.
func Find(t facts.Tree, least float64, parts bool) []Owner {
	if t.Total <= 0 {
		return nil
	}
	d := descent{least: least * t.Total, parts: parts}
	for _, root := range t.Roots {
		d.whole += mostOfAll * root.Value
	}
	all := group{nodes: []*facts.Node{{Value: t.Total, Calls: t.Roots}}, value: t.Total}
	d.meet(t.Roots)
	for _, o := range d.found {
		all.without = append(all.without, o.Culprit.Function)
		all.value -= o.Value
	}
	d.walk(all)
	d.spread(t.Roots)
	slices.SortStableFunc(d.found, func(a, b Owner) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Culprit.Function, b.Culprit.Function))
	})
	return d.found
}

// descent looks for owners.
type descent struct {
	least, whole float64
	parts        bool
	found        []Owner
}

// walk finds the owners at or below a group, and returns what those have of it.
func (d *descent) walk(g group) float64 {
	if g.constructs() {
		return d.own(g, g.arms(), 0, 0)
	}
	var owned, libraries float64
	take := func(below group) (owner bool) {
		got := d.walk(below)
		owned += got
		if !below.app() {
			libraries += got
		}
		return got > 0
	}
	rest := g
	next, ok := g.dominant()
	if !ok && !(g.entry() && d.parts) { // parts are told one by one
		next, ok = g.library()
	}
	if ok && d.forks(g, next) {
		return d.own(g, g.arms(), 0, 0)
	}
	if ok {
		take(next)
		rest.without = append(append(slices.Clone(g.without), next.function), next.beside...)
	}
	var into []group
	for _, arm := range rest.arms() {
		// What another function of the application calls is how it does its own part, unless
		// it is the application's as well.
		if arm.value < d.least || !arm.app() && !(g.entry() && (d.parts || !g.app())) || !take(arm) {
			into = append(into, arm)
		}
	}
	return owned + d.own(g, into, owned, libraries)
}

// forks reports whether a library's function has a part beside the one of its own package that has most of it, that is worth a name as
// well: it is one call of the application, and one cause.
func (d *descent) forks(g, next group) bool {
	return !g.app() && g.function != "" && !next.app() && unpark.PackageOf(g.function) == unpark.PackageOf(next.function) && g.value-next.value >= d.least && !g.entry()
}

// app reports whether a group is a function of the application.
func (g group) app() bool { return g.nodes[0].App && g.function != "" }

// constructs reports whether a group is a library's constructor that the application calls:
// what it makes can be made once and kept, whatever making it takes.
func (g group) constructs() bool {
	return g.function != "" && !slices.ContainsFunc(g.nodes, func(n *facts.Node) bool {
		return !n.Makes || n.App || n.Caller == nil || !n.Caller.App
	})
}

// entry reports whether a group lies between the server and the second function of the
// application.
func (g group) entry() bool { return !slices.ContainsFunc(g.nodes, beyond) }

// beyond reports whether a function of the application is above.
func beyond(n *facts.Node) bool {
	for c := n.Caller; c != nil; c = c.Caller {
		if c.App {
			return true
		}
	}
	return false
}

// dominant returns the function below a group that has most of it: of several, which call
// each other, the outermost.
func (g group) dominant() (group, bool) {
	all := g.below(func(n *facts.Node) bool { return true })
	most := descendShare * g.value
	if len(g.beside) > 0 {
		most = mostOfAll * g.value // else what the others do would be told of their caller
	}
	if len(all) == 0 || all[0].value < most {
		return group{}, false
	}
	next := all[0]
	next.begin = g.begin
	if next.app() || g.begin == 0 {
		next.begin = next.value
	}
	return next, next.value >= keepShare*next.begin
}

// is reports whether a function is of the group.
func (g group) is(function string) bool {
	return function == g.function || slices.Contains(g.beside, function)
}

// arms are the functions that a group calls itself, also where it was called by itself.
func (g group) arms() []group {
	out := g.below(func(n *facts.Node) bool {
		return n.Caller == nil || slices.Contains(g.nodes, n.Caller) || g.again(n.Caller)
	})
	for i := range out {
		out[i].begin = out[i].value
	}
	return out
}

// below groups the nodes below by function, largest first. Of a function that calls itself
// the outermost node counts; functions of its package through which it does so are parts of it.
func (g group) below(keep func(*facts.Node) bool) []group {
	by, parts := map[string]*group{}, map[string]bool{}
	var order []*group
	var visit func(n *facts.Node, above []string)
	visit = func(n *facts.Node, above []string) {
		for _, c := range n.Calls {
			f := c.Site.Function
			if slices.Contains(g.without, f) {
				continue
			}
			if g.is(f) && g.recurses(above) {
				for _, between := range above {
					parts[between] = true
				}
			}
			if !g.is(f) && !slices.Contains(above, f) && keep(c) {
				if by[f] == nil {
					by[f] = &group{function: f, without: g.without}
					order = append(order, by[f])
				}
				by[f].nodes = append(by[f].nodes, c)
				by[f].value += g.of(c)
			}
			visit(c, append(above, f))
		}
	}
	for _, n := range g.nodes {
		visit(n, nil)
	}
	// Stable: callers were found before those that they call.
	slices.SortStableFunc(order, func(a, b *group) int { return cmp.Compare(b.value, a.value) })
	out := make([]group, 0, len(order))
	for _, o := range order {
		if !parts[o.function] {
			out = append(out, *o)
		}
	}
	return out
}

// own makes a group, which calls others, an owner of what no function of the application further in, and no
// library that is an owner itself, has of it, and returns that. A function that has most
// of what it does done by many others is the owner of all that where it is not the whole
// of every request; a library's that mostly calls the application is not, but what that comes to.
func (d *descent) own(g group, into []group, owned, libraries float64) float64 {
	if g.function == "" {
		return 0
	}
	var below float64
	for _, n := range g.nodes {
		below += g.furtherIn(n)
	}
	value := g.value - below - libraries
	if owned == 0 && value < d.least && g.value >= d.least && !g.entry() && g.value < d.whole {
		if !g.app() && below > keepShare*g.value {
			g = g.onward()
			into = g.arms()
		}
		d.found = append(d.found, g.owner(g.value, into))
		return g.value
	}
	if value < d.least {
		return 0
	}
	d.found = append(d.found, g.owner(value, into))
	return value
}

// furtherIn is what functions of the application take below a node.
func (g group) furtherIn(n *facts.Node) float64 {
	var sum float64
	for _, c := range n.Calls {
		switch {
		case slices.Contains(g.without, c.Site.Function):
		case c.App && !g.again(c):
			sum += g.of(c)
		default:
			sum += g.furtherIn(c)
		}
	}
	return sum
}

// way returns the last function of the application above a node, or the outermost, and what
// lies between.
func way(n *facts.Node) (*facts.Node, []facts.SiteSum) {
	var out []facts.SiteSum
	at := n
	for ; !at.App && at.Caller != nil; at = at.Caller {
		out = append(out, facts.SiteSum{Site: at.Site, Value: at.Value})
	}
	slices.Reverse(out)
	return at, out
}
