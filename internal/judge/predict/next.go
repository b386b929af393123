package predict

import (
	"cmp"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// next returns what binds once the cut is made, at the new throughput (a ratio)
// and the new mean response in seconds. What is full is so as in the verdict.
func (s scene) next(c cut, gain, mean float64) unpark.LimitKind {
	if !c.binds && s.limit.Kind != unpark.LimitNone && s.limit.Kind != unpark.LimitUnknown && s.limit.Kind != "" {
		return s.limit.Kind // the ceiling is elsewhere, and stays
	}
	after := s.rate * gain
	if cpu := s.kept(c, gain).sum().value; s.cores > 0 && cpu > 0 && after*cpu/s.cores >= model.Saturated {
		if s.limit.Kind == unpark.LimitQuota {
			return unpark.LimitQuota
		}
		return unpark.LimitCPU
	}
	for _, st := range s.locks {
		if st != c.station && after*st.demand >= model.Saturated {
			return unpark.LimitLock
		}
	}
	if k := s.largestWait(c, mean); k != "" {
		return k
	}
	if !s.open && c.binds && cpuLike(s.limit.Kind) {
		return s.limit.Kind
	}
	return unpark.LimitNone
}

// largestWait returns the limit that another wait makes when it fills half of
// what a request then takes; "" when none does.
func (s scene) largestWait(c cut, mean float64) unpark.LimitKind {
	sums := map[unpark.LimitKind]float64{}
	for _, w := range s.m.Ev.Waits {
		k := limitOf(w.Class)
		// A sleep in an open loop that keeps up is part of the answer, as in the verdict.
		if w.Class == unpark.WaitSleep && s.open && !s.overloaded {
			continue
		}
		if k == "" || w.Side != unpark.RequestPath || w.Idle {
			continue
		}
		v, _ := s.m.PerRequest(w.Delay).Get()
		sums[k] += v
	}
	var best unpark.LimitKind
	for _, k := range []unpark.LimitKind{unpark.LimitLock, unpark.LimitPool, unpark.LimitDownstream, unpark.LimitIO, unpark.LimitRateLimit, unpark.LimitChannel} {
		rest := sums[k]
		if c.wait.value > 0 && c.binds && k == cmp.Or(c.as, s.limit.Kind) {
			rest -= c.wait.value
		}
		if rest >= mean/2 && (best == "" || rest > sums[best]) {
			best = k
		}
	}
	if c.binds && best != "" && best == c.as {
		return s.limit.Kind // the same wait, of which a part stays
	}
	return best
}

// countedAs is the limit that the wait of a finding makes by its class in the evidence:
// a wait for calls may be a join for who makes them. Empty when it is not there.
func (s cuts) countedAs(f unpark.Finding) unpark.LimitKind {
	if f.Waiter == nil || f.Class != unpark.ClassIO && f.Class != unpark.ClassDownstream {
		return ""
	}
	var most facts.Wait
	for _, w := range s.m.Ev.Waits {
		if w.Side == unpark.RequestPath && !w.Idle && w.Waiter.Function == f.Waiter.Function && w.Delay > most.Delay {
			most = w
		}
	}
	return limitOf(most.Class)
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
