package predict

import (
	"fmt"
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
)

// remedy is a fix of a lock that leaves the lock. It changes what queues and what
// does not.
type remedy struct {
	fix   unpark.Fix
	apply func(p plant, rest times) (plant, times)
}

func lockRemedies(st station) []remedy {
	all := []remedy{
		{unpark.FixHalved, func(p plant, rest times) (plant, times) {
			// As with the removal, the work that is done under the lock stays.
			p.hold.mean /= 2
			return p, rest.plus(p.hold)
		}},
		{unpark.FixSharded, func(p plant, rest times) (plant, times) { p.shards = shards; return p, rest }},
	}
	if st.lock != nil && st.lock.ReadWrite() { // it is one already
		return all
	}
	return append(all, remedy{unpark.FixRWMutex, func(p plant, rest times) (plant, times) { p.reads = reads; return p, rest }})
}

// alternatives adds what fixes would do that leave something of the finding, and what
// that rests on: half of it, or fixes of its lock. None of them buys more than the removal.
func (c change) alternatives(p *unpark.Prediction, f unpark.Finding, part func(cut, unpark.Fix) unpark.Alternative, ofLock func() []unpark.Alternative) {
	wait, lock := c.cut.wait.value, f.Class == unpark.ClassLock
	if wait < felt*c.mean && c.cut.cpu.value < felt || lock && !c.cut.binds && wait < 5*felt*c.mean {
		return
	}
	var all []unpark.Alternative
	switch {
	case !lock:
		if c.cut.times >= 2 {
			all = append(all, part(c.cut.together(), unpark.FixTogether))
			p.Assumptions = append(p.Assumptions, fmt.Sprintf("asked at once: the %.3g waits of a request become one, as long as one of them", c.cut.times))
		}
		all = append(all, part(c.cut.half(), unpark.FixHalved))
	case c.cut.station.demand <= 0 || c.Overloaded():
		return // its hold is not known, or its queue never ends
	default:
		all = ofLock()
	}
	for _, a := range all {
		least := a.Throughput.Low
		a.Throughput = bounded(a.Throughput, p.Throughput, math.Min)
		if a.Fix == unpark.FixTogether {
			a.Throughput.Low = least // the least that asking less can be is one question less, which this is not
		}
		a.P50, a.P99 = bounded(a.P50, p.P50, math.Max), bounded(a.P99, p.P99, math.Max)
		p.Alternatives = append(p.Alternatives, a)
	}
	if lock && len(all) > 0 {
		text := "fixes that leave the lock are simulated"
		if all[len(all)-1].Fix == unpark.FixRWMutex {
			text += fmt.Sprintf("; under an RWMutex %.0f %% of the holds only read", reads*100)
		}
		p.Assumptions = append(p.Assumptions, text)
	}
}

// bounded applies the removal's figures as a bound.
func bounded(q, removal unpark.Quantity, by func(a, b float64) float64) unpark.Quantity {
	if !q.Known() || !removal.Known() {
		return q
	}
	at := func(v, most unpark.Number) unpark.Number { return unpark.Num(by(v.Or(1), most.Or(v.Or(1)))) }
	q.Value, q.Low, q.High = at(q.Value, removal.Value), at(q.Low, removal.Low), at(q.High, removal.High)
	return q
}

// part is what a smaller cut does.
func (o openLoop) part(of cut, fix unpark.Fix) unpark.Alternative {
	o.cut = of
	return o.alternative(fix, o.latency())
}

// lockFixes makes each fix to the services that may be the measured one.
func (o openLoop) lockFixes() []unpark.Alternative {
	var out []unpark.Alternative
	for _, r := range lockRemedies(o.cut.station) {
		if len(o.near) == 0 {
			break
		}
		out = append(out, o.alternative(r.fix, o.simulated(func(k candidate) []candidate {
			k.plant, k.rest = r.apply(k.plant, k.rest)
			return []candidate{k}
		})))
	}
	return out
}

func (o openLoop) alternative(fix unpark.Fix, l latency) unpark.Alternative {
	return unpark.Alternative{Fix: fix, Throughput: o.offered(), P50: o.ratio(l.p50, o.Response.P50), P99: o.ratio(l.p99, o.Response.P99)}
}

// part is what a smaller cut does.
func (c closedLoop) part(of cut, fix unpark.Fix) unpark.Alternative {
	c.cut = of
	x := c.throughput()
	out := unpark.Alternative{Fix: fix}
	if c.Overloaded() {
		out.Throughput = c.measured(x.atMost(c.OfferedRPS / c.rate))
		return out
	}
	out.Throughput = c.measured(x)
	out.P50, out.P99 = c.littles(x)
	return out
}

// lockFixes simulates the fixes of a lock. Percentiles follow from the throughput, as
// those of the removal do.
func (c closedLoop) lockFixes() []unpark.Alternative {
	plants := c.plants()
	before := make([]outcome, len(plants))
	for i, p := range plants {
		before[i] = p.run()
	}
	var out []unpark.Alternative
	for _, r := range lockRemedies(c.cut.station) {
		var ratios []float64
		for i, p := range plants {
			p, p.rest = r.apply(p, p.rest)
			ratios = append(ratios, p.run().rate/before[i].rate)
		}
		a := unpark.Alternative{Fix: r.fix, Throughput: c.measured(span{
			stats.Quantile(ratios, 0) * (1 - slip), stats.Quantile(ratios, 0.5), stats.Quantile(ratios, 1) * (1 + slip),
		})}
		v := a.Throughput
		whole := closedLoop{change{c.service, cut{under: -1}}} // the queue stays
		a.P50, a.P99 = whole.littles(span{v.Low.Or(1), v.Value.Or(1), v.High.Or(1)})
		out = append(out, a)
	}
	return out
}

// plants are closed loops that would show what was measured: with holds and the
// rest of a request between constant and as spread as they may be, and with a rest
// as long as it may be.
func (c closedLoop) plants() []plant {
	rest := c.residual()
	cpu := c.request()
	base := plant{n: simulated, seed: 1, clients: max(1, int(math.Round(c.population)))}
	if c.cores > 0 && cpu > 0 {
		base.servers = max(1, int(math.Round(c.cores)))
		base.cpu = times{cpu * float64(base.servers) / c.cores, 1}
	}
	holds, _ := c.holds(c.busiest())
	var out []plant
	add := func(hold times, rest float64) {
		p := base
		p.hold, p.rest = hold, times{max(0, rest-cpu-c.cut.station.demand), min(1, hold.scv)}
		out = append(out, p)
	}
	for _, hold := range holds {
		add(hold, rest.value)
	}
	middle := holds[len(holds)/2]
	// Where hardly a request finds the lock free even the shortest response holds a wait:
	// the parts of a request that are known are the least that it takes.
	add(middle, min(rest.low, c.accounted()))
	add(middle, rest.high)
	return out
}
