package predict

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
)

// A candidate is a service that may be the one that was measured: it has its mean
// times, and spreads of its own. Those whose simulated percentiles are close to the
// measured ones are kept, and the fix is made to each of them.
type candidate struct {
	plant plant // what queues
	rest  times // what does not, added afterwards
	p50   float64
	p99   float64
	miss  float64 // from the measured percentiles and waits, summed as logarithms
	off50 float64 // |log| of simulated ÷ measured
	off99 float64
}

// simulated returns the latency that a fix leaves, by simulation of the services that may
// be the measured one. The fix says what it makes of one: the value first, then the ends.
func (o openLoop) simulated(fix func(candidate) []candidate) latency {
	r := o.Response
	seen := map[plant][]float64{}
	var mean, p50, p99 []float64 // after, in seconds, of the value
	var all50, all99 []float64   // of the ends as well
	for _, k := range o.near {
		for i, after := range fix(k) {
			if seen[after.plant] == nil {
				seen[after.plant] = after.plant.record().responses
			}
			m, a50, a99 := convolve(seen[after.plant], after.rest, k.plant.seed)
			all50 = append(all50, a50, a50/k.p50*r.P50)
			all99 = append(all99, a99, a99/k.p99*r.P99)
			if i == 0 {
				mean, p50, p99 = append(mean, m), append(p50, a50), append(p99, a99)
			}
		}
	}
	// What the best of them misses of the measured percentiles is not in the model, and
	// may stay as it is.
	best := o.near[0]
	return latency{
		mean: span{stats.Quantile(mean, 0), stats.Quantile(mean, 0.5), stats.Quantile(mean, 1)},
		p50:  enclose(p50, all50, best.off50/2+differ50, r.P50),
		p99:  enclose(p99, all99, best.off99/2+differ99, r.P99),
	}
}

// enclose returns the interval from the least to the most, wider by a logarithm. A
// fix makes nothing slower but by chance.
func enclose(values, all []float64, by, before float64) span {
	low, high := stats.Quantile(all, 0)*math.Exp(-by), stats.Quantile(all, 1)*math.Exp(by)
	high = min(high, before*math.Exp(by))
	low = min(low, high)
	return span{low, stats.Bound(stats.Quantile(values, 0.5), low, high), high}
}

// candidates returns the services that come near what was measured, the nearest
// first: none where the queue's server is not known.
func candidates(c change) []candidate {
	if c.Response.P50 <= 0 || c.Response.P99 <= 0 || c.cut.queue && c.cut.station.demand <= 0 {
		return nil
	}
	wait := c.busiest().wait
	mean := c.mean - wait // without the queue
	if c.cut.queue {
		mean = c.residual().value
	}
	var out []candidate
	for _, p := range c.openPlants() {
		o := p.record()
		// A simulated queue near saturation has a mean of its own; the measured one is
		// known better.
		scale := 1.0
		if w := stats.Mean(o.waits); w > 0 && wait > 0 {
			scale = wait / w
		}
		rest := mean
		queued := make([]float64, len(o.responses))
		for i, v := range o.responses {
			queued[i] = v + o.waits[i]*(scale-1)
			rest -= (v - o.waits[i]) / float64(len(queued))
		}
		for _, scv := range spreads() {
			k := candidate{plant: p, rest: times{max(0, rest), scv}, miss: min(1, math.Abs(math.Log(scale))/4)}
			c.judge(&k, queued, rest)
			out = append(out, k)
			if rest <= 0 {
				break
			}
		}
	}
	slices.SortStableFunc(out, func(a, b candidate) int { return cmp.Compare(a.miss, b.miss) })
	return nearest(out)
}

// nearest keeps the candidates that are as good as the best, which are in order. Of
// those that queue alike it keeps the nearest and the ends of what the rest may be.
func nearest(all []candidate) []candidate {
	var out, ends []candidate
	of := map[plant][]candidate{}
	for _, k := range all {
		most := closeEnough * (1 + 3*max(0, (k.plant.busy()-busyQueue)/(1-busyQueue)))
		if k.miss > min(tooFar, all[0].miss+most) {
			continue
		}
		if len(of[k.plant]) == 0 {
			out = append(out, k)
		}
		of[k.plant] = append(of[k.plant], k)
	}
	bySpread := func(a, b candidate) int { return cmp.Compare(a.rest.scv, b.rest.scv) }
	for _, k := range out {
		for _, end := range []candidate{slices.MinFunc(of[k.plant], bySpread), slices.MaxFunc(of[k.plant], bySpread)} {
			if end.rest != k.rest {
				ends = append(ends, end)
			}
		}
	}
	return append(out, ends...)
}

