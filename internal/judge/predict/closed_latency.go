package predict

import (
	"math"

	"github.com/unpark-go/unpark"
)

// littles returns latency ratios of a closed loop: N = X·W, so the mean moves by
// 1/throughput. Percentiles need not scale with the mean; p99 least of all.
func (c closedLoop) littles(x span) (p50, p99 unpark.Quantity) {
	r := c.Response
	v := 1 / max(x.value, 1e-9)
	gain := math.Abs(math.Log(max(x.value, 1e-9)))
	least50 := 0.85 / x.high * math.Exp(-0.3*gain)
	if c.cut.queue && c.cut.wait.value >= c.mean/2 && r.P50 > 0 {
		// What a queue leaves spreads no more than an exponential.
		least50 = 0.85 * median * c.mean / x.high / r.P50
	}
	p50 = unpark.Between(v, least50, min(unlike/max(x.low, 1e-9), max(unlike, v)), "ratio", r.N)
	return p50, c.tail(x)
}

// tail is the p99, after ÷ before. What makes the slowest slow in a closed loop is in part
// what makes all slow, and in part what does not get shorter with a request: the slices of
// the scheduler, a collection, a busy core. So it falls less than the mean.
func (c closedLoop) tail(x span) unpark.Quantity {
	if c.Response.P99 <= 0 || x.value <= 0 || x.low <= 0 {
		return unpark.Quantity{}
	}
	follow := func(gain float64) float64 { return math.Pow(gain, -tailFollows) }
	falls := min(follow(x.value), c.tailStays())
	v := max(falls, c.slices(x.value))
	least := v
	if v > 1 {
		least = falls // it may get longer, and need not
	}
	least *= math.Exp(-math.Hypot(math.Log(follow(x.value)/follow(x.high)), math.Log(tailLess)))
	most := v * math.Exp(math.Hypot(math.Log(follow(x.low)/follow(x.value)), math.Log(tailMore)))
	if c.cut.wait.value > 0 && (!c.cut.queue || c.cut.wait.value >= c.mean/2) {
		// With a wait its tail goes, and what is left may take nearly the same time for
		// all, even if there is no more throughput. Of a queue that is so where it is most of a request.
		least = min(least, 0.95*c.mean/x.high/c.Response.P99)
	}
	// A stop holds up all that are under way: more than one request in a hundred,
	// unless there are many.
	if c.limit == unpark.LimitQuota && c.population/period > 0.01*c.rate*x.low {
		most = max(most, (most*c.Response.P99+period)/c.Response.P99)
	}
	return unpark.Between(v, least, most, "ratio", c.Response.N)
}

// slices is the p99, after ÷ before, where the fix makes a machine full that the generator shares;
// 0 elsewhere. However short requests are, each process waits for the slices of the other, and
// beside that they are spread as the queue for processors spreads them. What was full before
// shows in its own p99 how they are spread.
func (c closedLoop) slices(gain float64) float64 {
	mean := c.mean / gain
	if !c.m.Shared || c.m.MachineFull() || !cpuLike(c.next(gain, mean)) {
		return 0
	}
	return (slice + ln100*mean) / c.Response.P99
}

// tailStays is what is left of the p99 where traces say which wait makes it, as a ratio: no
// less than the p90, of requests that this wait did not make slow.
func (c change) tailStays() float64 {
	if c.cut.tail <= 0 {
		return 1
	}
	return min(1, max(1-c.cut.tail, c.Response.P90/c.Response.P99))
}

// drained forecasts latency for an overloaded open loop whose queue goes away
// with the cut; with less room than that it abstains.
func (c closedLoop) drained(p *unpark.Prediction, x span) {
	p.Assumptions = append(p.Assumptions, "more was offered than answered: the latency before is that of a queue that grows with the run")
	if !c.cut.queue || c.rate*x.low < drainedRoom*c.OfferedRPS {
		p.P99Unsaid = "whether the offered rate leaves room after the fix is not certain"
		p.Assumptions = append(p.Assumptions, p.P99Unsaid+", so latency is not predicted")
		return
	}
	// All that is left of the response is what one request takes.
	rest := c.residual()
	after := func(least, most float64) span {
		low, high := least*rest.low, most*rest.high
		return span{low, math.Sqrt(low * high), high}
	}
	p.P50 = c.ratio(after(median, 1.05), c.Response.P50)
	q := c.ratio(after(1, ln100*tailSlack), c.Response.P99)
	if q.High.Or(0) > widestTail*q.Low.Or(0) {
		q = unpark.Quantity{Unit: q.Unit, High: q.High, N: q.N} // how requests that do not queue spread is not known
	}
	p.P99 = q
}
