package compare_test

import (
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/rota"
)

// recorded is one real round of identical arms: windows of three seconds, fresh
// processes, two cores shared with the generator, chance deciding which went first.
// testdata/rounds.json holds them by service.
type recorded struct {
	Others float64        `json:"others_cores"` // what neither the service nor the generator used, in the worse of both
	Before compare.Sample `json:"before"`
	After  compare.Sample `json:"after"`
}

func recordings(t testing.TB, file string) map[string][]recorded {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string][]recorded
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// draw returns rounds of a service in a random order, each as often as chance has
// it, and either arm as the one before.
func draw(random *rand.Rand, from []recorded, n int) []compare.Pair {
	out := make([]compare.Pair, n)
	for i := range out {
		r := from[random.IntN(len(from))]
		if out[i] = (compare.Pair{Before: r.Before, After: r.After}); random.IntN(2) == 0 {
			out[i] = compare.Pair{Before: r.After, After: r.Before}
		}
	}
	return out
}

// scaled returns the pairs with one metric of the arm after multiplied.
func scaled(pairs []compare.Pair, metric string, by float64) []compare.Pair {
	out := make([]compare.Pair, len(pairs))
	for i, p := range pairs {
		after := maps.Clone(p.After)
		after[metric] *= by
		out[i] = compare.Pair{Before: p.Before, After: after}
	}
	return out
}

// stopped returns the rounds after which Enough says stop.
func stopped(pairs []compare.Pair, o compare.Options) []compare.Pair {
	for n := range pairs {
		if done, _ := compare.Enough(pairs[:n], o); done {
			return pairs[:n]
		}
	}
	return pairs
}

func verdicts(c unpark.Comparison) map[string]string {
	out := map[string]string{}
	for _, e := range c.Effects {
		out[e.Metric] = e.Verdict
	}
	return out
}

// TestIdenticalArms: of comparisons of identical arms, stopped as Enough says, at most
// 1 % call a change of any metric: on recorded rounds, which are so noisy that the
// budget ends them, and on a quiet host, where they end early.
func TestIdenticalArms(t *testing.T) {
	var random *rand.Rand
	all := recordings(t, "testdata/rounds.json")
	names := slices.Sorted(maps.Keys(all))
	for i, c := range []struct {
		name string
		draw func(i, n int) []compare.Pair
	}{
		{"recorded", func(i, n int) []compare.Pair { return draw(random, all[names[i%len(names)]], n) }},
		{"quiet", func(_, n int) []compare.Pair { return noisy(random, n, 0.02, nil) }},
	} {
		random = rand.New(rand.NewPCG(1, 100))
		trials := 100
		if rota.Long(i, 4) {
			trials = 2000
		}
		rounds := 0
		atMostOnePercent(t, c.name, trials, func(i int) unpark.Comparison {
			pairs := stopped(c.draw(i, 20), compare.Options{})
			rounds += len(pairs)
			return judged(pairs, c.draw(i, 4))
		})
		t.Logf("%s: %.1f rounds on average", c.name, float64(rounds)/float64(trials))
	}
}

// atMostOnePercent fails when more of some comparisons of identical arms call a change
// of any metric; of few trials it allows for chance.
func atMostOnePercent(t *testing.T, name string, trials int, trial func(i int) unpark.Comparison) {
	t.Helper()
	called := map[string]int{}
	alarms := 0
	for i := range trials {
		alarm := false
		for m, v := range verdicts(trial(i)) {
			if v != "same" {
				called[m]++
				alarm = true
			}
		}
		if alarm {
			alarms++
		}
	}
	rate := float64(alarms) / float64(trials)
	t.Logf("%s: %d of %d comparisons of identical arms called a change (%.2f %%): %v", name, alarms, trials, 100*rate, called)
	if most := 0.01 + 3*math.Sqrt(0.01*0.99/float64(trials)); rate > most || trials >= 1000 && rate > 0.01 {
		t.Errorf("%s: %.2f %% of comparisons of identical arms called a change, want at most 1 %%", name, 100*rate)
	}
}

// TestPowerOfRecordedRounds reports how often changes of the CPU per request are
// found on the recorded services, and holds that a larger one is found more often.
func TestPowerOfRecordedRounds(t *testing.T) {
	trials := 100
	if testing.Short() {
		trials = 10
	}
	random := rand.New(rand.NewPCG(2, 200))
	all := recordings(t, "testdata/rounds.json")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		from := all[name]
		var last int
		for _, change := range []float64{1.02, 1.05, 1.10, 1.25} {
			found, wrong := 0, 0
			for range trials {
				pairs := stopped(scaled(draw(random, from, 20), "cpu_per_request", change), compare.Options{})
				switch verdicts(judged(pairs, draw(random, from, 4)))["cpu_per_request"] {
				case "worse":
					found++
				case "better":
					wrong++
				}
			}
			t.Logf("%s: a change of %+.0f %% found in %.3f", name, 100*(change-1), float64(found)/float64(trials))
			if wrong > trials/100+1 {
				t.Errorf("%s: +%.0f %% CPU called better in %d of %d", name, 100*(change-1), wrong, trials)
			}
			if found < last-trials/10 {
				t.Errorf("%s: a change of %+.0f %% is found less often than a smaller one: %d after %d", name, 100*(change-1), found, last)
			}
			last = found
		}
	}
}

// TestIntervalsCover: on recorded rounds, stopped as Enough says, the 90 % interval
// holds the true ratio of each metric nine times in ten.
func TestIntervalsCover(t *testing.T) {
	trials := 600
	if testing.Short() {
		trials = 60
	}
	random := rand.New(rand.NewPCG(4, 400))
	truth := map[string]float64{"throughput": 1, "p50": 1, "p99": 0.7, "cpu_per_request": 1.05}
	all := recordings(t, "testdata/rounds.json")
	names := slices.Sorted(maps.Keys(all))
	covers(t, truth, trials, 0.89, func(i int) []compare.Pair {
		return scaled(scaled(draw(random, all[names[i%len(names)]], 20), "cpu_per_request", 1.05), "p99", 0.7)
	})
}

// covers holds that the 90 % intervals of experiments, stopped as Enough says, hold the
// true ratio of each metric in a share from least to 0.97 of the trials.
func covers(t *testing.T, truth map[string]float64, trials int, least float64, rounds func(i int) []compare.Pair) {
	t.Helper()
	covered := map[string]int{}
	for i := range trials {
		for _, e := range judged(stopped(rounds(i), compare.Options{}), nil).Effects {
			if e.Ratio.Contains(truth[e.Metric]) {
				covered[e.Metric]++
			}
		}
	}
	for m := range truth {
		share := float64(covered[m]) / float64(trials)
		t.Logf("%s: covered in %.3f", m, share)
		if slack := 3 * math.Sqrt(0.09/float64(trials)); share < least-slack || share > 0.97+slack {
			t.Errorf("%s: the interval holds the true ratio in %.3f, want 0.90", m, share)
		}
	}
}
