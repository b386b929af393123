package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/unpark-go/unpark/internal/stats"
)

func TestQuantile(t *testing.T) {
	v := []float64{4, 1, 3, 2}
	for _, c := range []struct{ p, want float64 }{{0, 1}, {1, 4}, {0.5, 2.5}, {0.25, 1.75}, {-1, 1}, {2, 4}} {
		if got := stats.Quantile(v, c.p); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("Quantile(%v) = %v, want %v", c.p, got, c.want)
		}
	}
	if !slices.Equal(v, []float64{4, 1, 3, 2}) {
		t.Errorf("argument changed to %v", v)
	}
	if !math.IsNaN(stats.Quantile(nil, 0.5)) {
		t.Error("quantile of nothing is a number")
	}
}

func TestMoments(t *testing.T) {
	v := []float64{2, 4, 4, 4, 5, 5, 7, 9}
	if m := stats.Mean(v); m != 5 {
		t.Errorf("mean %v, want 5", m)
	}
	if s := stats.StdDev(v); math.Abs(s-math.Sqrt(32.0/7)) > 1e-12 {
		t.Errorf("standard deviation %v", s)
	}
	if !math.IsNaN(stats.StdDev(v[:1])) || !math.IsNaN(stats.Mean(nil)) {
		t.Error("moments of too little are numbers")
	}
}

// TestMeanInterval: the differences between two drugs in Student, "The Probable Error of
// a Mean", 1908, have the mean 1.58 and the standard error 0.389; t of 9 degrees of
// freedom is 1.833.
func TestMeanInterval(t *testing.T) {
	mean, half := stats.MeanInterval([]float64{1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4})
	if want := 1.833 * 0.389; math.Abs(mean-1.58) > 1e-9 || math.Abs(half-want) > 1e-3 {
		t.Errorf("%v ± %v, want 1.58 ± %v", mean, half, want)
	}
	if _, half := stats.MeanInterval([]float64{1}); !math.IsNaN(half) {
		t.Errorf("one value has an interval of ±%v", half)
	}
}

// TestBinomialCovers checks the interval against its definition: nine in ten of
// repeated measurements contain the true proportion.
func TestBinomialCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range []float64{0.02, 0.3, 0.5, 0.95} {
		const trials, n = 4000, 200
		inside := 0
		for range trials {
			k := 0
			for range n {
				if r.Float64() < p {
					k++
				}
			}
			if low, high := stats.Binomial(float64(k), n); low <= p && p <= high {
				inside++
			}
		}
		if c := float64(inside) / trials; c < 0.86 || c > 0.96 {
			t.Errorf("p = %v: covered in %.3f of the trials, want about 0.90", p, c)
		}
	}
	if low, high := stats.Binomial(0, 50); low != 0 || high <= 0 || high > 0.1 {
		t.Errorf("none of 50: %v–%v", low, high)
	}
	if low, high := stats.Binomial(3, 0); low != 0 || high != 1 {
		t.Errorf("no trials: %v–%v", low, high)
	}
}

func TestBound(t *testing.T) {
	if stats.Bound(5, 1, 3) != 3 || stats.Bound(0, 1, 3) != 1 || stats.Bound(2, 1, 3) != 2 {
		t.Error("Bound leaves its interval")
	}
}
