package paired_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/unpark-go/unpark/internal/stats/paired"
)

func TestSignedRanks(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ d, want []float64 }{
		{[]float64{3, -1, 2}, []float64{3, -1, 2}},
		{[]float64{-2, 2, 1}, []float64{-2.5, 2.5, 1}},
		{[]float64{0, 5, -7}, []float64{0, 2, -3}}, // zero takes the first rank
		{[]float64{nan, 4, -9}, []float64{0, 1, -2}},
		{[]float64{0, 0}, []float64{0, 0}},
		{nil, []float64{}},
	} {
		if got := paired.SignedRanks(c.d); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.d, got, c.want)
		}
	}
}

// TestSignedRankInterval: nine patients' depression scores before and after a
// tranquilizer (Hollander, Wolfe and Chicken, Nonparametric Statistical Methods,
// examples 3.1, 3.3 and 3.4): the centre is −0.46 with the 96.1 % interval −0.786 to
// −0.010, and the one-sided p of the test is 0.0195.
func TestSignedRankInterval(t *testing.T) {
	before := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	after := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	d := make([]float64, len(before))
	for i := range d {
		d[i] = after[i] - before[i]
	}
	low, high := paired.SignedRankInterval(d, 0.95)
	if c := paired.HodgesLehmann(d); math.Abs(c+0.46) > 1e-9 || math.Abs(low+0.786) > 1e-9 || math.Abs(high+0.010) > 1e-9 {
		t.Errorf("centre %v (%v to %v), want −0.46 (−0.786 to −0.010)", c, low, high)
	}
	if p, _ := paired.SignFlip([][]float64{paired.SignedRanks(d)}, paired.Guard{}, 1); math.Abs(p[0]/2-0.01953125) > 1e-12 {
		t.Errorf("one-sided p %v, want 0.0195", p[0]/2)
	}
}

// TestSignedRankCriticalValues: the interval of n values at 90 % leaves out as many
// pairwise means on each side as the tables have for a two-sided test at 10 %
// (Wilcoxon, "Some Rapid Approximate Statistical Procedures", 1949).
func TestSignedRankCriticalValues(t *testing.T) {
	for n, want := range map[int]int{5: 0, 6: 2, 7: 3, 8: 5, 9: 8, 10: 10, 12: 17, 15: 30, 20: 60} {
		d := make([]float64, n)
		for i := range d {
			d[i] = math.Exp2(float64(i)) // all pairwise means differ
		}
		var means []float64
		for i := range d {
			for _, b := range d[i:] {
				means = append(means, d[i]/2+b/2)
			}
		}
		slices.Sort(means)
		low, high := paired.SignedRankInterval(d, 0.90)
		if slices.Index(means, low) != want || slices.Index(means, high) != len(means)-1-want {
			t.Errorf("%d values: %d below, %d above, want %d", n, slices.Index(means, low), len(means)-1-slices.Index(means, high), want)
		}
	}
	for n := range 5 {
		if low, high := paired.SignedRankInterval(make([]float64, n), 0.90); !math.IsNaN(low) || !math.IsNaN(high) {
			t.Errorf("%d values have an interval", n)
		}
	}
}

// TestSignedRankIntervalCovers: of log ratios of two arms whose rounds have the same
// skewed noise, the interval covers the true shift at least nine times in ten, for
// five rounds to twenty, and is not much wider than it must be. Noise whose shape
// the change itself alters is not symmetric: there it may fall a little short.
func TestSignedRankIntervalCovers(t *testing.T) {
	trials := 4000
	if testing.Short() {
		trials = 1000
	}
	random := rand.New(rand.NewPCG(30, 30))
	disturbed := func() float64 { // a quiet host with a disturbed round now and then
		if random.Float64() < 0.1 {
			return 0.5 * random.ExpFloat64()
		}
		return 0.03 * random.NormFloat64()
	}
	for _, c := range []struct {
		name  string
		draw  func() float64 // a log ratio with centre 0
		least float64
		most  float64
	}{
		{"normal", func() float64 { return random.NormFloat64() - random.NormFloat64() }, 0.90, 0.95},
		{"exponential", func() float64 { return random.ExpFloat64() - random.ExpFloat64() }, 0.90, 0.95},
		{"disturbed", func() float64 { return disturbed() - disturbed() }, 0.90, 0.95},
		// The median of the pairwise means of such differences is 0.930 (2·10⁶ draws).
		{"another shape", func() float64 { return random.ExpFloat64() - random.NormFloat64() - 0.930 }, 0.88, 0.95},
	} {
		for _, n := range []int{5, 8, 12, 20} {
			covered := 0
			d := make([]float64, n)
			for range trials {
				for i := range d {
					d[i] = c.draw()
				}
				if low, high := paired.SignedRankInterval(d, 0.90); low <= 0 && 0 <= high {
					covered++
				}
			}
			slack := 3.5 * math.Sqrt(0.09/float64(trials))
			if share := float64(covered) / float64(trials); share < c.least-slack || share > c.most+slack {
				t.Errorf("%s, %d rounds: covered in %.3f, want %.2f to %.2f", c.name, n, share, c.least, c.most)
			} else {
				t.Logf("%s, %d rounds: covered in %.3f", c.name, n, share)
			}
		}
	}
}
