package diagnose

import (
	"cmp"
	"fmt"
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
	// chainWaits is how many waits make an edge of a trace worth following.
	chainWaits = 20
)

// origin is where a chain of waits ends: what those do who keep a request waiting,
// other than wait for somebody themselves.
type origin struct {
	held  unpark.Held
	share float64  // of the first wait, in which they do such a thing
	away  float64  // of the first wait, in which they make system calls or use a connection
	ready float64  // of the first wait, in which they want a processor
	known float64  // of the first wait, of which the trace says what they did
	links int      // goroutines between the request and it
	via   []string // functions in which those between wait themselves
}

// origin follows a wait along the edges of a trace: who ended it, what that one did
// meanwhile, whom it waited for in turn. Of several ends it is the one that takes most
// of the time; those who only want a processor do nothing. False when the trace does
// not say of most of it.
func (r reading) origin(classes []unpark.WaitClass, waiter string) (origin, bool) {
	c := chain{reading: r, ends: map[unpark.WaitClass]*origin{}}
	if !c.follow(classes, waiter, 1, nil) {
		return origin{}, false
	}
	var out origin
	known := 1.0
	var away, ready float64
	for _, class := range slices.Sorted(maps.Keys(c.ends)) {
		switch e := c.ends[class]; {
		case class == unpark.WaitUnknown:
			known -= e.share
			continue
		case class == unpark.WaitScheduler || slices.Contains(collecting(), class):
			ready += e.share
			continue
		case class == unpark.WaitSyscall || class == unpark.WaitNetwork:
			away += e.share
		}
		if e := c.ends[class]; e.share > out.share {
			out = *e
		}
	}
	out.away, out.ready, out.known = away, ready, known
	return out, known >= fills
}

// chain is the ends of a chain of waits while it is followed, by what they are.
type chain struct {
	reading reading
	ends    map[unpark.WaitClass]*origin
}

// follow shares a part of the first wait among what those did who ended the waits in a
// function; via are the functions before it.
func (c *chain) follow(classes []unpark.WaitClass, waiter string, part float64, via []string) bool {
	edges := c.reading.edgesOf(classes, waiter)
	var all float64
	for i, e := range edges {
		// Within a chain the waits are few: they delay requests that wait for others.
		if weight := e.Delay + e.Chained; e.Count >= chainWaits || len(via) > 0 {
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

// further follows what somebody in the chain waits for; false at the end of the chain.
func (c *chain) further(h unpark.Held, part float64, via []string) bool {
	waits := h.Class == unpark.WaitLock || slices.Contains(joins(), h.Class)
	if !waits || part < chainLeast || len(via)+1 >= chainLinks || slices.Contains(via, h.Site.Function) {
		return false
	}
	return c.follow([]unpark.WaitClass{h.Class}, h.Site.Function, part, append(slices.Clone(via), h.Site.Function))
}

// end adds what somebody does at the end of a chain.
func (c *chain) end(h unpark.Held, share float64, via []string) {
	e := c.ends[h.Class]
	if e == nil {
		e = &origin{}
		c.ends[h.Class] = e
	}
	e.share += share
	if e.held.Share < share { // the largest of its kind stands for all
		e.held, e.via, e.links = h, via, len(via)+1
		e.held.Share = share
	}
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

// behindCalls reports whether a join is how requests wait for another goroutine's
// system calls (a log that is synced for many, say) or for the other end of a
// connection that it uses. The time in which those between want a processor is nobody's
// work; where it is most of the time, or where the waits are none of requests, it is not.
func (r reading) behindCalls(p pause) (origin, bool) {
	if !slices.Contains(joins(), p.wait.Class) || !r.delays(p) || r.starvedPause(p) {
		return origin{}, false
	}
	o, ok := r.origin([]unpark.WaitClass{p.wait.Class}, p.wait.Waiter.Function)
	away := o.held.Class == unpark.WaitSyscall || o.held.Class == unpark.WaitNetwork
	return o, ok && away && o.away >= max(chainAway, explainedBy*(o.known-o.ready))
}

// chainFact tells where the chain behind a wait ends, when it has more than one link.
func (r reading) chainFact(classes []unpark.WaitClass, waiter string) []unpark.Fact {
	o, ok := r.origin(classes, waiter)
	if !ok || o.links < 2 || o.share < 0.1 {
		return nil
	}
	out := []unpark.Fact{fact(fmt.Sprintf("at the end of the chain of waits, %d goroutines on, somebody is %s", o.links, doing(o.held)), o.share, "ratio", traceFile)}
	if o.away-o.share >= 0.1 {
		out = append(out, fact("in all, somebody makes system calls there or uses a connection", o.away, "ratio", traceFile))
	}
	if o.ready >= 0.1 {
		out = append(out, fact("along that chain, those who are waited for want a processor", o.ready, "ratio", traceFile))
	}
	return out
}
