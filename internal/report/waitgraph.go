package report

import (
	"cmp"
	"slices"

	"github.com/unpark-go/unpark"
)

const (
	// graphEdges bounds the picture: more than a dozen lines are not read.
	graphEdges = 12
	// graphColumns bounds chains: waiter, holder, the holder that it waits for, and
	// the one which that waits for. More would not fit a page.
	graphColumns = 4
	// heldRows is how many things that a holder did are listed.
	heldRows = 4
)

// waitGraph is waiters and holders, in columns: requests on the left, then what held
// them up, then what held that up. A place that both waits and
// holds has a box for each, so that the graph has no circles.
type waitGraph struct {
	columns [graphColumns][]*waitNode
	links   []*waitLink
	largest float64 // of the edges, in seconds
	omitted int     // edges that are not shown
}

// waitNode is a place in one column.
type waitNode struct {
	site   unpark.Site
	column int
	amount float64     // seconds of delay, of all requests
	held   []*heldPart // what it did while others waited, largest first
	out    []*waitLink
}

// heldPart is one thing that a holder did.
type heldPart struct {
	unpark.Held         // Share is of the node's amount
	amount      float64 // seconds
	out         []*waitLink
}

// waitLink is a wait, or a part of one.
type waitLink struct {
	edge     unpark.Edge
	from, to *waitNode
	part     *heldPart // of from, that this wait was in; nil for a request's own
	amount   float64   // seconds, of all requests
	chained  bool
}

// newWaitGraph takes the largest edges.
func newWaitGraph(t unpark.Tracing) *waitGraph {
	var edges []unpark.Edge
	for _, e := range t.Edges {
		if e.Delay, e.Chained = drawable(e.Delay), drawable(e.Chained); e.Delay+e.Chained > 0 {
			edges = append(edges, e)
		}
	}
	slices.SortStableFunc(edges, func(a, b unpark.Edge) int { return cmp.Compare(b.Delay+b.Chained, a.Delay+a.Chained) })
	g := &waitGraph{omitted: max(0, len(edges)-graphEdges)}
	edges = edges[:len(edges)-g.omitted]
	if len(edges) > 0 {
		g.largest = edges[0].Delay + edges[0].Chained
	}
	var chained []unpark.Edge
	for _, e := range edges {
		if e.Delay > 0 {
			g.link(e, g.node(e.Waiter, 0), nil, e.Delay, false)
		}
		if e.Chained > 0 {
			chained = append(chained, e)
		}
	}
	spent := spentWaiting(edges)
	drawn := map[int]bool{}
	for column := 1; column+1 < graphColumns; column++ {
		for i, e := range chained {
			drawn[i] = g.onward(e, column, spent[waitKey{e.Class, e.Waiter}]) || drawn[i]
		}
	}
	for i, e := range chained {
		if !drawn[i] { // behind a place that is not in the picture
			g.link(e, g.node(e.Waiter, 0), nil, e.Chained, true)
		}
	}
	g.settle()
	return g
}

// drawable is a time that can be divided by: a document may hold anything.
func drawable(v float64) float64 { return min(max(finite(v), 0), 1e12) }

func (g *waitGraph) node(s unpark.Site, column int) *waitNode {
	for _, n := range g.columns[column] {
		if n.site == s {
			return n
		}
	}
	n := &waitNode{site: s, column: column}
	g.columns[column] = append(g.columns[column], n)
	return n
}

func (g *waitGraph) link(e unpark.Edge, from *waitNode, part *heldPart, amount float64, chained bool) {
	to := g.node(e.Holder, from.column+1)
	l := &waitLink{edge: e, from: from, to: to, part: part, amount: amount, chained: chained}
	g.links = append(g.links, l)
	if part != nil {
		part.out = append(part.out, l)
	} else {
		from.amount += amount
		from.out = append(from.out, l)
	}
	to.amount += amount
	for _, h := range e.Held {
		to.did(h, heldShare(h)*amount)
	}
}

func (n *waitNode) did(h unpark.Held, amount float64) {
	for _, p := range n.held {
		if p.Class == h.Class && p.Site == h.Site && p.Call == h.Call {
			p.amount += amount
			return
		}
	}
	n.held = append(n.held, &heldPart{Held: h, amount: amount})
}

// waitKey is what joins a holder that waited with the edge of that wait.
type waitKey struct {
	class unpark.WaitClass
	site  unpark.Site
}

// spentWaiting sums the time that holders spent in each wait while others waited
// for them.
func spentWaiting(edges []unpark.Edge) map[waitKey]float64 {
	out := map[waitKey]float64{}
	for _, e := range edges {
		for _, h := range e.Held {
			out[waitKey{h.Class, h.Site}] += heldShare(h) * (e.Delay + e.Chained)
		}
	}
	return out
}

func heldShare(h unpark.Held) float64 { return min(drawable(h.Share), 1) }

// onward draws a chained edge from the holders in a column that waited there: of
// all the time that holders spent in that wait, each has its part. It reports
// whether there were any.
func (g *waitGraph) onward(e unpark.Edge, column int, spent float64) bool {
	// Less than this part of the largest wait is not seen.
	const least = 0.002
	found := false
	for _, n := range g.columns[column] {
		for _, p := range n.held {
			if p.Class != e.Class || p.Site != e.Waiter || p.amount <= 0 {
				continue
			}
			found = true
			if amount := e.Chained * p.amount / spent; amount > least*g.largest {
				g.link(e, n, p, amount, true)
			}
		}
	}
	return found
}

// settle sorts nodes and what they did, and keeps of the latter what is shown.
func (g *waitGraph) settle() {
	for _, nodes := range g.columns {
		slices.SortStableFunc(nodes, func(a, b *waitNode) int { return cmp.Compare(b.amount, a.amount) })
		for _, n := range nodes {
			slices.SortStableFunc(n.out, func(a, b *waitLink) int { return cmp.Compare(b.amount, a.amount) })
			slices.SortStableFunc(n.held, func(a, b *heldPart) int { return cmp.Compare(b.amount, a.amount) })
			for _, p := range n.held {
				p.Share = p.amount / n.amount
			}
		}
	}
}

// shown lists what a holder did most, and everything that a wait hangs on.
func (n *waitNode) shown() []*heldPart {
	var out []*heldPart
	for i, p := range n.held {
		if i < heldRows || len(p.out) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// used returns how many columns there are.
func (g *waitGraph) used() int {
	for c := range g.columns {
		if len(g.columns[c]) == 0 {
			return c
		}
	}
	return graphColumns
}
