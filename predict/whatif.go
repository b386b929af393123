package predict

import (
	"fmt"
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/stats"
)

// Short of removing a finding there are smaller fixes. What they would do is told
// beside the prediction, in words: the document has one ratio for each metric, and
// that is of the removal.

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

// remedy is a fix that leaves something of the finding.
type remedy struct {
	text  string
	apply func(plant) plant
}

func lockRemedies() []remedy {
	return []remedy{
		{"held half as long", func(p plant) plant { p.hold.mean /= 2; return p }},
		{fmt.Sprintf("in %d shards", shards), func(p plant) plant { p.shards = shards; return p }},
		{fmt.Sprintf("as an RWMutex, if %.0f %% of the holds only read", reads*100), func(p plant) plant { p.reads = reads; return p }},
	}
}

// others says what fixes would do that leave something of the finding.
func (s scene) others(f unpark.Finding, c cut) []string {
	if c.wait.value < felt*s.mean && c.cpu.value < felt || f.Class == unpark.ClassLock && !c.binds && c.wait.value < 5*felt*s.mean {
		return nil
	}
	if f.Class == unpark.ClassLock {
		return s.smaller(c)
	}
	half := c
	half.wait = c.wait.times(0.5)
	half.cpu = span{c.cpu.low / 2, c.cpu.value / 2, c.cpu.high / 2}
	half.sync /= 2
	if s.open && !s.overloaded {
		l := s.after(half)
		return []string{"if half of it goes: p99 " + s.times(s.ratio(l.p99, s.load.Response.P99)) + ", p50 " + s.times(s.ratio(l.p50, s.load.Response.P50))}
	}
	x := s.closed(half)
	if s.overloaded {
		x = s.offeredAtMost(x)
	}
	return []string{"if half of it goes: throughput " + s.times(s.measured(x))}
}

// smaller simulates fixes of a lock that leave the lock. Nothing is said of a lock
// whose hold is not known.
func (s scene) smaller(c cut) []string {
	if c.station.demand <= 0 || s.overloaded {
		return nil
	}
	plants := s.plants(c)
	before := make([]outcome, len(plants))
	for i, p := range plants {
		before[i] = p.run()
	}
	var out []string
	for i, r := range lockRemedies() {
		q := s.simulate(plants, before, r.apply)
		text := r.text + ": "
		switch {
		case s.open:
			text += "p99 " + s.times(q)
		default:
			text += "throughput " + s.times(q)
		}
		if i == 0 && !s.open {
			text += fmt.Sprintf("; simulated with holds between constant and %s", spreadWords(plants))
		} else if i == 0 {
			text += fmt.Sprintf("; simulated with the spread of holds that the measured wait tells (%s)", spreadWords(plants))
		}
		out = append(out, text)
	}
	return out
}

func spreadWords(plants []plant) string {
	most := 0.0
	for _, p := range plants {
		most = max(most, p.hold.scv)
	}
	return fmt.Sprintf("squared coefficient of variation up to %s", digits(most))
}

// plants are the services that would show what was measured: with holds and the
// rest of a request between constant and as spread as they may be.
func (s scene) plants(c cut) []plant {
	rest := s.residual(c)
	cpu := s.uncut().sum().value
	base := plant{n: simulated, seed: 1, hold: times{mean: c.station.demand}}
	if s.cores > 0 && cpu > 0 {
		base.servers = max(1, int(math.Round(s.cores)))
		base.cpu = times{cpu * float64(base.servers) / s.cores, 1}
	}
	beside := max(0, rest.value-cpu-c.station.demand)
	if s.open {
		// A load that the lock cannot bear has no steady state.
		base.rate = min(s.rate, 0.98/base.hold.mean)
	} else {
		base.clients = max(1, int(math.Round(s.population)))
	}
	var out []plant
	for _, scv := range s.spread(c) {
		p := base
		p.hold.scv, p.rest = scv, times{beside, min(1, scv)}
		out = append(out, p)
	}
	return out
}

// spread returns the squared coefficients of variation that the holds of a lock may
// have: least, likeliest, most. Traces tell how often requests waited and for how
// long, not each hold; but with random arrivals the mean wait is that of
// Pollaczek and Khinchine, w = ρS(1+c²)÷2(1−ρ), and so tells c². In a closed loop
// it does not, and holds are taken for something between constant and exponential.
func (s scene) spread(c cut) [3]float64 {
	rho := s.rate * c.station.demand
	if !s.open || rho <= 0 || rho >= 0.98 {
		return [3]float64{0, 0.5, 1}
	}
	const most = 4
	at := func(rho float64) float64 {
		return stats.Bound(2*c.wait.value*(1-rho)/(rho*c.station.demand)-1, 0, most)
	}
	// The share of the time in which a lock is held is known to some percent.
	return [3]float64{at(min(0.98, rho*1.05)), at(rho), at(rho * 0.95)}
}

// simulate returns what a change does to each of the plants, after ÷ before: of
// throughput in a closed loop, of p99 in an open one.
func (s scene) simulate(plants []plant, before []outcome, change func(plant) plant) unpark.Quantity {
	var all []float64
	for i, p := range plants {
		if after := change(p).run(); s.open {
			all = append(all, after.p99/before[i].p99)
		} else {
			all = append(all, after.rate/before[i].rate)
		}
	}
	low, high := stats.Quantile(all, 0), stats.Quantile(all, 1)
	return s.measured(span{low * (1 - slip), stats.Quantile(all, 0.5), high * (1 + slip)})
}

func (x span) times(v float64) span { return span{x.low * v, x.value * v, x.high * v} }

// times prints a ratio with its interval.
func (s scene) times(q unpark.Quantity) string {
	v := q.Value.Or(1)
	return fmt.Sprintf("×%s (%s–%s)", digits(v), digits(q.Low.Or(v)), digits(q.High.Or(v)))
}
