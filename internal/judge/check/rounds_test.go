package check_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/check"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/stats"
)

// paced returns the rounds of identical arms that compare recorded with a yardstick.
func paced(t *testing.T) map[string][]compare.Pair {
	t.Helper()
	text, err := os.ReadFile("../compare/testdata/speed.json")
	if err != nil {
		t.Fatal(err)
	}
	var out map[string][]compare.Pair
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestCorrectedSpreads holds corrected.json against the recording that it sums up;
// -update writes it.
func TestCorrectedSpreads(t *testing.T) {
	all := paced(t)
	names := slices.Sorted(maps.Keys(all))
	effects := map[string][]unpark.Effect{}
	applies := map[string]bool{} // metrics that any service was corrected in
	for _, name := range names {
		c := compare.Rounds(all[name], nil, unpark.Run{}, unpark.Run{}, compare.Options{})
		effects[name] = c.Effects
		for _, m := range c.Speed.Corrected {
			applies[m] = true
		}
	}
	var lines []string
	for _, name := range names {
		spreads := map[string]json.Number{}
		for _, e := range effects[name] {
			if applies[e.Metric] {
				spreads[e.Metric] = json.Number(fmt.Sprintf("%.4f", spread(all[name], e)))
			}
		}
		text, err := json.Marshal(spreads)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf(" {\"service\": %q, \"rounds\": %d, \"spreads\": %s}", name, len(all[name]), text))
	}
	want := "[\n" + strings.Join(lines, ",\n") + "\n]\n"
	if *update {
		if err := os.WriteFile("corrected.json", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile("corrected.json"); err != nil || string(have) != want {
		t.Errorf("corrected.json: %v; it holds\n%swant\n%s", err, have, want)
	}
}

// spread is the robust standard deviation of the corrected log ratios.
func spread(pairs []compare.Pair, e unpark.Effect) float64 {
	var square []float64
	for _, p := range pairs {
		d := math.Log(p.After[e.Metric] / p.Before[e.Metric])
		d -= e.Slope.Or(0) * math.Log(p.After[compare.Yardstick]/p.Before[compare.Yardstick])
		square = append(square, d*d)
	}
	return math.Sqrt(stats.Quantile(square, 0.5) / 0.4549)
}

// TestRoundsKeepTheirWord: where so many rounds are said to tell a change, so many
// recorded ones do for a service in the middle.
func TestRoundsKeepTheirWord(t *testing.T) {
	trials := 100
	if testing.Short() {
		trials = 30
	}
	all := paced(t)
	random := rand.New(rand.NewPCG(3, 17))
	for _, c := range []struct{ change, bound float64 }{{1.05, 1}, {1.03, 1}, {1.08, 1.05}} {
		line := fmt.Sprintf("cpu_per_request: <= +%.0f%%", 100*(c.bound-1))
		told := judged(t, check.Subject{Run: with(func(f *figures) { f.cpu *= c.change }), Baselines: []unpark.Run{run(usual())}}, line)
		n, err := strconv.Atoi(string(regexp.MustCompile(`about (\d+) rounds`).FindSubmatch([]byte(told.Why))[1]))
		if err != nil {
			t.Fatal(err)
		}
		var shares []float64
		for _, name := range slices.Sorted(maps.Keys(all)) {
			broken := 0
			for range trials {
				if breaksAfter(drawn(random, all[name], n, c.change), drawn(random, all[name], 3, 1), c.bound) {
					broken++
				}
			}
			shares = append(shares, float64(broken)/float64(trials))
		}
		t.Logf("%+.0f %% against %s: %d rounds tell it in %.2f of all cases", 100*(c.change-1), line, n, shares)
		if middle := stats.Quantile(shares, 0.5); middle < 0.75 {
			t.Errorf("%+.0f %% against %s: %d rounds tell it in %.2f, want most of the time", 100*(c.change-1), line, n, shares)
		}
	}
}

// drawn returns rounds in which the arm after uses more processor time.
func drawn(random *rand.Rand, from []compare.Pair, n int, change float64) []compare.Pair {
	out := make([]compare.Pair, n)
	for i := range out {
		p := from[random.IntN(len(from))]
		if random.IntN(2) == 0 {
			p.Before, p.After = p.After, p.Before
		}
		p.After = maps.Clone(p.After)
		p.After["cpu_per_request"] *= change
		out[i] = p
	}
	return out
}

// breaksAfter reports whether the rounds break a bound on the processor time.
func breaksAfter(pairs, identical []compare.Pair, bound float64) bool {
	for _, e := range compare.Rounds(pairs, identical, unpark.Run{}, unpark.Run{}, compare.Options{}).Effects {
		if e.Metric == "cpu_per_request" {
			return e.Verdict == "worse" && e.Ratio.Low.Or(0) > bound
		}
	}
	return false
}
