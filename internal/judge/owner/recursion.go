package owner

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// again reports whether a node is the group's function, which it called itself, through no others than of its package.
func (g group) again(n *facts.Node) bool {
	if !g.is(n.Site.Function) {
		return false
	}
	own := unpark.PackageOf(g.function)
	for at := n.Caller; at != nil && unpark.PackageOf(at.Site.Function) == own; at = at.Caller {
		if slices.Contains(g.nodes, at) {
			return true
		}
	}
	return false
}

// recurses reports whether functions between two calls of a group's are of its package: then
// they do one thing together. Others, such as handlers around a handler, only lie on the way.
func (g group) recurses(between []string) bool {
	own := unpark.PackageOf(g.function)
	return !slices.ContainsFunc(between, func(f string) bool { return unpark.PackageOf(f) != own })
}
