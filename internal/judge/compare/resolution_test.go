package compare_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/stats"
)

// TestResolution: of experiments with a change as large as Resolution says, and noise
// that is as large as was said, 19 in 20 call it; of a third of the change few do.
func TestResolution(t *testing.T) {
	trials := 120
	if testing.Short() {
		trials = 16
	}
	random := rand.New(rand.NewPCG(31, 5))
	const sd = 0.03
	for _, rounds := range []int{11, 14, 20} {
		var sum float64
		for range 40 { // what is learnt from a few rounds scatters itself
			sum += compare.Resolution(noisy(random, 8, sd, nil), rounds, compare.Options{})["cpu_per_request"].Value.Or(0) / 40
		}
		found, third := 0, 0
		for range trials {
			if verdicts(judged(noisy(random, rounds, sd, compare.Sample{"cpu_per_request": 1 + sum}), noisy(random, 3, sd, nil)))["cpu_per_request"] == "worse" {
				found++
			}
			if verdicts(judged(noisy(random, rounds, sd, compare.Sample{"cpu_per_request": 1 + sum/3}), noisy(random, 3, sd, nil)))["cpu_per_request"] == "worse" {
				third++
			}
		}
		share, few := float64(found)/float64(trials), float64(third)/float64(trials)
		t.Logf("%d rounds: a change of %.1f %% is called in %.3f, a third of it in %.3f", rounds, 100*sum, share, few)
		if slack := 3 * math.Sqrt(0.05*0.95/float64(trials)); share < 0.95-slack || few > 0.5 {
			t.Errorf("%d rounds: %.1f %% is found in %.3f, want %.2f; a third of it in %.3f", rounds, 100*sum, share, 0.95, few)
		}
	}
}

// TestResolutionOfFew: what cannot be shown is not promised; with nothing measured the
// recorded noise is marked as such, and the arms' difference has no part in it.
func TestResolutionOfFew(t *testing.T) {
	random := rand.New(rand.NewPCG(32, 5))
	if got := compare.Resolution(nil, 7, compare.Options{}); len(got) != 0 {
		t.Errorf("7 rounds show %v", got)
	}
	all, one := compare.Options{}.Least()
	if all != 8 || one != 11 {
		t.Errorf("it takes %d rounds, and %d for one metric", all, one)
	}
	last := math.Inf(1)
	for _, n := range []int{8, 11, 14, 20, 100} {
		got := compare.Resolution(nil, n, compare.Options{})
		q := got["throughput"]
		if v := q.Value.Or(0); v <= 0 || v > 1.02*last || q.N != 0 || len(got) != 4 {
			t.Errorf("%d rounds, nothing measured: %v after %v", n, got, last)
		}
		last = q.Value.Or(0)
	}
	same, far := noisy(random, 14, 0.03, nil), noisy(random, 14, 0.03, compare.Sample{"throughput": 3, "p99": 0.1})
	for metric, q := range compare.Resolution(far, 14, compare.Options{}) {
		if base := compare.Resolution(same, 14, compare.Options{})[metric]; q.N != 14 || q.Value.Or(0) > 2*base.Value.Or(0) {
			t.Errorf("%s: %v where a difference is, %v without", metric, q, base)
		}
	}
	if q := compare.Resolution(noisy(random, 5, 0, nil), 14, compare.Options{})["p50"]; q.Value.Or(0) != 0.005 {
		t.Errorf("a silent host: %v", q)
	}
	if c := judged(same, nil); len(c.Resolution) != len(c.Effects) {
		t.Errorf("the document has the resolution of %d metrics", len(c.Resolution))
	}
}

// TestRecordedNoise: the noise that is reported before anything was measured is that of the
// recorded rounds.
func TestRecordedNoise(t *testing.T) {
	scatter := map[string][]float64{}
	for _, rounds := range recordings(t, "testdata/speed.json") {
		var pairs []compare.Pair
		for _, r := range rounds {
			pairs = append(pairs, compare.Pair{Before: r.Before, After: r.After})
		}
		for metric, q := range compare.Resolution(pairs, 20, compare.Options{}) {
			scatter[metric] = append(scatter[metric], q.Value.Or(0))
		}
	}
	said := compare.Resolution(nil, 20, compare.Options{})
	for metric, p := range map[string]float64{"throughput": 1, "cpu_per_request": 1, "p50": 0.5, "p99": 0.5} {
		want, got := stats.Quantile(scatter[metric], p), said[metric].Value.Or(0)
		if math.Abs(got/want-1) > 0.05 {
			t.Errorf("%s: %.4f is reported, the recorded rounds have %.4f", metric, got, want)
		}
	}
}
