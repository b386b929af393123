package predict

import (
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/stats"
)

// closed returns throughput after ÷ before when N requests are always under way
// (or when an open loop offers more than can be answered: then the queue never
// empties and the target behaves like a closed loop).
func (s scene) closed(c cut) span {
	n := s.model(c)
	before := n.throughput(s.population)
	ratio := func(wait, cpu, inside float64) float64 {
		after := n
		after.think = max(0, n.think-wait)
		after.cpu = n.cpu - cpu*s.cpu
		after.stations = s.shortened(c, n.stations, inside*cpu*s.cpu)
		return after.throughput(s.population) / before
	}
	// How much of a function's CPU is spent between Lock and Unlock is not known.
	out := span{
		low:   ratio(c.wait.low, c.cpu.low, 0),
		value: ratio(c.wait.value, c.cpu.value, 0.5),
		high:  ratio(c.wait.high, c.cpu.high, 1),
	}
	if c.under >= 0 && s.limit.Kind == unpark.LimitLock {
		out.high = max(out.high, s.unheld(c, c.cpu.high))
	}
	// The bound N/(W−w) under the ceilings is what a fix can reach at best.
	free := s.mean - c.wait.high - c.cpu.high*s.cpu
	if best := s.mean / max(free, 1e-9); c.wait.value > 0 {
		// Far from full, a request costs more CPU than near it: goroutines and
		// interrupts are woken one by one. The ceiling may be up to twice as high.
		roof := s.ceiling(c) / s.rate * (2 - s.used())
		out.high = max(out.value, min(best, roof))
	}
	if c.binds && cpuLike(s.limit.Kind) {
		out = s.freed(c, out)
	}
	if c.wait.value > 0 {
		// What replaces a wait takes time too: a third of the gain can stay behind.
		out.low = min(out.low, 1+0.65*(out.value-1))
	}
	return s.capped(c, out)
}

// shortened takes CPU that is spent under a lock from its hold. A tenth of the
// hold stays: taking and giving back the lock, and what it is there for.
func (s scene) shortened(c cut, stations []float64, cpu float64) []float64 {
	if c.under < 0 || c.under >= len(stations) {
		return stations
	}
	out := slices.Clone(stations)
	out[c.under] = max(0.1*out[c.under], out[c.under]-cpu)
	return out
}

// unheld is throughput after ÷ before when a lock is what binds and its hold
// loses some of the target's CPU: 1/hold, under the ceilings that stay.
func (s scene) unheld(c cut, cpu float64) float64 {
	hold := s.locks[c.under].demand
	left := max(0.1*hold, hold-cpu*s.cpu)
	most := s.ceiling(cut{cpu: span{high: cpu}, station: s.locks[c.under], under: -1}) / s.rate
	return max(1, min(hold/left, most))
}

// freed widens a prediction where CPU binds. Time that is neither CPU nor a
// measured wait is then queueing for a processor, or for the collector, and
// shrinks with the CPU of a request: throughput becomes R/(1−f), unless the
// measured waits of N requests hold it down. The model above takes such time as
// constant, so it is the lower end.
func (s scene) freed(c cut, model span) span {
	demand := s.cpu + s.generator
	if demand <= 0 {
		return model
	}
	var waits float64
	for _, w := range s.ev.Waits {
		switch w.Class {
		case unpark.WaitGCAssist, unpark.WaitRuntime, unpark.WaitScheduler:
			continue
		}
		if w.Side == unpark.RequestPath && !w.Idle {
			v, _ := s.ev.PerRequest(w.Delay).Get()
			waits += v
		}
	}
	ratio := func(wait, cpu float64) float64 {
		left := demand - cpu*s.cpu
		most := s.population / (max(0, waits-wait) + left) / s.rate
		return max(1, min(demand/left, most))
	}
	return span{
		low:   min(model.low, ratio(c.wait.low, c.cpu.low)),
		value: max(model.value, ratio(c.wait.value, c.cpu.value)),
		high:  max(model.high, ratio(c.wait.high, c.cpu.high)),
	}
}

// model returns the network before a cut. Its own lock is no station but time
// that a request loses, because its wait was measured; other locks are. The time
// per request without a queue is what gives the measured rate: what a response
// holds besides its stations cannot be measured, and near saturation it decides
// how much room is left.
func (s scene) model(c cut) network {
	n := network{cores: s.cores, cpu: s.cpu + s.generator}
	for _, st := range s.locks {
		if st != c.station {
			n.stations = append(n.stations, st.demand)
		}
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
	return n
}

// ceiling returns the least of the ceilings that a cut leaves, in requests per
// second; infinite when none is known.
func (s scene) ceiling(c cut) float64 {
	least := math.Inf(1)
	if cpu := s.cpu*(1-c.cpu.high-c.sync) + s.generator; s.cores > 0 && cpu > 0 {
		least = s.cores / cpu
	}
	for _, st := range s.locks {
		if st != c.station && st.demand > 0 {
			least = min(least, 1/st.demand)
		}
	}
	return max(least, s.rate)
}

// capped applies what no model of the target knows: some limits do not move
// whatever is fixed elsewhere.
func (s scene) capped(c cut, out span) span {
	if !c.binds && immovable(s.limit.Kind) {
		out = span{min(1, out.low), 1, 1}
	}
	out.value = stats.Bound(out.value, out.low, out.high)
	return out
}

// measured widens what a fix does to what a second run would show of it: the
// change carries the noise of two runs.
func (s scene) measured(x span) unpark.Quantity {
	return unpark.Between(x.value, x.low*(1-s.noise), x.high*(1+s.noise), "ratio", s.load.Requests)
}

// immovable limits are queues that the evidence shows but whose server the
// models do not know, or that lie outside of the target.
func immovable(k unpark.LimitKind) bool {
	switch k {
	case unpark.LimitGenerator, unpark.LimitNetwork, unpark.LimitRateLimit, unpark.LimitPool, unpark.LimitChannel:
		return true
	}
	return false
}
