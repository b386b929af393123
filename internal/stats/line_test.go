package stats

import (
	"math"
	"testing"
)

func TestLine(t *testing.T) {
	for _, c := range []struct {
		name             string
		x, y             []float64
		slope, se, noise float64
	}{
		{"straight", []float64{1, 2, 4}, []float64{3, 5, 9}, 2, 0, 0},
		{"level", []float64{1, 2, 3}, []float64{7, 7, 7}, 0, 0, 0},
		// Anscombe's first set ("Graphs in Statistical Analysis", 1973).
		{
			"Anscombe",
			[]float64{10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5},
			[]float64{8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68},
			0.50009, 0.11791, 1.23660,
		},
	} {
		slope, se, noise := Line(c.x, c.y)
		if math.Abs(slope-c.slope) > 1e-5 || math.Abs(se-c.se) > 1e-5 || math.Abs(noise-c.noise) > 1e-5 {
			t.Errorf("%s: slope %v ± %v, noise %v, want %v ± %v, %v", c.name, slope, se, noise, c.slope, c.se, c.noise)
		}
	}
	for name, c := range map[string][2][]float64{
		"nothing": {}, "two": {{1, 2}, {1, 2}}, "one x": {{3, 3, 3}, {1, 2, 3}}, "unequal": {{1, 2, 3}, {1, 2}},
	} {
		if slope, se, noise := Line(c[0], c[1]); !math.IsNaN(slope) || !math.IsNaN(se) || !math.IsNaN(noise) {
			t.Errorf("%s: slope %v ± %v, noise %v", name, slope, se, noise)
		}
	}
}

// TestWilson: the table of Newcombe, "Two-Sided Confidence Intervals for the Single
// Proportion: Comparison of Seven Methods", 1998, table I, method 3, at 95 %.
func TestWilson(t *testing.T) {
	const z95 = 1.959964
	for _, c := range []struct{ k, n, low, high float64 }{
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
	} {
		low, high := wilson(c.k, c.n, z95)
		if math.Abs(low-c.low) > 5.1e-5 || math.Abs(high-c.high) > 5.1e-5 {
			t.Errorf("%v of %v: %.4f–%.4f, want %v–%v", c.k, c.n, low, high, c.low, c.high)
		}
	}
}
