package owner

import "github.com/unpark-go/unpark/internal/facts"

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
	return g.owner(g.value), true
}

// named returns a function below a group.
func (g group) named(function string) (group, bool) {
	all := g.below(func(n *facts.Node) bool { return n.Site.Function == function })
	if len(all) == 0 {
		return group{}, false
	}
	return all[0], true
}

// owner makes a group an owner of a value.
func (g group) owner(value float64) Owner {
	o := Owner{Value: value}
	heaviest := g.nodes[0]
	for _, n := range g.nodes {
		if n.Value > heaviest.Value {
			heaviest = n
		}
		o.Malloc, o.Kernel = o.Malloc+n.Malloc/g.value, o.Kernel+n.Kernel/g.value
	}
	o.Culprit, o.App = heaviest.Site, heaviest.App
	o.Site, o.Way = way(heaviest)
	for at := heaviest; at != nil; at = at.Caller {
		o.Stack = append(o.Stack, at.Site)
	}
	for _, arm := range g.arms() {
		o.Into = append(o.Into, facts.SiteSum{Site: arm.nodes[0].Site, Value: arm.value})
	}
	return o
}
