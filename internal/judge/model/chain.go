package model

import (
	"cmp"
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// Origin is where a chain of waits ends: what the goroutines that keep a request waiting
// do, other than wait for another one.
type Origin struct {
	Held  unpark.Held
	Share float64  // of the first wait, in which they do such a thing
	Away  float64  // of the first wait, in which they make system calls or use a connection
	Ready float64  // of the first wait, in which they want a processor
	Known float64  // of the first wait, of which the trace says what they did
	Links int      // goroutines between the request and it
	Via   []string // functions in which those between wait themselves

	Seconds float64 // of waiting, summed over all that wait, in which they do such a thing
}

// Origin follows a wait along the edges of a trace: what ended it, what that goroutine did
// meanwhile, what it waited for in turn. Of several ends it is the one that takes most of
// the time; goroutines that only want a processor do nothing. False when the trace does not
// say of most of it.
func (m *Model) Origin(classes []unpark.WaitClass, waiter string) (Origin, bool) {
	ends := map[unpark.WaitClass]*Origin{}
	c := chain{model: m, least: ChainWaits, end: func(h unpark.Held, share float64, via []string) {
		e := ends[h.Class]
		if e == nil {
			e = &Origin{}
			ends[h.Class] = e
		}
		e.Share += share
		if e.Held.Share < share { // the largest of its kind stands for all
			e.Held, e.Via, e.Links = h, via, len(via)+1
			e.Held.Share = share
		}
	}}
	if !c.follow(classes, waiter, 1, nil) {
		return Origin{}, false
	}
	var out Origin
	known := 1.0
	var away, ready float64
	for _, class := range slices.Sorted(maps.Keys(ends)) {
		switch e := ends[class]; {
		case class == unpark.WaitUnknown:
			known -= e.Share
			continue
		case wantsProcessor(class):
			ready += e.Share
			continue
		case class == unpark.WaitSyscall || class == unpark.WaitNetwork:
			away += e.Share
		}
		if e := ends[class]; e.Share > out.Share {
			out = *e
		}
	}
	out.Away, out.Ready, out.Known, out.Seconds = away, ready, known, out.Share*c.total
	return out, known >= BindingShare
}

// Synced follows a wait in the same way to the syncs of a disk at its ends: the part of it
// that they take, and the part in which goroutines on the way want a processor. It asks for
// the sort of call, not for the largest share, so few waits are enough; and goroutines that
// queue in one function are followed through their queue, to what its first one does.
func (m *Model) Synced(classes []unpark.WaitClass, waiter string) (synced, ready float64) {
	c := chain{model: m, queues: true, end: func(h unpark.Held, share float64, _ []string) {
		switch {
		case wantsProcessor(h.Class):
			ready += share
		case !waitsForOthers(h.Class) && (roles.Is(h.Call.Function, roles.Sync) || roles.Is(h.Site.Function, roles.Sync) || syncsIn(m.IO, h)):
			synced += share
		}
	}}
	c.follow(classes, waiter, 1, nil)
	return synced, ready
}

// syncsIn reports whether the system calls of a function are syncs, that a library makes for
// it: its own waits have the whole stack.
func syncsIn(io []Wait, h unpark.Held) bool {
	return h.Class == unpark.WaitSyscall && slices.ContainsFunc(io, func(w Wait) bool {
		return w.Calls == nil && w.Function() == h.Site.Function && roles.On(w.Heaviest.Stack, roles.Sync)
	})
}

// wantsProcessor reports whether it is the state of a goroutine that could run.
func wantsProcessor(c unpark.WaitClass) bool {
	return c == unpark.WaitScheduler || c.Collects()
}

// waitsForOthers reports whether another goroutine of the process ends such a wait.
func waitsForOthers(c unpark.WaitClass) bool { return c == unpark.WaitLock || c.Joins() }

// chain is a chain of waits while it is followed.
type chain struct {
	model  *Model
	least  int64   // waits that make an edge at its beginning worth following
	queues bool    // follow a function again where it waits for itself
	total  float64 // s of the first wait, summed over all that wait
	// end is called with what a goroutine does at an end, its part of the first wait, and
	// the functions on the way there.
	end func(h unpark.Held, share float64, via []string)
}

// follow shares a part of the first wait among what the goroutines did that ended the waits
// in a function; via are the functions before it.
func (c *chain) follow(classes []unpark.WaitClass, waiter string, part float64, via []string) bool {
	edges := c.model.Edges(classes, waiter)
	var all float64
	for i, e := range edges {
		// Within a chain the waits are few: they delay requests that wait for others.
		if weight := e.Delay + e.Chained; e.Count >= c.least || len(via) > 0 {
			all += weight
		} else {
			edges[i].Held = nil
		}
	}
	if all <= 0 {
		return false
	}
	if len(via) == 0 {
		c.total = all
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
	if !waitsForOthers(h.Class) || part < chainLeast || len(via)+1 >= chainLinks ||
		!c.queues && slices.Contains(via, h.Site.Function) ||
		h.Class != unpark.WaitLock && !endedByGoroutine(c.model, h, part*c.total) {
		return false
	}
	return c.follow([]unpark.WaitClass{h.Class}, h.Site.Function, part, append(slices.Clone(via), h.Site.Function))
}

// Edges returns the edges of a trace for waits in a function of some classes, of any where
// none is given, the largest delay first. A profile has the type arguments of a generic function, a trace has dots for
// them (runtime/symtab.go, funcNameForPrint): its instances are one.
func (m *Model) Edges(classes []unpark.WaitClass, waiter string) []unpark.Edge {
	var out []unpark.Edge
	for _, e := range m.edges[unpark.WithoutTypeArguments(waiter)] {
		if len(classes) == 0 || slices.Contains(classes, e.Class) {
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
		waiter := unpark.WithoutTypeArguments(e.Waiter.Function)
		out[waiter] = append(out[waiter], e)
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
