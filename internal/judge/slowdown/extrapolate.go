package slowdown

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
)

// extrapolation is what the line says of the service without the site's time, as
// ratios after ÷ before.
type extrapolation struct {
	throughput, cpu, slope unpark.Quantity
	ceiling                string
}

// extrapolate draws the line through arms on to the negative delay, by bootstrap over
// rounds. The time that is removed is as uncertain as it was measured.
func (s Subject) extrapolate(rounds []Round, arms []int, seed uint64) extrapolation {
	random := rand.New(rand.NewPCG(seed, 1))
	n := int64(len(rounds))
	value, ceiling := s.at(rounds, arms, s.Removed.Value.Or(0), 0.5)
	var throughput, cpu, slope []float64
	for range redraws {
		again := drawn(random, rounds)
		removed := s.removed(random)
		one, _ := s.at(again, arms, removed, nearness(random))
		throughput = append(throughput, one.throughput)
		cpu, slope = append(cpu, one.cpu), append(slope, one.slope)
	}
	wide := fewRounds(len(rounds))
	out := extrapolation{ceiling: ceiling, throughput: ratio(value.throughput, throughput, wide, n)}
	low, high := middle(slope)
	out.slope = unpark.Between(value.slope, value.slope-wide*max(0, value.slope-low), value.slope+wide*max(0, high-value.slope), "ratio", n)
	if value.cpu > 0 {
		out.cpu = ratio(value.cpu, cpu, wide, n)
	}
	return out
}

// nearness draws evenly from 0–1, and the ends often enough for a 90 % interval to have
// them: nothing is known of where between them a service comes to lie.
func nearness(random *rand.Rand) float64 {
	return stats.Bound((1+2*beyondEnds)*random.Float64()-beyondEnds, 0, 1)
}

// middle returns the bounds of the middle 90 % of draws.
func middle(draws []float64) (low, high float64) {
	slices.Sort(draws)
	return stats.Quantile(draws, 0.05), stats.Quantile(draws, 0.95)
}

// ratio is the middle of the draws of a ratio, made wider around the value: as a
// factor, so that it stays above zero.
func ratio(value float64, draws []float64, wide float64, n int64) unpark.Quantity {
	low, high := middle(draws)
	return unpark.Between(value, value*math.Pow(min(1, low/value), wide), value*math.Pow(max(1, high/value), wide), "ratio", n)
}

// outcome is what one set of rounds says.
type outcome struct{ throughput, cpu, slope float64 }

// at is the service without the removed time. near, 0–1, is how near it gets to a
// ceiling, and how much of what goes with waiting goes.
func (s Subject) at(rounds []Round, arms []int, removed, near float64) (outcome, string) {
	l, sc := fit(rounds, arms, gapOf), s.scene
	out := outcome{slope: l.slope * l.gap}
	left, ceiling := 1-l.slope*removed, ""
	if cpu := mean(rounds).CPU; cpu > 0 {
		g := fit(rounds, arms, cpuOf).slope * cpu
		var after float64
		after, out.cpu = s.cpuLeft(cpu, g, removed, near)
		// It gets at least as near to the ceiling as it is now.
		now := min(1, sc.share(cpu, l.gap))
		part := max(reached, now)
		if floor := sc.share(after, l.gap); floor > left {
			left, ceiling = within(floor, part+(1-part)*near), "cpu"
		}
	}
	if floor := sc.Least / l.gap; floor > left {
		left, ceiling = within(floor, reached+(1-reached)*near), "connections"
		if sc.Open {
			left, ceiling = floor, "offered"
		}
	}
	out.throughput = 1 / max(left, vanished)
	return out, ceiling
}

// share is the part of the cores that requests of so much CPU use, gap apart; 0 when
// the cores are not known.
func (sc scene) share(cpu, gap float64) float64 {
	if sc.Cores <= 0 {
		return 0
	}
	return (cpu + sc.Generator) / sc.Cores / gap
}

// cpuLeft returns the CPU of a request without the removed time: at the least, which
// sets the ceiling, and as a ratio as the line says. A second of spinning takes a
// second of CPU; more than that (g) is processors that look for work and goroutines
// that are woken, because requests wait for each other, and part of it goes with the
// wait.
func (s Subject) cpuLeft(cpu, g, removed, near float64) (least, ratio float64) {
	around := max(0, g-1) * near
	own := 1.0
	if s.Spot.Lock {
		own = 0 // what is done under a lock is still to be done
	}
	least = max(cpu-(own+around)*removed, leastCPU*cpu)
	return least, max(cpu-(own*min(g, 1)+around)*removed, leastCPU*cpu) / cpu
}

// within is what is left where only part of a ceiling is reached; a service that is
// at its ceiling already stays where it is.
func within(floor, part float64) float64 { return max(floor, min(floor/part, 1)) }

// removed draws from what was measured of the site's time.
func (s Subject) removed(random *rand.Rand) float64 {
	v := s.Removed.Value.Or(0)
	low, ok := s.Removed.Low.Get()
	high, also := s.Removed.High.Get()
	if !ok || !also {
		return v
	}
	return max(0, v+random.NormFloat64()*(high-low)/(2*stats.Z90))
}
