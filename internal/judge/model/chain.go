package model

import (
	"cmp"
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
)

const (
	// chainLinks bounds how far a chain of waits is followed.
	chainLinks = 8
	// chainLeast is the part of the first wait that is worth following further: there
	// are at most a hundred of them in each link, however many wait for one another.
	chainLeast = 0.01
	// chainAway is the part of the first wait that calls at the end of a chain must fill,
	// however much of the rest is for the want of a processor.
	chainAway = 0.3
	// ChainWaits is how many waits make an edge of a trace worth following.
	ChainWaits = 20
)

// Origin is where a chain of waits ends: what the goroutines do that keep a request
// waiting, other than wait themselves.
type Origin struct {
	Held  unpark.Held
	Share float64  // of the first wait, in which they do such a thing
	Away  float64  // of the first wait, in which they make system calls or use a connection
	Ready float64  // of the first wait, in which they want a processor
	Known float64  // of the first wait, of which the trace says what they did
	Links int      // goroutines between the request and it
	Via   []string // functions in which those between wait themselves
}

// Origin follows a wait along the edges of a trace: which goroutine ended it, what that
// one did meanwhile, what it waited for in turn. Of several ends it is the one that takes
// most of the time; one that only wants a processor does nothing. False when the trace
// does not say of most of it.
func (m *Model) Origin(classes []unpark.WaitClass, waiter string) (Origin, bool) {
	c := chain{model: m, ends: map[unpark.WaitClass]*Origin{}}
	if !c.follow(classes, waiter, 1, nil) {
		return Origin{}, false
	}
	var out Origin
	known := 1.0
	var away, ready float64
	for _, class := range slices.Sorted(maps.Keys(c.ends)) {
		switch e := c.ends[class]; {
		case class == unpark.WaitUnknown:
			known -= e.Share
			continue
		case class == unpark.WaitScheduler || class.Collects():
			ready += e.Share
			continue
		case class == unpark.WaitSyscall || class == unpark.WaitNetwork:
			away += e.Share
		}
		if e := c.ends[class]; e.Share > out.Share {
			out = *e
		}
	}
	out.Away, out.Ready, out.Known = away, ready, known
	return out, known >= BindingShare
}

// chain is the ends of a chain of waits while it is followed, by what they are.
type chain struct {
	model *Model
	ends  map[unpark.WaitClass]*Origin
}

// follow shares a part of the first wait among what the goroutines did that ended the
// waits in a function; via are the functions before it.
func (c *chain) follow(classes []unpark.WaitClass, waiter string, part float64, via []string) bool {
	edges := c.model.Edges(classes, waiter)
	var all float64
	for i, e := range edges {
		// Within a chain the waits are few: they delay requests that wait for others.
		if weight := e.Delay + e.Chained; e.Count >= ChainWaits || len(via) > 0 {
			all += weight
		} else {
			edges[i].Held = nil
		}
	}
	if all <= 0 {
		return false
	}
	for _, e := range edges {
		for _, h := range e.Held {
			share := part * (e.Delay + e.Chained) / all * h.Share
			if !c.further(h, share, via) {
				c.end(h, share, via)
			}
		}
	}
	return true
}

// further follows what a goroutine in the chain waits for; false at the end of the chain.
func (c *chain) further(h unpark.Held, part float64, via []string) bool {
	waits := h.Class == unpark.WaitLock || h.Class.Joins()
	if !waits || part < chainLeast || len(via)+1 >= chainLinks || slices.Contains(via, h.Site.Function) {
		return false
	}
	return c.follow([]unpark.WaitClass{h.Class}, h.Site.Function, part, append(slices.Clone(via), h.Site.Function))
}

// end adds what a goroutine does at the end of a chain.
func (c *chain) end(h unpark.Held, share float64, via []string) {
	e := c.ends[h.Class]
	if e == nil {
		e = &Origin{}
		c.ends[h.Class] = e
	}
	e.Share += share
	if e.Held.Share < share { // the largest of its kind stands for all
		e.Held, e.Via, e.Links = h, via, len(via)+1
		e.Held.Share = share
	}
}

// Edges returns the edges of a trace for waits of some classes in a function, the
// largest delay first.
func (m *Model) Edges(classes []unpark.WaitClass, waiter string) []unpark.Edge {
	var out []unpark.Edge
	for _, e := range m.edges[waiter] {
		if slices.Contains(classes, e.Class) {
			out = append(out, e)
		}
	}
	return out
}

// edgesBy sorts the edges of a trace by the function that waits.
func edgesBy(t *unpark.Tracing) map[string][]unpark.Edge {
	out := map[string][]unpark.Edge{}
	if t == nil {
		return out
	}
	for _, e := range t.Edges {
		out[e.Waiter.Function] = append(out[e.Waiter.Function], e)
	}
	for _, edges := range out {
		slices.SortStableFunc(edges, func(a, b unpark.Edge) int { return cmp.Compare(b.Delay+b.Chained, a.Delay+a.Chained) })
	}
	return out
}

// End returns the edge with the largest delay of the waits of requests in a
// function that a known holder ended.
func (m *Model) End(classes []unpark.WaitClass, waiter string) (unpark.Edge, bool) {
	edges := m.Edges(classes, waiter)
	i := slices.IndexFunc(edges, func(e unpark.Edge) bool { return e.Delay > 0 && !e.Holder.IsZero() })
	if i < 0 {
		return unpark.Edge{}, false
	}
	return edges[i], true
}
