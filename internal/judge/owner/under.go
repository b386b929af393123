package owner

import (
	"cmp"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// Under returns the function that most of the cost below a function goes to, as of what
// is computed while a lock is held: from its holder inwards to where that forks. The way
// begins at frame where that has most of the holder's cost. False where the tree does not
// have the holder.
func Under(t facts.Tree, holder, frame string) (Owner, bool) {
	g := group{nodes: []*facts.Node{{Calls: t.Roots}}}
	g, ok := g.named(holder)
	if !ok {
		return Owner{}, false
	}
	hold := g.value
	if inner, ok := g.named(frame); ok && inner.value >= keepShare*hold {
		g = inner
	}
	g.begin = hold
	for next, ok := g.dominant(); ok; next, ok = g.dominant() {
		g = next
	}
	return g.owner(g.value, g.arms()), true
}

// Within returns a function as the owner of what runs through it below another. False where
// nothing does.
func Within(t facts.Tree, outer, function string) (Owner, bool) {
	g, ok := group{nodes: []*facts.Node{{Calls: t.Roots}}}.named(outer)
	if !ok {
		return Owner{}, false
	}
	if g, ok = g.named(function); !ok || g.value <= 0 {
		return Owner{}, false
	}
	return g.owner(g.value, g.arms()), true
}

// named returns a function below a group.
func (g group) named(function string) (group, bool) {
	all := g.below(func(n *facts.Node) bool { return n.Site.Function == function })
	if len(all) == 0 {
		return group{}, false
	}
	return all[0], true
}

// owner makes a group, which calls others, an owner of a value.
func (g group) owner(value float64, into []group) Owner {
	o := Owner{Value: value}
	for _, n := range g.nodes {
		o.Malloc, o.Kernel, o.Files = o.Malloc+n.Malloc/g.value, o.Kernel+n.Kernel/g.value, o.Files+n.Files/g.value
	}
	for _, of := range g.beside {
		sum := facts.SiteSum{}
		for _, n := range g.nodes {
			if n.Site.Function == of {
				sum.Site, sum.Value = n.Site, sum.Value+g.of(n)
			}
		}
		o.With = append(o.With, sum)
	}
	callers := g.callers()
	heaviest := callers[0].heaviest
	for _, n := range g.nodes {
		if len(g.beside) > 0 && n.Site.Function == g.function && (heaviest.Site.Function != g.function || n.Value > heaviest.Value) {
			heaviest = n
		}
	}
	o.Culprit, o.App, o.Makes = heaviest.Site, heaviest.App, heaviest.Makes
	from, between := way(heaviest)
	o.Site, o.Way = from.Site, between
	o.Stack = heaviest.Stack()
	if from.App && !g.app() && len(callers) > 1 {
		for _, c := range callers {
			o.From = append(o.From, facts.SiteSum{Site: c.site, Value: c.value / g.value * value})
		}
	}
	for _, arm := range into {
		o.Into = append(o.Into, facts.SiteSum{Site: arm.nodes[0].Site, Value: arm.value})
	}
	return o
}

// caller is a line of the application from which a group is reached.
type caller struct {
	site     unpark.Site
	value    float64
	heaviest *facts.Node // of the group, below it
}

// callers are the functions of the application from which a group is reached, each by the line
// on its heaviest way; that with most of the cost first.
func (g group) callers() []caller {
	var out []caller
	for _, n := range g.nodes {
		from, _ := way(n)
		site := from.Site
		i := slices.IndexFunc(out, func(c caller) bool { return c.site.Function == site.Function })
		if i < 0 {
			i = len(out)
			out = append(out, caller{heaviest: n, site: site})
		}
		if n.Value > out[i].heaviest.Value {
			out[i].heaviest, out[i].site = n, site
		}
		out[i].value += g.of(n)
	}
	slices.SortStableFunc(out, func(a, b caller) int { return cmp.Compare(b.value, a.value) })
	return out
}
