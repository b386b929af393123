package compare_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
)

// oneFigure is a run with one figure of its own.
func oneFigure(metric string, v float64) unpark.Run {
	r := arm(450, 0.09, 1)
	w := &r.Windows[0]
	switch metric {
	case "throughput":
		w.Load.AchievedRPS = v
	case "p50":
		w.Load.Response.P50 = v
	case "p99":
		w.Load.Response.P99 = v
	case "bytes_per_request":
		w.Processes[0].Metrics.AllocBytes, w.Processes[1].Metrics.AllocBytes = unpark.Num(v*float64(w.Load.Requests)), unpark.Num(0)
	case "wait_per_request":
		r.Blocking = &unpark.Blocking{PerRequest: unpark.Measured(v, "s/req", 9)}
	case "mean_waiters":
		r.Blocking = &unpark.Blocking{Waiters: unpark.Measured(v, "waiters", 9)}
	}
	return r
}

// TestBands: what one round of each calls a change, and how little of a figure is none.
func TestBands(t *testing.T) {
	for _, c := range []struct {
		metric                string
		before, same, another float64
	}{
		{"throughput", 450, 375.5, 374.5},
		{"p50", 0.01, 0.0199, 0.0201},
		{"p99", 0.01, 0.0359, 0.0361},
		{"bytes_per_request", 1000, 1095, 1105},
		{"bytes_per_request", 0, 140, 142}, // 128, and the band
		{"wait_per_request", 1e-3, 1.99e-3, 2.01e-3},
		{"wait_per_request", 0, 39e-6, 41e-6},
		{"mean_waiters", 1, 1.99, 2.01},
		{"mean_waiters", 0, 0.099, 0.101},
	} {
		for after, want := range map[float64]string{c.same: "same", c.another: "worse"} {
			if got := verdicts(compare.Runs(oneFigure(c.metric, c.before), oneFigure(c.metric, after)))[c.metric]; got != want {
				t.Errorf("%s from %v to %v: %s, want %s", c.metric, c.before, after, got, want)
			}
		}
	}
}

// TestFewestRounds: from how many rounds on there is a floor, and figures rest on what
// was measured.
func TestFewestRounds(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 5))
	for n, want := range map[int]bool{3: false, 4: true} { // neighbours count for two thirds
		if _, ok := judged(noisy(random, n, 0.02, nil), nil).Floor["throughput"]; ok != want {
			t.Errorf("%d rounds: floor %v", n, ok)
		}
	}
	for n, want := range map[int]bool{1: true, 2: false} {
		if got := slices.Contains(codes(judged(noisy(random, 14, 0.02, nil), noisy(random, n, 0.02, nil)).Warnings), "floor-from-rounds"); got != want {
			t.Errorf("%d rounds of identical arms: the floor is from rounds: %v", n, got)
		}
	}
	for n, want := range map[int]int64{2: 0, 3: 3} {
		if got := compare.Resolution(noisy(random, n, 0.02, nil), 20, compare.Options{})["throughput"].N; got != want {
			t.Errorf("%d rounds: resolution rests on %d, want %d", n, got, want)
		}
	}
	// Of eleven rounds all must agree on the sign, as 19 in 20 experiments do from here on.
	if got := compare.Resolution(nil, 11, compare.Options{})["throughput"].Value.Or(0); math.Abs(got-0.118) > 0.001 {
		t.Errorf("11 rounds find a change of %v in throughput", got)
	}
	for n, want := range map[int64]bool{199: false, 200: true} {
		r := arm(450, 0.09, 1)
		r.Windows[0].Load.Response.N = n
		if s, err := compare.Measure(r); err != nil || (s["p99"] > 0) != want {
			t.Errorf("a p99 of %d answers: %v, %v", n, s, err)
		}
	}
}
