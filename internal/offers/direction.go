package offers

import (
	"go/ast"
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// direction is what a goroutine waits for at a channel.
type direction int

const (
	anyWay    direction = iota // it is not known, or a place of a pool, which is taken out of a channel as often as it is put in
	sending                    // for room
	receiving                  // for what another goroutine sends
	selecting                  // for one of several
)

// directionOf says what is waited for by the function of the runtime on a stack. A receiver waits since a channel is empty, and no capacity ends that.
func directionOf(f unpark.Finding, stack []unpark.Site) direction {
	if f.Class == unpark.ClassPool || !waits(f.Class) {
		return anyWay
	}
	for _, s := range stack {
		switch of := roles.Of(s.Function); {
		case of.Is(roles.Send):
			return sending
		case of.Wait == unpark.WaitSelect:
			return selecting
		case of.Wait == unpark.WaitChannel && of.Receives:
			return receiving
		case !of.Is(roles.Runtime):
			return anyWay
		}
	}
	return anyWay
}

// sentTo is the channels at which a function waits for room: it sends to them, in a select where it waits in one. A select with a default does not wait.
func sentTo(n ast.Node, way direction) map[string]bool {
	on := map[string]bool{}
	within := func(all []ast.Stmt) {
		for _, s := range all {
			maps.Copy(on, sentTo(s, way))
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectStmt:
			for _, c := range n.Body.List {
				c := c.(*ast.CommClause)
				if s, ok := c.Comm.(*ast.SendStmt); ok && way == selecting && !hasDefault(n) {
					on[lastName(s.Chan)] = true
				}
				within(c.Body)
			}
			return false
		case *ast.SendStmt:
			if way == sending {
				on[lastName(n.Chan)] = true
			}
		}
		return true
	})
	delete(on, "")
	return on
}

// hasDefault reports whether a select has a default.
func hasDefault(s *ast.SelectStmt) bool {
	return slices.ContainsFunc(s.Body.List, func(c ast.Stmt) bool { return c.(*ast.CommClause).Comm == nil })
}

// widened is the channels of a function whose capacity bounds a wait there, and those at which it has nothing to do with that. Where what makes a channel
// fills it, it has so many places as it has capacity.
func widened(p *source, d *ast.FuncDecl, way direction) (bounds, others []string) {
	all := slices.Sorted(maps.Keys(touched(d.Body)))
	if way == anyWay {
		return all, nil
	}
	sent := sentTo(d.Body, way)
	for _, name := range all {
		if sent[name] || slices.ContainsFunc(p.channels()[name], func(c made) bool { return sentTo(c.in, sending)[name] }) {
			bounds = append(bounds, name)
		} else {
			others = append(others, name)
		}
	}
	return bounds, others
}
