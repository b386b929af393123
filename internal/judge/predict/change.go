package predict

import (
	"cmp"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// change is a service from which a fix takes a cut: how much CPU and time is left of a
// request, and what binds then.
type change struct {
	*service
	cut cut
}

// busiest is the lock that requests queue for: the finding's own, else the busiest;
// zero when there is none.
func (c change) busiest() station {
	if c.cut.station.demand > 0 {
		st := c.cut.station
		st.wait = c.cut.wait.value
		return st
	}
	if len(c.locks) == 0 {
		return station{}
	}
	return slices.MaxFunc(c.locks, func(a, b station) int { return cmp.Compare(a.demand, b.demand) })
}

// next returns what binds at the new throughput (a ratio) and the new mean response in
// seconds. What is full is so as in the verdict.
func (c change) next(gain, mean float64) unpark.LimitKind {
	if !c.cut.binds && bound(c.limit) {
		return c.limit // the ceiling is elsewhere, and stays
	}
	after := c.rate * gain
	if cpu := c.cpuLeft(gain).sum().value; c.cores > 0 && cpu > 0 && after*cpu/c.cores >= model.Saturated {
		if c.limit == unpark.LimitQuota {
			return unpark.LimitQuota
		}
		return unpark.LimitCPU
	}
	for _, st := range c.others(c.cut.station) {
		if after*st.demand >= model.Saturated {
			return unpark.LimitLock
		}
	}
	if k := c.largestWait(mean); k != "" {
		return k
	}
	switch {
	case c.Mode.Open():
		return unpark.LimitNone
	case c.cut.binds && cpuLike(c.limit):
		return c.limit
	case c.cores > 0 && after*c.cpuLeft(gain).sum().value/c.cores >= nearlyFull:
		return unpark.LimitCPU
	default:
		return unpark.LimitConnections
	}
}

// bound reports whether a limit is something in or around the service that stays where it
// is when something else is fixed.
func bound(k unpark.LimitKind) bool {
	switch k {
	case unpark.LimitNone, unpark.LimitConnections, unpark.LimitUnknown, "":
		return false
	}
	return true
}

// largestWait returns the limit that another wait makes when it takes half of
// a request's time then; "" when none does.
func (c change) largestWait(mean float64) unpark.LimitKind {
	var best unpark.LimitKind
	var most float64
	for _, k := range []unpark.LimitKind{unpark.LimitLock, unpark.LimitPool, unpark.LimitDownstream, unpark.LimitIO, unpark.LimitRateLimit, unpark.LimitChannel} {
		all := c.waits(func(class unpark.WaitClass) bool {
			// A sleep in an open loop that keeps up is part of the answer, as in the verdict.
			return limitOf(class) == k && (class != unpark.WaitSleep || !c.steady())
		})
		rest := all
		if c.cut.wait.value > 0 && c.cut.binds && k == cmp.Or(c.cut.as, c.limit) {
			rest -= c.cut.wait.value
		}
		if rest >= mean/2 && (best == "" || rest > most) {
			best, most = k, all
		}
	}
	if c.cut.binds && best != "" && best == c.cut.as {
		return c.limit // the same wait, of which a part stays
	}
	return best
}

func limitOf(c unpark.WaitClass) unpark.LimitKind {
	switch {
	case c == unpark.WaitLock:
		return unpark.LimitLock
	case c == unpark.WaitPool:
		return unpark.LimitPool
	case c == unpark.WaitDownstream:
		return unpark.LimitDownstream
	case c == unpark.WaitSyscall:
		return unpark.LimitIO
	case c == unpark.WaitSleep || c == unpark.WaitRateLimit:
		return unpark.LimitRateLimit
	case c.Joins():
		return unpark.LimitChannel
	default:
		return ""
	}
}
