package compare

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// titled names a finding for a sentence: "the lock in store.Get".
func titled(f unpark.Finding) string {
	noun, _ := classOf(f.Class)
	if f.Site.IsZero() {
		return noun
	}
	return noun + " in " + unpark.ShortFunction(f.Site.Function)
}

// burden says what a finding costs in the unit in which people think of it; "" when
// nothing is known.
func burden(c unpark.Cost) string {
	for _, q := range []unpark.Quantity{c.MeanWaiters, c.CPUPerRequest, c.BytesPerRequest, c.WaitPerRequest, c.Cores, c.Goroutines} {
		v, ok := q.Value.Get()
		if !ok {
			continue
		}
		switch q.Unit {
		case "waiters":
			return units.Say(v, "waiters")
		case "s/req":
			if q == c.CPUPerRequest {
				return units.Say(v, "s") + " of CPU per request"
			}
			return units.Say(v, "s") + " of waiting per request"
		case "B/req":
			return units.Say(v, "B") + " per request"
		default:
			return units.Say(v, q.Unit)
		}
	}
	return ""
}

// burdens says what a finding cost before and costs after, in one unit.
func burdens(f unpark.Changed) (was, now string) {
	a, b := f.Costs()
	return burden(a), burden(b)
}

// binder names what binds as the subject of a sentence; "" when nothing or nothing
// known does.
func binder(k unpark.LimitKind) string {
	switch k {
	case unpark.LimitCPU:
		return "CPU"
	case unpark.LimitLock:
		return "a lock"
	case unpark.LimitChannel:
		return "a channel"
	case unpark.LimitGC:
		return "garbage collection"
	case unpark.LimitQuota:
		return "the CPU quota"
	case unpark.LimitPool:
		return "a pool"
	case unpark.LimitIO:
		return "file I/O"
	case unpark.LimitDownstream:
		return "another service"
	case unpark.LimitNetwork:
		return "the network"
	case unpark.LimitGenerator:
		return "the load generator"
	case unpark.LimitRateLimit:
		return "a rate limiter"
	case unpark.LimitConnections:
		return "the number of connections"
	default:
		return ""
	}
}

// extent says how far a limit is used: "at 1.98 of 2 cores"; "" when it is not
// known.
func extent(r unpark.Run) string {
	switch r.Limit.Kind {
	case unpark.LimitCPU, unpark.LimitGC, unpark.LimitQuota:
		used, ok := cores(r)
		if allowed := allowed(r); ok && allowed > 0 {
			return fmt.Sprintf(" at %s of %s", units.Say(used, ""), units.Say(allowed, "cores"))
		}
	}
	return ""
}

func cores(r unpark.Run) (float64, bool) {
	w := r.Measured()
	if w == nil {
		return 0, false
	}
	return sum(w, func(p unpark.Process) unpark.Number { return p.Cores })
}

func allowed(r unpark.Run) float64 {
	w := r.Measured()
	if w == nil {
		return 0
	}
	return r.Target.Cores(r.Host, *w).Or(0)
}
