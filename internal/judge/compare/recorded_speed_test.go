package compare_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/rota"
)

// older returns recordings as experiments without a yardstick have them.
func older(from []recorded) []recorded {
	out := slices.Clone(from)
	for i, r := range from {
		p := without([]compare.Pair{{Before: r.Before, After: r.After}})[0]
		out[i].Before, out[i].After = p.Before, p.After
	}
	return out
}

// TestIdenticalArmsRecordedWithSpeed: of comparisons of identical arms drawn from real
// rounds of 5 s with a yardstick (testdata/speed.json), at most 1 % call a change.
func TestIdenticalArmsRecordedWithSpeed(t *testing.T) {
	trials := 100
	if rota.Long(2, 4) {
		trials = 2000
	}
	random := rand.New(rand.NewPCG(9, 17))
	all := recordings(t, "testdata/speed.json")
	names := slices.Sorted(maps.Keys(all))
	corrected := 0
	atMostOnePercent(t, "with a yardstick", trials, func(i int) unpark.Comparison {
		from := all[names[i%len(names)]]
		c := judged(stopped(draw(random, from, 20), compare.Options{}), draw(random, from, 4))
		if len(c.Speed.Corrected) > 0 {
			corrected++
		}
		return c
	})
	t.Logf("%.1f %% were corrected", 100*float64(corrected)/float64(trials))
}

// TestPowerOfRecordedRoundsWithSpeed reports how often changes of the CPU per request
// are found on the recorded services with the yardstick and without, in 20 rounds, and
// holds that it never finds less.
func TestPowerOfRecordedRoundsWithSpeed(t *testing.T) {
	all := recordings(t, "testdata/speed.json")
	for i, name := range slices.Sorted(maps.Keys(all)) {
		trials := 20
		if rota.Long(i, 4) {
			trials = 300
		}
		from := all[name]
		for _, change := range []float64{1.02, 1.05, 1.10} {
			var share [2]float64
			for which, rounds := range [][]recorded{from, older(from)} {
				random := rand.New(rand.NewPCG(10, 17)) // the same draws for both
				for range trials {
					pairs := scaled(draw(random, rounds, 20), "cpu_per_request", change)
					if verdicts(judged(pairs, draw(random, rounds, 4)))["cpu_per_request"] == "worse" {
						share[which] += 1 / float64(trials)
					}
				}
			}
			t.Logf("%s: a change of %+.0f %% found in %.3f with the yardstick, in %.3f without", name, 100*(change-1), share[0], share[1])
			if share[0] < share[1]-0.1 {
				t.Errorf("%s: %+.0f %% is found less often with the yardstick: %.3f, without %.3f", name, 100*(change-1), share[0], share[1])
			}
		}
		raw, left := spreads(from)
		t.Logf("%s: %d rounds differ by %.1f %%, corrected by %.1f %%", name, len(from), 100*raw, 100*left)
	}
}

// spreads are the standard deviations of one arm's log CPU per request that the pairs
// of identical arms show, as they are and corrected.
func spreads(from []recorded) (raw, left float64) {
	var pairs []compare.Pair
	for _, r := range from {
		pairs = append(pairs, compare.Pair{Before: r.Before, After: r.After})
	}
	slope := 0.0
	for _, e := range judged(pairs, nil).Effects {
		if e.Metric == "cpu_per_request" {
			slope = e.Slope.Or(0)
		}
	}
	for _, p := range pairs {
		d := math.Log(p.After["cpu_per_request"] / p.Before["cpu_per_request"])
		r := math.Log(p.After[compare.Yardstick] / p.Before[compare.Yardstick])
		raw += d * d / 2 / float64(len(pairs))
		left += (d - slope*r) * (d - slope*r) / 2 / float64(len(pairs))
	}
	return math.Sqrt(raw), math.Sqrt(left)
}
