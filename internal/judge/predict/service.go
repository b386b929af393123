package predict

import (
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/stats"
)

// service is what was measured, as the models of queueing see it: a load, what requests
// take of the processors, and the locks that they pass.
type service struct {
	m     *model.Model
	limit unpark.LimitKind // that binds now
	load
	processors
	locks []station
}

// observe returns the service; an error says why it has no forecast.
func observe(m *model.Model, limit unpark.LimitKind) (*service, error) {
	l, err := loadOf(m)
	if err != nil {
		return nil, err
	}
	return &service{m: m, limit: limit, load: l, processors: processorsOf(m, l), locks: stations(m, l.rate)}, nil
}

// waits is the time per request, in seconds, of the waits of some classes. Joins for
// goroutines whose own waits and CPU account for them are left out: those are counted.
func (s *service) waits(of func(unpark.WaitClass) bool) float64 {
	accounted := func(w facts.Wait) bool {
		return slices.ContainsFunc(s.m.Joins, func(j model.Wait) bool {
			return j.Explained && w.Class.Joins() && j.Function() == w.Waiter.Function
		})
	}
	var sum float64
	for _, w := range s.m.Ev.Waits {
		if s.m.Itself.Asks(w) {
			continue // what is at the other end is counted
		}
		if of(w.Class) && w.Side == unpark.RequestPath && !w.Idle && !accounted(w) {
			sum += s.m.PerRequest(w.Delay).Or(0)
		}
	}
	return sum
}

// measuredWaits are all but those that are the CPU's own doing.
func (s *service) measuredWaits() float64 {
	return s.waits(func(c unpark.WaitClass) bool {
		return c != unpark.WaitGCAssist && c != unpark.WaitRuntime && c != unpark.WaitScheduler
	})
}

// others are the locks beside one.
func (s *service) others(own station) []station {
	return slices.DeleteFunc(slices.Clone(s.locks), func(st station) bool { return st.lock == own.lock && st.pool == own.pool && st.alone == own.alone })
}

// network returns the closed network that shows what was measured. One lock, whose wait was
// measured, is time that a request loses and not a station of it. The time
// per request without a queue is what gives the measured rate: what a response
// holds besides its stations cannot be measured, and near saturation it decides
// how much room is left.
func (s *service) network(but station) network {
	n := network{cores: s.cores, cpu: s.request()}
	for _, st := range s.others(but) {
		n.stations = append(n.stations, times{st.demand, st.queueing()})
	}
	low, high := 0.0, s.mean
	for range 40 {
		n.think = (low + high) / 2
		if n.throughput(s.population) > s.rate {
			low = n.think
		} else {
			high = n.think
		}
	}
	// Near saturation any rest gives the same rate. What waits were measured bounds it.
	most := s.mean
	for _, st := range s.others(but) {
		most -= st.wait + st.demand
	}
	n.think = min(n.think, max(0, most))
	return n
}

// ceiling returns the least of the ceilings, but for one lock, when a request takes cpu
// seconds of CPU, in requests per second; infinite when none is known.
func (s *service) ceiling(but station, cpu float64) float64 {
	least := math.Inf(1)
	if s.cores > 0 && cpu > 0 {
		least = s.cores / cpu
	}
	for _, st := range s.others(but) {
		if st.demand > 0 {
			least = min(least, 1/st.demand)
		}
	}
	return max(least, s.rate)
}

// slack says how far time that is neither CPU nor a measured wait may be something
// that less CPU does not shorten: not at all when the cores are always busy, all of
// it where they bind by a hair.
func (s *service) slack() float64 {
	busy := s.used(s.rate)
	if s.m.Shared {
		busy = max(busy, s.m.Machine.Or(0)) // others make it wait as well
	}
	return stats.Bound((1-busy)/(1-model.Saturated), 0, 1)
}

// unseen is the part of a request's time in which it may wait for something that less CPU does not shorten, where all waits were
// looked for: those that were found. Else it may be all of it.
func (c change) unseen() float64 {
	if !c.cut.spared || !c.m.Present(unpark.KindBlock) || c.m.Ev.Tracing == nil || c.mean <= 0 {
		return 1
	}
	return min(1, c.measuredWaits()/c.mean)
}

// sampledShare is the 90 % interval of a share of the target's CPU.
func (s *service) sampledShare(share float64) (low, high float64) {
	n := s.m.Ev.CPU.Samples()
	return stats.Binomial(share*n, n)
}

// signalled is the CPU of recognised library frames of some sorts, in seconds.
func signalled(m *model.Model, is func(facts.Signal) bool) float64 {
	var cpu float64
	for _, v := range m.Ev.Signals {
		if is(v) {
			cpu += v.CPU
		}
	}
	return cpu
}

// isLimit reports whether a class of finding is what a limit is made of.
func isLimit(c unpark.Class, k unpark.LimitKind) bool {
	switch c {
	case unpark.ClassCPU, unpark.ClassAlloc, unpark.ClassGC, unpark.ClassSyscall, unpark.ClassRecompute:
		return cpuLike(k)
	case unpark.ClassRateLimit:
		return k == unpark.LimitRateLimit || k == unpark.LimitConnections // asleep
	default:
		return string(c) == string(k) // a wait's class and its limit share the name
	}
}

// cpuLike limits are ceilings of CPU time.
func cpuLike(k unpark.LimitKind) bool {
	return k == unpark.LimitCPU || k == unpark.LimitGC || k == unpark.LimitQuota
}
