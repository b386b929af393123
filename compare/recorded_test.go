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
	"github.com/unpark-go/unpark/compare"
)

// recorded is one real round of identical arms: windows of three seconds, fresh
// processes, two cores shared with the generator, chance deciding which went first.
// testdata/rounds.json holds them by service.
type recorded struct {
	Others float64        `json:"others_cores"` // what neither the service nor the generator used, in the worse of both
	Before compare.Sample `json:"before"`
	After  compare.Sample `json:"after"`
}

func recordings(t testing.TB) map[string][]recorded {
	t.Helper()
	text, err := os.ReadFile("testdata/rounds.json")
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

// TestIdenticalArms: of comparisons of identical arms, drawn from recorded rounds and
// stopped as Enough says, at most 1 % call a change of any metric.
func TestIdenticalArms(t *testing.T) {
	trials := 2000
	if testing.Short() {
		trials = 100
	}
	random := rand.New(rand.NewPCG(1, 100))
	all := recordings(t)
	names := slices.Sorted(maps.Keys(all))
	called := map[string]int{}
	alarms, rounds := 0, 0
	for i := range trials {
		from := all[names[i%len(names)]]
		pairs := stopped(draw(random, from, 20), compare.Options{})
		c := compare.Rounds(pairs, draw(random, from, 4), unpark.Run{}, unpark.Run{}, compare.Options{})
		rounds += len(pairs)
		alarm := false
		for m, v := range verdicts(c) {
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
	t.Logf("%d of %d comparisons of identical arms called a change (%.2f %%): %v; %.1f rounds on average", alarms, trials, 100*rate, called, float64(rounds)/float64(trials))
	if most := 0.01 + 3*math.Sqrt(0.01*0.99/float64(trials)); testing.Short() && rate > most || !testing.Short() && rate > 0.01 {
		t.Errorf("%.2f %% of comparisons of identical arms called a change, want at most 1 %%", 100*rate)
	}
}

// TestPowerOfRecordedRounds reports how often changes of the CPU per request are
// found on the recorded services, and holds that a larger one is found more often.
func TestPowerOfRecordedRounds(t *testing.T) {
	trials := 200
	if testing.Short() {
		trials = 10
	}
	random := rand.New(rand.NewPCG(2, 200))
	for name, from := range recordings(t) {
		var last int
		for _, change := range []float64{1.02, 1.05, 1.10, 1.25} {
			found, wrong := 0, 0
			for range trials {
				pairs := stopped(scaled(draw(random, from, 20), "cpu_per_request", change), compare.Options{})
				c := compare.Rounds(pairs, draw(random, from, 4), unpark.Run{}, unpark.Run{}, compare.Options{})
				switch verdicts(c)["cpu_per_request"] {
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
