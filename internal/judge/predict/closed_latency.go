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
	least50, least99 := 0.85/x.high*math.Exp(-0.3*gain), 0.7/x.high*math.Exp(-0.5*gain)
	mean := c.mean / x.high
	if c.cut.wait.value > 0 && r.P99 > 0 {
		// With a wait its tail goes, and what is left may take nearly the same time for
		// all, even if there is no more throughput.
		least99 = min(least99, 0.95*mean/r.P99)
	}
	queue := c.cut.queue && c.cut.wait.value >= c.mean/2 && r.P50 > 0 && r.P99 > 0
	if queue {
		// What a queue leaves spreads no more than an exponential.
		least50, least99 = 0.85*median*mean/r.P50, 0.95*mean/r.P99
	}
	p50 = unpark.Between(v, least50, min(unlike/max(x.low, 1e-9), max(unlike, v)), "ratio", r.N)
	most99, v99 := min(c.longest(queue, x), max(unlikeTail, v)), v
	if queue {
		v99 = math.Sqrt(least99 * max(least99, most99))
	}
	p99 = unpark.Between(v99, least99, most99, "ratio", r.N)
	return p50, p99
}

// longest bounds the p99 of a closed loop after a fix, after ÷ before. Queue says
// that most of a request was the queue that goes.
func (c closedLoop) longest(queue bool, x span) float64 {
	r := c.Response
	if r.P99 <= 0 {
		return unlikeTail
	}
	stretch := tailStretch * max(r.P99/c.mean, ln100)
	if queue {
		stretch = tailSlack * ln100 // the queue made the tail
	}
	most := stretch * c.mean / max(x.low, 1e-9)
	// A stop holds up all that are under way: more than one request in a hundred,
	// unless there are many.
	if c.limit == unpark.LimitQuota && c.population/period > 0.01*c.rate*x.low {
		most += period
	}
	return max(unlikeTail/max(x.value, 1e-9), most/r.P99)
}

// drained forecasts latency for an overloaded open loop whose queue goes away
// with the cut; with less room than that it abstains.
func (c closedLoop) drained(p *unpark.Prediction, x span) {
	p.Assumptions = append(p.Assumptions, "more was offered than answered: the latency before is that of a queue that grows with the run")
	if !c.cut.queue || c.rate*x.low < drainedRoom*c.OfferedRPS {
		p.Assumptions = append(p.Assumptions, "whether the offered rate leaves room after the fix is not certain, so latency is not predicted")
		return
	}
	served := *c.service
	if served.Service.N > 0 {
		served.mean = min(served.Service.Mean, served.mean)
	}
	// All that is left of the response is what one request takes.
	rest := change{&served, c.cut}.residual()
	after := func(least, most float64) span {
		low, high := least*rest.low, most*rest.high
		return span{low, math.Sqrt(low * high), high}
	}
	p.P50 = c.ratio(after(median, 1.05), c.Response.P50)
	p.P99 = c.ratio(after(1, ln100*tailSlack), c.Response.P99)
}
