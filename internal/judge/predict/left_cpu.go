package predict

import (
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// cost is what a request takes of the processors, in seconds of CPU. The low end is the
// cheapest.
type cost struct{ target, generator, asked span }

func (k cost) sum() span { return k.target.plus(k.generator).plus(k.asked) }

// cpuLeft estimates what a request costs when the rate goes up by gain. Its dearest is the
// remainder of the shares, and its cheapest what that costs when it is all that
// runs: what stays then finds its caches warm, is not woken for each request, and
// shares what a process costs by the second with more requests. The value lies
// half way, as a factor: the profile does not say.
func (c change) cpuLeft(gain float64) cost {
	share := func(v float64) float64 { return c.cpu * max(0, 1-v) }
	gone := c.cut.cpu.plus(c.cut.sync)
	most, mid, least := share(gone.low), share(gone.value), share(gone.high)
	floor := c.floor()
	at := func(m float64) float64 { return max(floor, m) }
	warm := c.warmed(mid, gain, c.bySecond())
	half := math.Log(at(mid)/at(warm)) / 2
	// How much is left, and how warm it runs, are two errors.
	left := span{at(least), at(mid), at(most)}.scattered(half)
	by := math.Exp(-half)
	// That it runs warm is no reason for it to cost less than it may at most, cold.
	out := cost{target: span{at(left.low * by), left.value * by, max(left.high*by, at(most))}}
	if g := c.generator; g > 0 {
		low := max(min(sendCost, g), c.warmed(g*(1-c.cut.joined), gain, g*(1-c.used(c.rate))))
		out.generator = span{low, math.Sqrt(low * g), g}
	}
	// What the service sends its peers receive, and answer: with the messages goes their part.
	out.asked = span{c.asked * (1 - c.cut.messages), c.asked * (1 - c.cut.messages/2), c.asked}
	return out
}

// floor is the least that a request of this service can cost, whatever is fixed.
func (c change) floor() float64 {
	var sockets float64
	if n := c.m.Requests; n > 0 && !c.cut.wire {
		sockets = signalled(c.m, func(v facts.Signal) bool {
			return v.ID == facts.SignalRead || v.ID == facts.SignalWrite || v.ID == facts.SignalAccept
		}) * (warmSockets / n)
	}
	return min(c.cpu, max(wireCost+c.BytesPerResponse.Or(0)/copying, sockets))
}

// warmed is what CPU of m seconds a request costs when it runs often. The part of
// the time in which a core does something else, or nothing, is the chance that a
// request finds it cold; the more time passes in between, the colder. Fixed is
// what of m is by the second and not by the request.
func (c change) warmed(m, gain, fixed float64) float64 {
	if c.cores <= 0 || c.cpu <= 0 || gain <= 1 {
		return m
	}
	stays := c.cpu*(1-c.cut.cpu.value) + c.generator + c.asked
	busy := min(1, c.rate*stays/c.cores)
	warmer := max(0, min(1, busy*gain)-busy)
	gap := max(0, c.cores/c.rate-stays)
	left := m - warmer*(crowding*m+min(refill, evicting*gap))
	return max(0, left-min(m, fixed)*(1-1/gain))
}

// bySecond is the most of a request's CPU that a process costs by the second: what
// is not on the path of requests (timers, the runtime's monitor, a collector that
// runs by the clock, being observed). In a full process all of it is by request.
func (s *service) bySecond() float64 {
	sampled, ok := s.m.Ev.CPU.Sampled.Get()
	if !ok || sampled <= 0 {
		return 0
	}
	low, _ := s.sampledShare(s.m.Ev.CPU.RequestPath.Or(sampled) / sampled)
	return s.cpu * (1 - low) * (1 - s.used(s.rate))
}

// cpuSaved is the CPU per request that is saved when the rate goes up by gain;
// unknown where the cut has none.
func (c change) cpuSaved(gain float64) unpark.Quantity {
	if c.cut.cpu.value <= 0 {
		return unpark.Quantity{}
	}
	left := c.cpuLeft(gain).target
	less := func(v float64) float64 { return max(0, c.cpu-v) }
	return unpark.Between(less(left.value), less(left.high), less(left.low), "s/req", int64(c.m.Ev.CPU.Samples()))
}
