package stats

import (
	"math"
	"testing"
)

func TestLine(t *testing.T) {
	for _, c := range []struct {
		name      string
		x, y      []float64
		slope, se float64
	}{
		{"straight", []float64{1, 2, 4}, []float64{3, 5, 9}, 2, 0},
		{"level", []float64{1, 2, 3}, []float64{7, 7, 7}, 0, 0},
		// Anscombe's first set ("Graphs in Statistical Analysis", 1973).
		{
			"Anscombe",
			[]float64{10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5},
			[]float64{8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68},
			0.50009, 0.11791,
		},
	} {
		slope, se := Line(c.x, c.y)
		if math.Abs(slope-c.slope) > 1e-5 || math.Abs(se-c.se) > 1e-5 {
			t.Errorf("%s: slope %v ± %v, want %v ± %v", c.name, slope, se, c.slope, c.se)
		}
	}
	for name, c := range map[string][2][]float64{
		"nothing": {}, "two": {{1, 2}, {1, 2}}, "one x": {{3, 3, 3}, {1, 2, 3}}, "unequal": {{1, 2, 3}, {1, 2}},
	} {
		if slope, se := Line(c[0], c[1]); !math.IsNaN(slope) || !math.IsNaN(se) {
			t.Errorf("%s: slope %v ± %v", name, slope, se)
		}
	}
}
