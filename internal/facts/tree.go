package facts

import (
	"cmp"
	"iter"
	"slices"

	"github.com/unpark-go/unpark"
)

// Tree is what the stacks of the request path cost, joined from the outermost frame
// inwards: seconds of CPU, or bytes. Frames that own no cost are left out, and what they
// take belongs to the frame that called them: the runtime, what only carries out what it
// is asked for, and the inside of a package of Go.
type Tree struct {
	Total float64
	Roots []*Node // below the server, or where goroutines begin; largest first
}

// Node is one function below its callers.
type Node struct {
	Site   unpark.Site // the line that most of it goes through
	App    bool        // a function of the application
	Value  float64     // of all stacks that run through it here
	Malloc float64     // of it, what the allocator and the collector's assists take themselves
	Kernel float64     // of it, what system calls take
	Files  float64     // of that, calls that open, close and ask for files
	Handed float64     // of it, what operations of channels take
	Moved  float64     // of it, what clearing and copying memory takes, outside of the allocator
	Grown  float64     // of it, what making buffers larger takes that are written to
	Grower string      // a function that does that
	Joined float64     // of it, what making one string of several takes
	Joiner string      // a function that does that
	// Runtime is what of it functions of Go's runtime take that it calls itself: writing to a map, clearing memory.
	Runtime map[string]float64
	Makes   bool    // it is a constructor, by its name
	Calls   []*Node // largest first
	Caller  *Node   // nil for a root
}

// Through is what runs through a function, wherever it is called from.
func (t Tree) Through(function string) float64 {
	return t.sum(function, func(n *Node) float64 { return n.Value })
}

// Assists is what goroutines of the request path do of the collector's work, given what the allocator alone takes of all.
func (t Tree) Assists(allocator float64) float64 {
	var sum float64
	for _, n := range t.Roots {
		sum += n.Malloc
	}
	return max(0, sum-allocator)
}

// Room is what the allocator takes of what runs through a function, wherever it is called from, and
// what clearing and copying memory does.
func (t Tree) Room(function string) float64 {
	return t.sum(function, func(n *Node) float64 { return n.Malloc + n.Moved })
}

// Grown is what of all that runs through a function makes buffers larger, and a function that does that.
func (t Tree) Grown(function string) (value float64, by string) {
	value = t.sum(function, func(n *Node) float64 {
		by = cmp.Or(by, n.Grower)
		return n.Grown
	})
	return value, by
}

// Joined is what of all that runs through a function makes one string of several, and a function that does that.
func (t Tree) Joined(function string) (value float64, by string) {
	value = t.sum(function, func(n *Node) float64 {
		by = cmp.Or(by, n.Joiner)
		return n.Joined
	})
	return value, by
}

// Runtime is what functions of Go's runtime take that a function calls itself, wherever that is called from, largest first.
func (t Tree) Runtime(function string) []SiteSum {
	sums := map[string]float64{}
	t.sum(function, func(n *Node) float64 {
		for name, v := range n.Runtime {
			sums[name] += v
		}
		return 0
	})
	var out []SiteSum
	for name, v := range sums {
		out = append(out, SiteSum{Site: unpark.Site{Function: name}, Value: v})
	}
	slices.SortFunc(out, func(a, b SiteSum) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Site.Function, b.Site.Function))
	})
	return out
}

// Allocator is the tree of what the allocator takes.
func (t Tree) Allocator() Tree {
	var total float64
	roots := allocating(t.Roots, nil)
	for _, n := range roots {
		total += n.Value
	}
	return Tree{Total: total, Roots: roots}
}

func allocating(nodes []*Node, caller *Node) []*Node {
	var out []*Node
	for _, n := range nodes {
		if n.Malloc <= 0 {
			continue
		}
		own := &Node{Site: n.Site, App: n.App, Value: n.Malloc, Malloc: n.Malloc, Makes: n.Makes, Caller: caller}
		own.Calls = allocating(n.Calls, own)
		out = append(out, own)
	}
	slices.SortStableFunc(out, func(a, b *Node) int { return cmp.Compare(b.Value, a.Value) })
	return out
}

