package predict

import (
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/stats"
)

// closed returns throughput after ÷ before when N requests are always under way
// (or when an open loop offers more than can be answered: then the queue never
// empties and the target behaves like a closed loop).
func (s scene) closed(c cut) span {
	before := s.model(cut{}).throughput(s.population)
	ratio := func(wait, cpu float64) float64 {
		part := cut{wait: span{value: wait}, cpu: span{value: cpu}, station: c.station}
		return s.model(part).throughput(s.population) / before
	}
	out := span{
		low:   ratio(c.wait.low, c.cpu.low),
		value: ratio(c.wait.value, c.cpu.value),
		high:  ratio(c.wait.high, c.cpu.high),
	}
	// The bound N/(W−w) under the ceilings is what a fix can reach at best.
	free := s.mean - c.wait.high - c.cpu.high*s.cpu
	if best := s.mean / max(free, 1e-9); c.wait.value > 0 {
		out.high = max(out.value, min(best, s.ceiling(c)/s.rate))
	}
	if c.wait.value > 0 {
		// A quarter of the gain can stay behind: what replaces a lock also takes time.
		out.low = min(out.low, 1+0.75*(out.value-1))
	}
	return s.capped(c, out)
}

// model returns the network with a cut applied. The lock of the cut keeps its
// hold as time without a queue; the wait of any other cut is taken from such time.
func (s scene) model(c cut) network {
	n := network{cores: s.cores, think: s.think}
	removed := false
	for _, st := range s.locks {
		if c.wait.value > 0 && st == c.station {
			n.think += st.demand + max(0, st.wait-c.wait.value)
			removed = true
			continue
		}
		n.stations = append(n.stations, st.demand)
	}
	if !removed {
		n.think = max(0, n.think-c.wait.value)
	}
	n.cpu = s.cpu + s.generator - c.cpu.value*s.cpu
	return n
}

// calibrate finds the time per request without a queue with which the model
// gives the measured rate: what a response holds besides its stations cannot be
// measured, and near saturation it decides how much room is left.
func (s *scene) calibrate() {
	low, high := 0.0, s.mean
	for range 40 {
		s.think = (low + high) / 2
		if s.model(cut{}).throughput(s.population) > s.rate {
			low = s.think
		} else {
			high = s.think
		}
	}
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
