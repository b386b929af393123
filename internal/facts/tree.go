package facts

import (
	"iter"

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
	Calls  []*Node     // largest first
	Caller *Node       // nil for a root
}

// Through is what runs through a function, wherever it is called from.
func (t Tree) Through(function string) float64 {
	var sum float64
	var visit func([]*Node)
	visit = func(nodes []*Node) {
		for _, n := range nodes {
			if n.Site.Function == function {
				sum += n.Value
			} else {
				visit(n.Calls)
			}
		}
	}
	visit(t.Roots)
	return sum
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