// judge says how far a candidate is from what was measured. Rest is what the mean
// leaves for what does not queue; the waits that were measured are most of it.
func (s *service) judge(k *candidate, queued []float64, rest float64) {
	r := s.Response
	_, at := percentiles(queued, k.rest, k.plant.seed)
	k.p50, k.p99 = at(0.5), at(0.99)
	k.off50, k.off99 = math.Abs(math.Log(k.p50/r.P50)), math.Abs(math.Log(k.p99/r.P99))
	k.miss += k.off50 + k.off99
	if r.P90 > 0 {
		k.miss += math.Abs(math.Log(at(0.9) / r.P90))
	}
	queues := s.waits(func(c unpark.WaitClass) bool { return c == unpark.WaitLock })
	if waits := s.measuredWaits() - queues; waits > rest {
		k.miss += min(1, (waits-rest)/s.mean)
	} else if s.m.Present(unpark.KindGoroutine) {
		k.miss += min(1, (rest-waits)/s.mean)
	}
}

// openPlants returns what may queue in a request: a lock, if one is busy, and the
// processors.
func (c change) openPlants() []plant {
	base := plant{rate: c.rate, even: c.Mode == unpark.Constant, n: simulated, seed: 1}
	if cpu := c.request(); c.cores > 0 && cpu > 0 {
		base.servers = max(1, int(math.Round(c.cores)))
		base.cpu.mean = min(cpu*float64(base.servers)/c.cores, fullest*float64(base.servers)/c.rate)
	}
	holds := []times{{}}
	cpus := spreads()
	if lock := c.busiest(); lock.demand > 0 {
		holds, _ = c.holds(lock)
		cpus = []float64{0, 1.5}
	}
	var out []plant
	for _, hold := range holds {
		for _, cpu := range cpus {
			p := base
			p.hold, p.cpu.scv = hold, cpu
			out = append(out, p)
		}
	}
	return out
}

// fixes returns what a cut makes of a candidate: the value first, then the ends.
func (o openLoop) fixes(k candidate) []candidate {
	cpu, rest := o.cpuLeft(1).sum(), o.residual()
	queue, wait, before := o.cut.queue, o.cut.wait, o.request()
	with := func(wait, cpu, shift float64) candidate {
		out := k
		if before > 0 {
			out.plant.cpu.mean *= cpu / before
		}
		if queue {
			out.plant.shards = apart
			out.rest.mean = max(0, k.rest.mean+shift)
		} else {
			out.rest.mean = max(0, k.rest.mean-wait)
		}
		return out
	}
	out := []candidate{
		with(wait.value, cpu.value, 0), with(wait.low, cpu.high, rest.high-rest.value), with(wait.high, cpu.low, rest.low-rest.value),
	}
	// What stays beside a wait, or of the CPU, need not spread as the whole does.
	if !queue && wait.value > 0 {
		constant := out[0]
		constant.rest.scv = 0
		out = append(out, constant)
	}
	if !queue && o.cut.cpu.value > 0 {
		even := out[0]
		even.plant.cpu.scv /= 4
		out = append(out, even)
	}
	return out
}

// convolve returns the mean, median and p99 of responses with a rest added to each.
func convolve(queued []float64, rest times, seed uint64) (mean, p50, p99 float64) {
	mean, at := percentiles(queued, rest, seed)
	return mean, at(0.5), at(0.99)
}

func percentiles(queued []float64, rest times, seed uint64) (mean float64, at func(float64) float64) {
	r := rand.New(rand.NewPCG(seed, 6))
	v := make([]float64, len(queued))
	for i, q := range queued {
		v[i] = q + rest.draw(r)
	}
	slices.Sort(v)
	return stats.Mean(v), func(q float64) float64 { return v[int(q*float64(len(v)-1))] }
}
