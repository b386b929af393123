package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/unpark-go/unpark/internal/stats"
)

// The tables are those of Fisher and Yates, Statistical Tables, 1963.
func TestStudentQuantile(t *testing.T) {
	for _, c := range []struct {
		p    float64
		df   int
		want float64
	}{
		{0.975, 1, 12.706},
		{0.975, 2, 4.303},
		{0.975, 5, 2.571},
		{0.975, 10, 2.228},
		{0.975, 30, 2.042},
		{0.95, 4, 2.132},
		{0.95, 19, 1.729},
		{0.9995, 8, 5.041},
		{0.05, 4, -2.132},
		{0.5, 7, 0},
		{0.95, 100000, stats.Z90},
	} {
		if got := stats.StudentQuantile(c.p, c.df); math.Abs(got-c.want) > 5.1e-4 {
			t.Errorf("t of %v with %d: %v, want %v", c.p, c.df, got, c.want)
		}
	}
	for _, bad := range []float64{stats.StudentQuantile(0.9, 0), stats.StudentQuantile(0, 5), stats.StudentQuantile(1, 5), stats.StudentQuantile(math.NaN(), 5)} {
		if !math.IsNaN(bad) {
			t.Errorf("%v, want NaN", bad)
		}
	}
}

func TestChiSquareQuantile(t *testing.T) {
	for _, c := range []struct {
		p    float64
		df   int
		want float64
	}{
		{0.95, 1, 3.841},
		{0.95, 2, 5.991},
		{0.95, 3, 7.815},
		{0.95, 10, 18.307},
		{0.99, 5, 15.086},
		{0.05, 3, 0.352},
		{0.05, 10, 3.940},
		{0.05, 1, 0.004},
		{0.5, 30, 29.336},
	} {
		if got := stats.ChiSquareQuantile(c.p, c.df); math.Abs(got-c.want) > 5.1e-4 {
			t.Errorf("chi-square of %v with %d: %v, want %v", c.p, c.df, got, c.want)
		}
	}
	if !math.IsNaN(stats.ChiSquareQuantile(0.9, 0)) || !math.IsNaN(stats.ChiSquareQuantile(1, 3)) {
		t.Error("a quantile of nothing is a number")
	}
}

func TestFoldedSpread(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 9))
	for _, mean := range []float64{0, 1, 2.5, 40, -40} {
		v := make([]float64, 20000)
		for i := range v {
			v[i] = mean + 2*random.NormFloat64()
		}
		got := stats.FoldedSpread(v)
		for i := range v {
			v[i] = math.Abs(v[i])
		}
		if again := stats.FoldedSpread(v); again != got {
			t.Errorf("mean %v: the signs matter: %v and %v", mean, got, again)
		}
		// Close to mean 0 the moments hardly tell the two apart.
		if math.Abs(got-2) > 0.15 {
			t.Errorf("mean %v: spread %v, want 2", mean, got)
		}
	}
	for _, c := range []struct {
		v    []float64
		want float64
	}{{[]float64{3, 3, -3}, 0}, {[]float64{0, 0}, 0}} {
		if got := stats.FoldedSpread(c.v); got != c.want {
			t.Errorf("%v: %v, want %v", c.v, got, c.want)
		}
	}
	if !math.IsNaN(stats.FoldedSpread([]float64{1})) {
		t.Error("the spread of one value is a number")
	}
}
