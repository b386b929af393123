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
	for _, r := range lockRemedies() {
		metric := "throughput "
		if s.open {
			metric = "p99 "
		}
		out = append(out, r.text+": "+metric+s.times(s.simulate(plants, before, r.apply)))
	}
	return append(out, "these are simulated, "+s.spreadWords(plants))
}

// spreadWords says what holds were taken for.
func (s scene) spreadWords(plants []plant) string {
	least, most := plants[0].hold.scv, plants[len(plants)-1].hold.scv
	if !s.open {
		return "with holds between constant and exponential"
	}
	return fmt.Sprintf("with holds whose squared coefficient of variation is %s–%s, as the measured wait tells", digits(least), digits(most))
}

// plants are the services that would show what was measured: with holds and the
// rest of a request between constant and as spread as they may be.
func (s scene) plants(c cut) []plant {
	rest := s.residual(c)
	cpu := s.uncut().sum().value
	base := plant{n: simulated, seed: 1}
	if s.cores > 0 && cpu > 0 {
		base.servers = max(1, int(math.Round(s.cores)))
		base.cpu = times{cpu * float64(base.servers) / s.cores, 1}
	}
	beside := max(0, rest.value-cpu-c.station.demand)
	if s.open {
		base.rate, base.even = s.rate, s.load.Mode == unpark.Constant
	} else {
		base.clients = max(1, int(math.Round(s.population)))
	}
	var out []plant
	for _, hold := range s.holds(s.heldBy(c)) {
		p := base
		p.hold, p.rest = hold, times{beside, min(1, hold.scv)}
		out = append(out, p)
	}
	return out
}

// holds returns what the holds of a lock may be: mean and spread. Traces tell how
// often requests waited and for how long, not each hold. In a closed loop holds are
// taken for something between constant and exponential, with the measured mean.
// In an open one the mean wait is w = ρ²(a²+c²)÷2λ(1−ρ), exact for random arrivals
// (a² = 1, Pollaczek and Khinchine), near it for even ones (a² = 0, Kingman). So to
// each spread c² belongs one ρ; those that are far from the share of the time in
// which the lock was seen held are left out.
func (s scene) holds(lock station) []times {
	if !s.open || lock.wait <= 0 {
		return []times{{lock.demand, 0}, {lock.demand, 0.5}, {lock.demand, 1}}
	}
	// A share that a few dozen dumps tell is known to a sixth.
	const known = 0.17
	seen := min(0.98, s.rate*lock.demand)
	arrivals := 1.0 // squared coefficient of variation of the time between them
	if s.load.Mode == unpark.Constant {
		arrivals = 0
	}
	var out []times
	nearest, least := times{}, math.Inf(1)
	for _, scv := range spreads() {
		if arrivals+scv == 0 {
			continue // nobody would wait
		}
		a := 2 * s.rate * lock.wait / (arrivals + scv)
		rho := min(0.98, (math.Sqrt(a*a+4*a)-a)/2) // of ρ² + aρ − a = 0
		t := times{rho / s.rate, scv}
		if math.Abs(rho-seen) <= known {
			out = append(out, t)
		}
		if d := math.Abs(rho - seen); d < least {
			nearest, least = t, d
		}
	}
	if len(out) == 0 {
		out = append(out, nearest)
	}
	return out
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
