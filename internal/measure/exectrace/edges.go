package exectrace

// maxEdges and maxHeld bound what a hostile or strange trace can make grow.
const (
	maxEdges = 1 << 16
	maxHeld  = 256
)

// edges are the pairs of stacks that waited and released.
type edges struct {
	index map[edgeKey]int32
	list  []Edge
}

type edgeKey struct {
	state          State
	waiter, holder int32
}

func (e *edges) number(s State, waiter, holder int32) int32 {
	k := edgeKey{s, waiter, holder}
	if n, ok := e.index[k]; ok {
		return n
	}
	if len(e.list) >= maxEdges {
		k = edgeKey{state: s}
		if n, ok := e.index[k]; ok {
			return n
		}
	}
	n := int32(len(e.list))
	e.list = append(e.list, Edge{State: k.state, Waiter: k.waiter, Holder: k.holder})
	e.index[k] = n
	return n
}

// of returns the edge from a goroutine that waits to the release of a hold.
func (e *edges) of(g *goroutine, h *hold) *Edge { return &e.list[e.number(g.state, g.stack, h.stack)] }

// did books what a holder did.
func (e *Edge) did(s State, stack int32, d int64) {
	if d <= 0 {
		return
	}
	for i := range e.Held {
		if h := &e.Held[i]; h.State == s && h.Stack == stack {
			h.Time += d
			return
		}
	}
	if len(e.Held) >= maxHeld && (s != Unknown || stack != 0) {
		e.did(Unknown, 0, d)
		return
	}
	e.Held = append(e.Held, Spent{s, stack, d})
}

// places joins the places that use one lock, channel or group: a place that waits
// and the place that ended its wait. A trace does not name the lock itself.
type places struct {
	numbers map[uint64]int32 // by program counter
	parent  []int32
}

// join says that two places use the same thing, and returns its number.
func (p *places) join(a, b uint64) int32 {
	x, y := p.root(p.number(a)), p.root(p.number(b))
	p.parent[x] = y
	return y
}

func (p *places) number(pc uint64) int32 {
	if n, ok := p.numbers[pc]; ok {
		return n
	}
	n := int32(len(p.parent))
	p.numbers[pc] = n
	p.parent = append(p.parent, n)
	return n
}

// root returns the number that stands for all places joined with this one.
func (p *places) root(n int32) int32 {
	for p.parent[n] != n {
		p.parent[n] = p.parent[p.parent[n]]
		n = p.parent[n]
	}
	return n
}
