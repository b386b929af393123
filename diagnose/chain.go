package diagnose

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
)

const (
	// chainLinks bounds how far a chain of waits is followed.
	chainLinks = 4
	// chainWaits is how many waits make an edge of a trace worth following.
	chainWaits = 20
)

// origin is where a chain of waits ends: what the last of those who keep a request
// waiting does, other than wait for somebody itself.
type origin struct {
	held  unpark.Held
	share float64  // of the first wait
	links int      // goroutines between the request and it
	via   []string // functions in which those between wait themselves
}

// origin follows a wait along the edges of a trace: who ended it, what that one did
// meanwhile, whom it waited for in turn. False when the trace does not say.
func (r reading) origin(classes []unpark.WaitClass, waiter string) (origin, bool) {
	out := origin{share: 1}
	for out.links < chainLinks {
		e, ok := r.edgeOf(classes, waiter, out.links > 0)
		if !ok || len(e.Held) == 0 {
			return out, out.links > 0
		}
		top := e.Held[0]
		share := spentIn(e, top.Class)
		out.held, out.share, out.links = top, out.share*share, out.links+1
		if top.Class != unpark.WaitLock && !slices.Contains(joins(), top.Class) {
			return out, true
		}
		classes, waiter = []unpark.WaitClass{top.Class}, top.Site.Function
		out.via = append(out.via, waiter)
	}
	return out, true
}

// edgesOf returns the edges of a trace for waits of some classes in a function, the
// largest delay first.
func (r reading) edgesOf(classes []unpark.WaitClass, waiter string) []unpark.Edge {
	var out []unpark.Edge
	if t := r.ev.Tracing; t != nil {
		for _, e := range t.Edges {
			if slices.Contains(classes, e.Class) && e.Waiter.Function == waiter {
				out = append(out, e)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b unpark.Edge) int { return cmp.Compare(b.Delay+b.Chained, a.Delay+a.Chained) })
	return out
}

// edgeOf returns the edge with which most time was lost in a function. Of those that
// are within a chain the waits are few: they delay requests that wait for others.
func (r reading) edgeOf(classes []unpark.WaitClass, waiter string, within bool) (unpark.Edge, bool) {
	edges := r.edgesOf(classes, waiter)
	i := slices.IndexFunc(edges, func(e unpark.Edge) bool { return e.Count >= chainWaits || within && e.Chained > 0 })
	if i < 0 {
		return unpark.Edge{}, false
	}
	return edges[i], true
}

// behindCalls reports whether a join is how requests wait for another goroutine's
// system calls: a log that is synced for many, say.
func (r reading) behindCalls(p pause) (origin, bool) {
	if !slices.Contains(joins(), p.wait.Class) {
		return origin{}, false
	}
	o, ok := r.origin([]unpark.WaitClass{p.wait.Class}, p.wait.Waiter.Function)
	return o, ok && o.held.Class == unpark.WaitSyscall && o.share >= explainedBy
}

// chainFact tells where the chain behind a wait ends, when it has more than one link.
func (r reading) chainFact(classes []unpark.WaitClass, waiter string) []unpark.Fact {
	o, ok := r.origin(classes, waiter)
	if !ok || o.links < 2 || o.share < 0.1 {
		return nil
	}
	return []unpark.Fact{fact(fmt.Sprintf("at the end of the chain of waits, %d goroutines on, somebody is %s", o.links, doing(o.held)), o.share, "ratio", traceFile)}
}
