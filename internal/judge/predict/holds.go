package predict

import (
	"fmt"
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
	"github.com/unpark-go/unpark/internal/units"
)

const (
	// enoughHolds is from how many the spread of holds is known: to a third, if they
	// are exponential (see spread).
	enoughHolds = 100
	// jitter is what the scheduler and the clock add to the squared coefficient of
	// variation, or take from it.
	jitter = 0.05
	// mostSpread bounds what is simulated: of longer tails a run of a few thousand
	// requests holds too few.
	mostSpread = 4
)

// spread is the squared coefficient of variation of a lock's holds, measured in
// traces; n is 0 where there were too few. The 90 % interval is that of gamma
// distributed holds, by the delta method: the standard error is c²·√(2(1+c²)/n).
func (s scene) spread(lock station) (scv span, n int64) {
	if s.m.Ev.Tracing == nil || lock.lock == nil {
		return span{}, 0
	}
	var count, sum, squares float64
	for _, e := range s.m.Ev.Tracing.Edges {
		if e.Hold == nil || !lock.lock.Owns(e) {
			continue
		}
		c, ok := e.Hold.SCV.Get()
		if !ok {
			continue
		}
		k, m := float64(e.Hold.N), e.Hold.Mean
		count += k
		sum += k * m
		squares += m * m * (k + (k-1)*c)
	}
	if count < enoughHolds || sum <= 0 {
		return span{}, 0
	}
	mean := sum / count
	c := max(0, (squares/count-mean*mean)/(mean*mean)) * count / (count - 1)
	by := math.Exp(stats.Z90 * math.Sqrt(2*(1+c)/count))
	return span{min(mostSpread, max(0, c/by-jitter)), min(mostSpread, c), min(mostSpread, c*by+jitter)}, int64(count)
}

// queueing is the squared coefficient of variation that mean value analysis takes a
// lock's holds for: that of exponential ones where it is not known.
func (s scene) queueing(lock station) float64 {
	if scv, n := s.spread(lock); n > 0 {
		return scv.value
	}
	return 1
}

// holds returns what the holds of a lock may be: mean and spread. Their spread is
// measured where traces have holds enough; n is how many, 0 where it is not. Else
// holds in a closed loop are taken for something between constant and exponential,
// with the measured mean. In an open one the mean wait is w = ρ²(a²+c²)÷2λ(1−ρ),
// exact for random arrivals (a² = 1, Pollaczek and Khinchine), near it for even
// ones (a² = 0, Kingman). So to each spread c² belongs one ρ; those that are far
// from the share of the time in which the lock was seen held are left out. Where
// that leaves none of the measured spreads, the measurements contradict each other
// (arrivals at the lock are neither random nor even), and the spread is fitted.
func (s scene) holds(lock station) (out []times, n int64) {
	scv, n := s.spread(lock)
	measured := []float64{scv.low, scv.value, scv.high}
	if !s.open || lock.wait <= 0 {
		if n == 0 {
			measured = []float64{0, 0.5, 1}
		}
		for _, c := range measured {
			out = append(out, times{lock.demand, c})
		}
		return out, n
	}
	if n > 0 {
		if out, _ := s.waited(lock, measured); len(out) > 0 {
			return out, n
		}
	}
	out, nearest := s.waited(lock, spreads())
	if len(out) == 0 {
		out = append(out, nearest)
	}
	return out, 0
}

// waited returns the holds of some spreads with which requests of an open loop would
// wait as long as was measured, and be seen holding the lock about as often as they
// were; nearest is what comes closest to that.
func (s scene) waited(lock station, scvs []float64) (out []times, nearest times) {
	// A share that a few dozen dumps tell is known to a sixth.
	const known = 0.17
	seen := min(0.98, s.rate*lock.demand)
	arrivals := 1.0 // squared coefficient of variation of the time between them
	if s.load.Mode == unpark.Constant {
		arrivals = 0
	}
	least := math.Inf(1)
	for _, scv := range scvs {
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
	return out, nearest
}

// aboutHolds says what the holds of the lock that requests queue for are taken for.
func aboutHolds(s scene, c cut) []string {
	lock := s.heldBy(c)
	if lock.demand <= 0 || s.overloaded {
		return nil
	}
	name := "the lock's holds"
	if c.station.demand <= 0 {
		name = "the holds of the busiest lock"
	}
	holds, n := s.holds(lock)
	most := holds[len(holds)-1].scv
	switch {
	case n > 0:
		return []string{fmt.Sprintf("%s have a squared coefficient of variation of %s–%s, measured in %d of them in traces", name, units.Say(holds[0].scv, ""), units.Say(most, ""), n)}
	case s.open:
		return []string{fmt.Sprintf("%s are taken to have a squared coefficient of variation of %s–%s, fitted to the mean wait", name, units.Say(holds[0].scv, ""), units.Say(most, ""))}
	case c.station.demand > 0:
		return []string{name + " are taken to be between constant and exponential"}
	default:
		return []string{name + " are taken to be exponential"}
	}
}
