// Package factstest completes evidence that tests write by hand.
package factstest

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// Plant adds the trees that lists of sites amount to: each with the functions of the same
// list that its stack runs through above it, and what it calls below.
func Plant(ev facts.Evidence) facts.Evidence {
	var cpu, bytes forest
	for _, s := range ev.CPU.Sites {
		cpu.known = append(cpu.known, s.Site.Function)
	}
	for _, s := range ev.CPU.Sites {
		if s.Side == unpark.RequestPath && s.Self > 0 {
			cpu.add(s.Site, s.Stack, s.Self, s.Callees)
		}
	}
	for _, s := range ev.Signals {
		if s.ID == facts.SignalWrite || s.ID == facts.SignalRead {
			cpu.kernel(s.Site.Function, s.CPU)
		}
	}
	for _, s := range ev.Allocs {
		bytes.known = append(bytes.known, s.Site.Function)
	}
	for _, s := range ev.Allocs {
		if s.Side == unpark.RequestPath && s.Bytes > 0 {
			bytes.add(s.Site, s.Stack, s.Bytes, s.Callees)
		}
	}
	ev.CPU.Tree, ev.AllocTree = cpu.Tree, bytes.Tree
	return ev
}

// forest is a tree that is being built.
type forest struct {
	facts.Tree
	known []string
}

func (f *forest) add(site unpark.Site, stack []unpark.Site, value float64, callees []facts.SiteSum) {
	f.Total += value
	at := slices.IndexFunc(stack, func(s unpark.Site) bool { return s.Function == site.Function })
	way := []unpark.Site{site}
	for _, s := range stack[at+1:] {
		if slices.Contains(f.known, s.Function) {
			way = append(way, s)
		}
	}
	var n *facts.Node
	nodes := &f.Roots
	for _, s := range slices.Backward(way) {
		n = child(nodes, n, s)
		n.App = true
		n.Value += value
		nodes = &n.Calls
	}
	for _, c := range callees {
		if roles.Is(c.Site.Function, roles.Machinery) {
			if roles.Is(c.Site.Function, roles.Allocate) {
				for at := n; at != nil; at = at.Caller {
					at.Malloc += c.Value
				}
			}
			continue
		}
		child(nodes, n, c.Site).Value += c.Value
	}
}

func child(nodes *[]*facts.Node, caller *facts.Node, site unpark.Site) *facts.Node {
	for _, n := range *nodes {
		if n.Site.Function == site.Function {
			return n
		}
	}
	n := &facts.Node{Site: site, Caller: caller}
	*nodes = append(*nodes, n)
	return n
}

// kernel adds what the calls of a function take.
func (f *forest) kernel(function string, value float64) {
	for _, root := range f.Roots {
		for n := range (&facts.Node{Calls: []*facts.Node{root}}).Each() {
			if n.Site.Function != function {
				continue
			}
			if len(n.Calls) > 0 && !n.Calls[0].App {
				n = n.Calls[0] // makes them on its behalf
			}
			for at := n; at != nil; at = at.Caller {
				at.Kernel += value
			}
			return
		}
	}
}
