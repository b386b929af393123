package evidence

import (
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// hold is what is known of a holder.
type hold struct {
	cpu         float64 // CPU seconds of its function
	inside      float64 // of those, while it holds the lock
	below       []facts.SiteSum
	utilization unpark.Number
}

// region is the part of a function in which a lock is held, as far as lines show it:
// from where its own waiters call Lock to the last line that was seen to unlock.
// A deferred Unlock shows the line of the return.
type region struct {
	function    string
	first, last int // 0: not known
}

func (p pair) region() region {
	g := region{function: p.holder.site.Function}
	for _, w := range p.waiters {
		if w.site.Function == g.function && (g.first == 0 || w.site.Line < g.first) {
			g.first = w.site.Line
		}
	}
	if g.last = p.holder.site.Line; g.last <= g.first {
		g.last = 0 // a loop, or code on one line
	}
	if g.first == 0 && p.waiter != nil {
		if around, ok := between(p.waiter.sum.stack, p.holder.sum.stack); ok {
			return around
		}
	}
	return g
}

// between is the region of a lock that one function takes and another one lets go: in the
// one that calls both.
func between(taken, given []unpark.Site) (region, bool) {
	i, j := facts.Meeting(taken, given)
	if i < 0 || roles.Leads(taken[i].Function) {
		return region{}, false
	}
	g := region{function: taken[i].Function, first: taken[i].Line, last: given[j].Line}
	if g.last <= g.first {
		g.last = 0
	}
	return g, true
}

// inside returns the index of the frame that holds the lock in a stack, −1 when
// the stack is not within the region or is itself at the lock.
func (g region) inside(s stack) int {
	for i, at := range s.sites {
		if at.Function != g.function {
			continue
		}
		if at.Line < g.first || g.last > 0 && at.Line > g.last || i > 0 && s.catalogue.Is(s.sites[i-1].Function, roles.Locking) {
			return -1
		}
		return i
	}
	return -1
}

// hold looks below the holder: CPU samples say what it computes, dumps say what it
// waits for, and how often some goroutine is inside.
func (c contention) hold(p pair) hold {
	g := p.region()
	var out hold
	below := &sum{parts: map[string]*facts.SiteSum{}}
	for s := range c.of(unpark.KindCPU) {
		if slices.ContainsFunc(s.sites, func(at unpark.Site) bool { return at.Function == g.function }) {
			out.cpu += s.value
		}
		i := g.inside(s)
		if i >= 0 {
			out.inside += s.value
		}
		if i > 0 {
			below.part(s.sites[i-1], s.value)
		}
	}
	var inside float64
	for _, instant := range c.instants {
		for _, s := range instant {
			i := g.inside(s)
			if i < 0 || g.first == 0 && idleAt(s, i) {
				continue
			}
			inside += s.value
			// One that runs is in the CPU profile as well.
			if i > 0 && (s.label.Class != unpark.WaitUnknown || !c.has(unpark.KindCPU)) {
				below.part(waitFrame(s.sites[:i]), s.value/float64(len(c.instants))*c.seconds)
			}
		}
	}
	out.below = below.callees(maxHeld)
	out.utilization = c.utilization(p, g, inside)
	return out
}

// idleAt reports whether a goroutine waits for work in the holder's own loop.
// Where the lock is taken is not known then, and a loop rarely takes it before it
// has work.
func idleAt(s stack, i int) bool {
	return s.label.Idle && s.label.Recorded && s.label.Caller == i
}

// waitFrame returns the frame directly below the holder. The scheduler's own
// frames say nothing, so Go's entry to the wait (time.Sleep) is the least.
func waitFrame(below []unpark.Site) unpark.Site { return below[len(below)-1] }

// utilization returns the share of the window in which the lock was held: the mean
// number of goroutines inside, of each process, at most 1. Without dumps enough,
// under open load, it follows from the queue: a mean of L waiting at one server
// with random arrivals and holds means L = ρ²/(1−ρ) (M/M/1). In a closed loop the
// queue depends on the number of clients as well, so nothing is said.
func (c contention) utilization(p pair, g region, inside float64) unpark.Number {
	n := float64(len(c.instants) * c.processes)
	if len(c.instants) >= minUtilization && inside >= minInside && (g.first > 0 || g.last > 0) {
		return unpark.Num(min(1, inside/n))
	}
	if p.waiter == nil || !c.in.Plan.Mode.Open() || c.seconds <= 0 {
		return unpark.Number{}
	}
	var delay float64
	for _, w := range p.waiters {
		delay += w.sum.value
	}
	queue := delay / c.seconds / float64(c.processes)
	return unpark.Num((math.Sqrt(queue*queue+4*queue) - queue) / 2)
}
