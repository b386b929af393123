package predict

import (
	"fmt"
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

// Predict says what removing a finding would do under the run's own load, by the model of
// all that was measured. The ratios are unknown where it abstains; the assumptions then say
// why.
func Predict(m *model.Model, limit unpark.Limit, f unpark.Finding) unpark.Prediction {
	if p, done := special(m, limit, f); done {
		return p
	}
	s, why := observe(m, limit)
	if why != "" {
		return abstain(limit.Kind, why)
	}
	c := cuts{s}.cutOf(f)
	if c.empty() {
		return abstain(limit.Kind, "what the finding costs per request is not known")
	}
	if limit.Kind == unpark.LimitGenerator {
		return abstain(limit.Kind, "the generator was the limit, so the run does not show what the service does at its own")
	}
	if s.open && !s.overloaded {
		return openLoop{s}.predict(f, c)
	}
	if s.population > maxPopulation {
		return abstain(limit.Kind, fmt.Sprintf("%.0f requests were under way on average, and the model computes with up to %d: take the window with fewer connections, or at a rate that the service holds", s.population, maxPopulation))
	}
	return closedLoop{s}.predict(f, c)
}

func abstain(next unpark.LimitKind, why string) unpark.Prediction {
	return unpark.Prediction{NextLimit: next, Assumptions: []string{why}}
}

func (s openLoop) predict(f unpark.Finding, c cut) unpark.Prediction {
	kept := s.candidates(c)
	l := s.after(c, kept)
	p := unpark.Prediction{
		Throughput: s.offered(),
		P50:        s.ratio(l.p50, s.load.Response.P50),
		P99:        s.ratio(l.p99, s.load.Response.P99),
		NextLimit:  s.next(c, 1, l.mean.value),
	}
	p.Assumptions = append(p.Assumptions, "the offered rate stays, and is below saturation: throughput is what is offered")
	if c.queue {
		p.Assumptions = append(p.Assumptions, "without the queue a request takes "+units.Say(l.mean.value, "s")+
			"; its p99 lies between that (constant) and 4.6 times it (exponential)")
	}
	p.Assumptions = append(p.Assumptions, assumed(s.scene, f, c, 1)...)
	p.Summary = sayOpen(s.scene, l, p.NextLimit)
	p.CPUSaved = s.cpuSaved(c, 1)
	alternatives(s.scene, &p, f, c, kept)
	return p
}

func (s closedLoop) predict(f unpark.Finding, c cut) unpark.Prediction {
	x := s.closed(c)
	p := unpark.Prediction{NextLimit: s.next(c, x.value, s.mean/max(x.value, 1e-9))}
	if s.overloaded {
		s.drained(&p, c, x)
		x = s.offeredAtMost(x)
	} else {
		p.P50, p.P99 = s.littles(c, x)
		p.Assumptions = append(p.Assumptions, "the same number of connections, each sends as soon as it is answered: latency is connections ÷ throughput")
	}
	p.Throughput = s.measured(x)
	p.Assumptions = append(p.Assumptions, assumed(s.scene, f, c, x.value)...)
	p.Assumptions = append(append(p.Assumptions, s.fitted()...), wide(p.Throughput)...)
	p.Summary = sayClosed(s.scene, c, x, p.P99, p.NextLimit)
	p.CPUSaved = s.cpuSaved(c, x.value)
	alternatives(s.scene, &p, f, c, nil)
	return p
}

// after is the latency that a cut leaves of an open loop, that one of the candidates
// may be.
func (s openLoop) after(c cut, kept []candidate) latency {
	if len(kept) > 0 {
		return s.simulated(kept, func(k candidate) []candidate { return s.fixes(c, k) })
	}
	if c.queue {
		return s.queued(c)
	}
	return s.direct(c)
}

// drainedRoom is how far above the offered rate a fixed service must be able to
// go for the queue of an overloaded one to stay away.
const drainedRoom = 1.2

// drained predicts latency for an overloaded open loop whose queue goes away
// with the cut; with less room than that it abstains.
func (s closedLoop) drained(p *unpark.Prediction, c cut, x span) {
	p.Assumptions = append(p.Assumptions, "more was offered than answered: the latency before is that of a queue that grows with the run")
	if !c.queue || s.rate*x.low < drainedRoom*s.load.OfferedRPS {
		p.Assumptions = append(p.Assumptions, "whether the offered rate leaves room after the fix is not certain, so latency is not predicted")
		return
	}
	served := s
	if s.load.Service.N > 0 {
		served.mean = min(s.load.Service.Mean, s.mean)
	}
	// All that is left of the response is what one request takes.
	rest := served.residual(c)
	after := func(least, most float64) span {
		low, high := least*rest.low, most*rest.high
		return span{low, math.Sqrt(low * high), high}
	}
	p.P50 = s.ratio(after(median, 1.05), s.load.Response.P50)
	p.P99 = s.ratio(after(1, ln100*tailSlack), s.load.Response.P99)
}

// offeredAtMost bounds throughput by what an overloaded open loop offers.
func (s closedLoop) offeredAtMost(x span) span {
	most := s.load.OfferedRPS / s.rate
	return span{min(x.low, most), min(x.value, most), min(x.high, most)}
}

const (
	// tailStretch is how much longer than before, in units of the mean, the p99 of a
	// closed loop may be after a fix: what disturbs requests (a collection, a busy
	// core) does not get shorter with them.
	tailStretch = 3
	// period is how long a CPU quota may stop a service at a time: the kernel gives
	// it out by the tenth of a second (cpu.cfs_period_us).
	period = 0.1
)

// littles returns latency ratios of a closed loop: N = X·W, so the mean moves by
// 1/throughput. Percentiles need not scale with the mean; p99 least of all.
func (s closedLoop) littles(c cut, x span) (p50, p99 unpark.Quantity) {
	r := s.load.Response
	v := 1 / max(x.value, 1e-9)
	gain := math.Abs(math.Log(max(x.value, 1e-9)))
	least50, least99 := 0.85/x.high*math.Exp(-0.3*gain), 0.7/x.high*math.Exp(-0.5*gain)
	mean := s.mean / x.high
	if c.wait.value > 0 && r.P99 > 0 {
		// With a wait its tail goes, and what is left may take nearly the same time for
		// all, even if there is no more throughput.
		least99 = min(least99, 0.95*mean/r.P99)
	}
	queue := c.queue && c.wait.value >= s.mean/2 && r.P50 > 0 && r.P99 > 0
	if queue {
		// What a queue leaves spreads no more than an exponential.
		least50, least99 = 0.85*median*mean/r.P50, 0.95*mean/r.P99
	}
	p50 = unpark.Between(v, least50, min(1.15/max(x.low, 1e-9), max(1.15, v)), "ratio", r.N)
	most99, v99 := min(s.longest(queue, x), max(1.3, v)), v
	if queue {
		v99 = math.Sqrt(least99 * max(least99, most99))
	}
	p99 = unpark.Between(v99, least99, most99, "ratio", r.N)
	return p50, p99
}

// longest bounds the p99 of a closed loop after a fix, after ÷ before. Queue says
// that most of a request was the queue that goes.
func (s closedLoop) longest(queue bool, x span) float64 {
	r := s.load.Response
	if r.P99 <= 0 {
		return 1.3
	}
	stretch := tailStretch * max(r.P99/s.mean, ln100)
	if queue {
		stretch = tailSlack * ln100 // the queue made the tail
	}
	most := stretch * s.mean / max(x.low, 1e-9)
	// A stop holds up all that are under way: more than one request in a hundred,
	// unless there are many.
	if s.limit.Kind == unpark.LimitQuota && s.population/period > 0.01*s.rate*x.low {
		most += period
	}
	return max(1.3/max(x.value, 1e-9), most/r.P99)
}

// ratio turns seconds after into a quantity after ÷ before. Percentiles of two
// runs of the same thing differ, so no interval is narrower than that.
func (s scene) ratio(after span, before float64) unpark.Quantity {
	if before <= 0 {
		return unpark.Quantity{}
	}
	v := after.value / before
	return unpark.Between(v, min(after.low/before, v*(1-s.noise)), max(after.high/before, v*(1+s.noise)), "ratio", s.load.Response.N)
}
