package predict

import (
	"fmt"
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
)

const (
	// shards is into how many a lock is split when its data allows it: enough that
	// two requests seldom want the same one.
	shards = 8
	// reads is the share of holds that only read from which an RWMutex is worth
	// trying.
	reads = 0.9
	// simulated is the number of requests of one simulation: a p99 rests on fifty.
	simulated = 5000
	// slip is how far apart two simulations of the same plant may be.
	slip = 0.05
	// felt is the part of a request's time below which a fix by halves is not worth
	// a sentence.
	felt = 0.01
)

// remedy is a fix of a lock that leaves the lock. It changes what queues and what
// does not.
type remedy struct {
	fix   unpark.Fix
	apply func(p plant, rest times) (plant, times)
}

func lockRemedies() []remedy {
	return []remedy{
		{unpark.FixHalved, func(p plant, rest times) (plant, times) {
			// As with the removal, the work that is done under the lock stays.
			p.hold.mean /= 2
			return p, rest.plus(p.hold)
		}},
		{unpark.FixSharded, func(p plant, rest times) (plant, times) { p.shards = shards; return p, rest }},
		{unpark.FixRWMutex, func(p plant, rest times) (plant, times) { p.reads = reads; return p, rest }},
	}
}

// alternatives fills in what fixes would do that leave something of the finding, and
// what that rests on. None of them buys more than the removal. Kept are the
// candidates of an open loop.
func alternatives(s scene, p *unpark.Prediction, f unpark.Finding, c cut, kept []candidate) {
	if c.wait.value < felt*s.mean && c.cpu.value < felt || f.Class == unpark.ClassLock && !c.binds && c.wait.value < 5*felt*s.mean {
		return
	}
	var all []unpark.Alternative
	switch {
	case f.Class != unpark.ClassLock:
		all = []unpark.Alternative{halved(s, c, kept)}
	case c.station.demand <= 0 || s.overloaded:
		return // its hold is not known, or its queue never ends
	case s.open:
		all = openLoop{s}.openLock(kept)
	default:
		all = closedLoop{s}.closedLock(c)
	}
	for _, a := range all {
		a.Throughput = bounded(a.Throughput, p.Throughput, math.Min)
		a.P50, a.P99 = bounded(a.P50, p.P50, math.Max), bounded(a.P99, p.P99, math.Max)
		p.Alternatives = append(p.Alternatives, a)
	}
	if f.Class == unpark.ClassLock && len(all) > 0 {
		p.Assumptions = append(p.Assumptions, fmt.Sprintf("fixes that leave the lock are simulated; under an RWMutex %.0f %% of the holds only read", reads*100))
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

// halved is what half of a cut does.
func halved(s scene, c cut, kept []candidate) unpark.Alternative {
	half := c
	half.wait = c.wait.times(0.5)
	half.cpu = c.cpu.times(0.5)
	half.sync = c.sync.times(0.5)
	out := unpark.Alternative{Fix: unpark.FixHalved}
	if s.open && !s.overloaded {
		l := openLoop{s}.after(half, kept)
		out.Throughput = s.offered()
		out.P50, out.P99 = s.ratio(l.p50, s.load.Response.P50), s.ratio(l.p99, s.load.Response.P99)
		return out
	}
	x := closedLoop{s}.closed(half)
	if s.overloaded {
		out.Throughput = closedLoop{s}.measured(closedLoop{s}.offeredAtMost(x))
		return out
	}
	out.Throughput = closedLoop{s}.measured(x)
	out.P50, out.P99 = closedLoop{s}.littles(half, x)
	return out
}

// offered is the throughput of an open loop below saturation, after ÷ before.
func (s scene) offered() unpark.Quantity {
	return unpark.Between(1, 1-s.noise, 1+s.noise, "ratio", s.load.Requests)
}

// openLock makes each fix to the services that may be the measured one.
func (s openLoop) openLock(kept []candidate) []unpark.Alternative {
	if len(kept) == 0 {
		return nil
	}
	r := s.load.Response
	var out []unpark.Alternative
	for _, remedy := range lockRemedies() {
		l := s.simulated(kept, func(k candidate) []candidate {
			k.plant, k.rest = remedy.apply(k.plant, k.rest)
			return []candidate{k}
		})
		out = append(out, unpark.Alternative{Fix: remedy.fix, Throughput: s.offered(), P50: s.ratio(l.p50, r.P50), P99: s.ratio(l.p99, r.P99)})
	}
	return out
}

// closedLock simulates the fixes in a closed loop. Percentiles follow from the
// throughput, as those of the removal do.
func (s closedLoop) closedLock(c cut) []unpark.Alternative {
	plants := s.plants(c)
	before := make([]outcome, len(plants))
	for i, p := range plants {
		before[i] = p.run()
	}
	var out []unpark.Alternative
	for _, r := range lockRemedies() {
		var all []float64
		for i, p := range plants {
			p, p.rest = r.apply(p, p.rest)
			all = append(all, p.run().rate/before[i].rate)
		}
		a := unpark.Alternative{Fix: r.fix, Throughput: s.spanning(all)}
		v := a.Throughput
		a.P50, a.P99 = s.littles(cut{under: -1}, span{v.Low.Or(1), v.Value.Or(1), v.High.Or(1)})
		out = append(out, a)
	}
	return out
}

// spanning is what simulated ratios say: their median, and from the least to the most.
func (s closedLoop) spanning(ratios []float64) unpark.Quantity {
	return s.measured(span{stats.Quantile(ratios, 0) * (1 - slip), stats.Quantile(ratios, 0.5), stats.Quantile(ratios, 1) * (1 + slip)})
}

// plants are closed loops that would show what was measured: with holds and the
// rest of a request between constant and as spread as they may be, and with a rest
// as long as it may be.
func (s closedLoop) plants(c cut) []plant {
	rest := s.residual(c)
	cpu := s.uncut().sum().value
	base := plant{n: simulated, seed: 1, clients: max(1, int(math.Round(s.population)))}
	if s.cores > 0 && cpu > 0 {
		base.servers = max(1, int(math.Round(s.cores)))
		base.cpu = times{cpu * float64(base.servers) / s.cores, 1}
	}
	holds, _ := s.holds(s.heldBy(c))
	var out []plant
	add := func(hold times, rest float64) {
		p := base
		p.hold, p.rest = hold, times{max(0, rest-cpu-c.station.demand), min(1, hold.scv)}
		out = append(out, p)
	}
	for _, hold := range holds {
		add(hold, rest.value)
	}
	middle := holds[len(holds)/2]
	// Where hardly anybody finds the lock free even the shortest response holds a wait:
	// the parts of a request that are known are the least that it takes.
	add(middle, min(rest.low, s.accounted(c)))
	add(middle, rest.high)
	return out
}

// cpuSaved is the CPU per request that a cut saves when the rate goes up by gain;
// unknown where the finding has none.
func (s scene) cpuSaved(c cut, gain float64) unpark.Quantity {
	if c.cpu.value <= 0 {
		return unpark.Quantity{}
	}
	k := s.kept(c, gain).target
	less := func(v float64) float64 { return max(0, s.cpu-v) }
	return unpark.Between(less(k.value), less(k.high), less(k.low), "s/req", int64(s.m.Ev.CPU.Samples()))
}

func (x span) times(v float64) span { return span{x.low * v, x.value * v, x.high * v} }

func (x span) plus(y span) span { return span{x.low + y.low, x.value + y.value, x.high + y.high} }
