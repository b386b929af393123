package evidence

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// alone finds the holder of a lock by exclusion, where no unlock was charged with its delay: the runtime charges none to a
// queue that stood before recording began (runtime/sema.go, acquiretime). Dumps that meet goroutines at a function's Lock meet one
// goroutine of each process at most further on in that function, and mostly one: that one has the lock. Were it let go
// before, there would be as many there as come by; nil where they say anything else.
func (c contention) alone(p pair) *end {
	if p.waiter == nil || p.waiter.typ == readLock || p.waiter.typ == facts.DescriptorLock {
		return nil
	}
	g := region{function: p.waiter.site.Function, first: p.waiter.site.Line}
	found := tally[unpark.Site]{}
	queued, met, last := 0, 0.0, unpark.Site{}
	for _, instant := range c.instants {
		waiting, inside := 0.0, 0.0
		for _, s := range instant {
			if s.label.Class == unpark.WaitLock && s.caller() == p.waiter.site {
				waiting += s.value
				continue
			}
			i := g.inside(s)
			if i < 0 || idleAt(s, i) {
				continue
			}
			inside += s.value
			at := s.sites[i]
			found.add(at, s, s.value, s.value)
			if at.Line > last.Line {
				last = at
			}
		}
		if inside > float64(c.processes) {
			return nil
		}
		if waiting >= 1 {
			queued, met = queued+1, met+inside
		}
	}
	if queued < minUtilization || met < mostlyHeld*float64(queued*c.processes) {
		return nil
	}
	return &end{typ: p.waiter.typ, site: last, sum: found[last]}
}
