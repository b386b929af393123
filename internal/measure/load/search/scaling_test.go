package search_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/search"
)

func TestScalingOf(t *testing.T) {
	sweep := func(n ...int) []search.Level {
		var out []search.Level
		for _, c := range n {
			v := float64(c)
			x := 1000 * v / (1 + 0.05*(v-1) + 0.0005*v*(v-1))
			out = append(out, search.Level{
				At: unpark.Level{Connections: c}, Load: unpark.Load{AchievedRPS: x, Response: unpark.Latency{Mean: v / x, N: 1000}},
			})
		}
		return out
	}
	if _, ok := search.ScalingOf(sweep(1, 2), 1); ok {
		t.Error("two levels say something")
	}
	s, ok := search.ScalingOf(sweep(1, 4, 16), 1)
	if !ok || s.USL != nil {
		t.Errorf("three levels: %+v, %v", s, ok)
	}
	s, ok = search.ScalingOf(sweep(1, 2, 4, 8, 16, 32, 64, 128), 1)
	if !ok || s.USL == nil || s.Knee == nil {
		t.Fatalf("eight levels: %+v, %v", s, ok)
	}
	if v := s.USL.Sigma.Value.Or(0); v < 0.04 || v > 0.06 {
		t.Errorf("sigma %g of 0.05", v)
	}
	if v := s.USL.Peak.Value.Or(0); v < 40 || v > 47 { // √((1−σ)/κ) = 43.6
		t.Errorf("peak at %g", v)
	}
	if n := s.Knee.Level.Connections; n < 8 || n > 64 || !strings.Contains(s.Knee.Text, "connections") {
		t.Errorf("knee %+v", s.Knee)
	}
}