// sum adds up what the outermost nodes of a function have.
func (t Tree) sum(function string, of func(*Node) float64) float64 {
	var sum float64
	var visit func([]*Node)
	visit = func(nodes []*Node) {
		for _, n := range nodes {
			if n.Site.Function == function {
				sum += of(n)
			} else {
				visit(n.Calls)
			}
		}
	}
	visit(t.Roots)
	return sum
}

// Modules is the share of what is computed, outside of system calls, that modules with a version do, and Go's own functions for
// them, but not what of the application they call; 0 where nothing is.
func (t Tree) Modules() float64 {
	var all, modules float64
	var visit func(nodes []*Node, inside bool)
	visit = func(nodes []*Node, inside bool) {
		for _, n := range nodes {
			_, _, _, versioned := n.Site.Module()
			within := !n.App && (inside || versioned)
			self := n.Value - n.Kernel
			for _, c := range n.Calls {
				self -= c.Value - c.Kernel
			}
			if all += self; within {
				modules += self
			}
			visit(n.Calls, within)
		}
	}
	if visit(t.Roots, false); all <= 0 {
		return 0
	}
	return modules / all
}

// Self is what a function takes itself, without what it calls.
func (t Tree) Self(function string) float64 {
	return t.sum(function, func(n *Node) float64 {
		v := n.Value
		for _, c := range n.Calls {
			v -= c.Value
		}
		return v
	})
}

// Between is what runs through one function and then through another.
func (t Tree) Between(outer, inner string) float64 {
	var sum float64
	var visit func(nodes []*Node, below bool)
	visit = func(nodes []*Node, below bool) {
		for _, n := range nodes {
			if below && n.Site.Function == inner {
				sum += n.Value
				continue
			}
			visit(n.Calls, below || n.Site.Function == outer)
		}
	}
	visit(t.Roots, false)
	return sum
}

// Stack is the node's function and those that call it, leaf first.
func (n *Node) Stack() []unpark.Site {
	var out []unpark.Site
	for at := n; at != nil; at = at.Caller {
		out = append(out, at.Site)
	}
	return out
}

// Line is the last line of the application on the way to a node: its own, or that of a
// caller; that of the outermost function where none is the application's.
func (n *Node) Line() unpark.Site {
	at := n
	for !at.App && at.Caller != nil {
		at = at.Caller
	}
	return at.Site
}

// Each yields the nodes below, each before those that it calls.
func (n *Node) Each() iter.Seq[*Node] {
	return func(yield func(*Node) bool) { n.visit(yield) }
}

func (n *Node) visit(yield func(*Node) bool) bool {
	for _, c := range n.Calls {
		if !yield(c) || !c.visit(yield) {
			return false
		}
	}
	return true
}

// Below is what runs through each function below one, largest first.
func (t Tree) Below(function string) []SiteSum {
	at := map[string]int{}
	var out []SiteSum
	var visit func(nodes []*Node, below []string)
	visit = func(nodes []*Node, below []string) {
		for _, n := range nodes {
			name := n.Site.Function
			switch {
			case name == function && below == nil:
				visit(n.Calls, []string{name})
				continue
			case below == nil:
				visit(n.Calls, nil)
				continue
			case !slices.Contains(below, name): // of a recursion the outermost
				i, ok := at[name]
				if !ok {
					i, out = len(out), append(out, SiteSum{Site: n.Site})
					at[name] = i
				}
				out[i].Value += n.Value
			}
			visit(n.Calls, append(slices.Clip(below), name))
		}
	}
	visit(t.Roots, nil)
	slices.SortStableFunc(out, func(a, b SiteSum) int { return cmp.Compare(b.Value, a.Value) })
	return out
}
