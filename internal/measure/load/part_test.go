package load

import (
	"math"
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
)

// numbered are the arrivals of a plan before an instant, by its number in the whole plan.
func numbered(t *testing.T, plan unpark.Plan, end float64) map[int64]int64 {
	t.Helper()
	plan.Requests = []unpark.Request{{URL: "http://127.0.0.1:1/"}}
	s, err := newSettings(plan)
	if err != nil {
		t.Fatal(err)
	}
	out := map[int64]int64{}
	for k, at := int64(0), s.pacer.next(0, 0); at < nanos(end); at = s.pacer.next(k, at) {
		out[plan.Share.Number(k)] = at
		k++
	}
	return out
}

// TestSharesAreTheWhole: the shares of a plan that is no chance are the plan, arrival for
// arrival.
func TestSharesAreTheWhole(t *testing.T) {
	var replay []float64
	for i := range 997 {
		replay = append(replay, math.Sqrt(float64(i))/4)
	}
	for name, plan := range map[string]unpark.Plan{
		"constant": {Mode: unpark.Constant, RateRPS: 777},
		"ramp":     {Mode: unpark.Ramp, Stages: []unpark.Stage{{From: 10, To: 900, Duration: 3}, {From: 900, To: 5, Duration: 2}}},
		"replay":   {Mode: unpark.Replay, Arrivals: replay},
	} {
		whole := numbered(t, plan, 7)
		for _, n := range []int{1, 2, 3, 4, 8} {
			union := map[int64]int64{}
			for i := range n {
				part := plan
				part.Share = unpark.Share{Index: i, Of: n}
				for k, at := range numbered(t, part, 7) {
					if _, twice := union[k]; twice {
						t.Fatalf("%s by %d: two have arrival %d", name, n, k)
					}
					union[k] = at
				}
			}
			if len(union) != len(whole) {
				t.Errorf("%s by %d: %d arrivals, want %d", name, n, len(union), len(whole))
			}
			for k, at := range whole {
				if union[k] != at {
					t.Fatalf("%s by %d: arrival %d at %d ns, want %d", name, n, k, union[k], at)
				}
			}
		}
	}
}

// TestPoissonShares: the union of the shares has exponential gaps of the plan's rate and no
// memory, also where one begins 5 ms late.
func TestPoissonShares(t *testing.T) {
	const rate, end = 1000.0, 60.0
	for _, n := range []int{2, 4, 8} {
		var all []float64
		for i := range n {
			part := unpark.Plan{Mode: unpark.Poisson, RateRPS: rate, Seed: 7, Share: unpark.Share{Index: i, Of: n}}
			for _, at := range numbered(t, part, end) {
				all = append(all, float64(at)/1e9+0.005*float64(i%2))
			}
		}
		slices.Sort(all)
		if got := float64(len(all)) / end; math.Abs(got-rate) > 4*math.Sqrt(rate/end) {
			t.Errorf("by %d: %.1f a second, want %v", n, got, rate)
		}
		gaps := make([]float64, len(all)-1)
		product := 0.0
		for i := range gaps {
			gaps[i] = all[i+1] - all[i]
			if i > 0 {
				product += (gaps[i] - 1/rate) * (gaps[i-1] - 1/rate)
			}
		}
		if r := product / float64(len(gaps)) * rate * rate; math.Abs(r) > 4/math.Sqrt(float64(len(gaps))) {
			t.Errorf("by %d: gaps in a row are correlated by %.4f", n, r)
		}
		slices.Sort(gaps)
		worst := 0.0
		for i, g := range gaps {
			worst = max(worst, math.Abs(float64(i+1)/float64(len(gaps))-(1-math.Exp(-g*rate))))
		}
		if bound := 1.63 / math.Sqrt(float64(len(gaps))); worst > bound { // Kolmogorov-Smirnov, 1 %
			t.Errorf("by %d: gaps are %.4f from exponential ones, more than %.4f", n, worst, bound)
		}
	}
}

// TestShareOfConnectionsAndKinds: connections sum up, and the kinds of all shares are those
// of the whole plan.
func TestShareOfConnectionsAndKinds(t *testing.T) {
	plan := unpark.Plan{Mode: unpark.Closed, Connections: 50, Seed: 3, Requests: []unpark.Request{{URL: "http://127.0.0.1:1/a", Weight: 3}, {URL: "http://127.0.0.1:1/b"}}}
	for _, n := range []int{1, 3, 7, 50} {
		sum := 0
		for i := range n {
			plan.Share = unpark.Share{Index: i, Of: n}
			sum += Connections(plan)
		}
		if sum != 50 {
			t.Errorf("%d shares have %d connections", n, sum)
		}
	}
	plan.Share = unpark.Share{Index: 50, Of: 51}
	if _, err := newSettings(plan); err == nil {
		t.Error("51 generators share 50 connections")
	}
	plan.Share = unpark.Share{Index: 2, Of: 2}
	if _, err := newSettings(plan); err == nil {
		t.Error("share 2 of 2")
	}
	plan.Share = unpark.Share{}
	whole, err := newSettings(plan)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		plan.Share = unpark.Share{Index: i, Of: 3}
		part, err := newSettings(plan)
		if err != nil {
			t.Fatal(err)
		}
		for k := range int64(500) {
			if part.choice.of(k) != whole.choice.of(3*k+int64(i)) {
				t.Fatalf("share %d draws another kind for its request %d", i, k)
			}
		}
	}
}
