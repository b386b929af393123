package load

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

func arrivals(p pacer, n int64) []int64 {
	out, at := make([]int64, 0, n), int64(0)
	for k := range n {
		at = p.next(k, at)
		out = append(out, at)
	}
	return out
}

func TestConstantIsExact(t *testing.T) {
	got := arrivals(constant{rate: 3}, 5)
	if want := []int64{0, 333333333, 666666667, 1000000000, 1333333333}; !reflect.DeepEqual(got, want) {
		t.Errorf("arrivals of 3/s = %v, want %v", got, want)
	}
	// A week at 1000/s, without any drift.
	week := int64(7 * 24 * 3600)
	if got := (constant{rate: 1000}).next(week*1000, 0); got != week*1e9 {
		t.Errorf("arrival after a week is at %d, want %d", got, week*int64(1e9))
	}
}

func TestRampIsExact(t *testing.T) {
	tests := []struct {
		name   string
		stages []unpark.Stage
		warmup float64
		k      int64
		want   float64 // seconds
	}{
		{"flat", []unpark.Stage{{From: 10, To: 10, Duration: 5}}, 0, 20, 2},
		{"up, its last", []unpark.Stage{{From: 0, To: 100, Duration: 10}}, 0, 500, 10},
		{"up, a quarter", []unpark.Stage{{From: 0, To: 100, Duration: 10}}, 0, 125, 5},
		{"up, first", []unpark.Stage{{From: 0, To: 100, Duration: 10}}, 0, 0, 0},
		{"down", []unpark.Stage{{From: 100, To: 0, Duration: 10}}, 0, 375, 5},
		{"holds the last rate", []unpark.Stage{{From: 0, To: 100, Duration: 10}}, 0, 600, 11},
		{"second leg", []unpark.Stage{{From: 10, To: 10, Duration: 2}, {From: 20, To: 20, Duration: 2}}, 0, 30, 2.5},
		{"a pause between", []unpark.Stage{{From: 10, To: 10, Duration: 1}, {Duration: 5}, {From: 10, To: 10, Duration: 1}}, 0, 15, 6.5},
		{"warm-up at the first rate", []unpark.Stage{{From: 10, To: 30, Duration: 10}}, 3, 30, 3},
		{"after the warm-up", []unpark.Stage{{From: 10, To: 30, Duration: 10}}, 3, 230, 13},
		{"hardly a slope", []unpark.Stage{{From: 100, To: 100 + 1e-9, Duration: 10}}, 0, 300, 3},
	}
	for _, tt := range tests {
		got := newRamp(tt.stages, tt.warmup).next(tt.k, 0)
		if want := int64(math.Round(tt.want * 1e9)); abs(got-want) > 2 {
			t.Errorf("%s: arrival %d at %d ns, want %d", tt.name, tt.k, got, want)
		}
	}
	down := newRamp([]unpark.Stage{{From: 100, To: 0, Duration: 10}}, 0)
	if got := down.next(501, 0); got != never {
		t.Errorf("arrival after a ramp to 0 is at %d, want never", got)
	}
	early := newRamp([]unpark.Stage{{From: 0, To: 10, Duration: 10}}, 2)
	if got := early.next(0, 0); got != 2e9 {
		t.Errorf("a ramp from 0 with a warm-up of 2 s begins at %v", time.Duration(got))
	}
}

func abs(v int64) int64 { return max(v, -v) }

// TestPoisson checks seed, mean, and that gaps have the deviation and the tail
// of an exponential distribution.
func TestPoisson(t *testing.T) {
	const n, rate = 200_000, 1000.0
	a := arrivals(poisson{rate: rate, seed: 1}, n)
	if !reflect.DeepEqual(a, arrivals(poisson{rate: rate, seed: 1}, n)) {
		t.Error("the same seed gives another schedule")
	}
	if reflect.DeepEqual(a[:10], arrivals(poisson{rate: rate, seed: 2}, 10)) {
		t.Error("another seed gives the same schedule")
	}
	var sum, squares, long float64
	for i, at := range a {
		gap := float64(at)
		if i > 0 {
			gap -= float64(a[i-1])
		}
		gap *= rate / 1e9
		sum, squares = sum+gap, squares+gap*gap
		if gap > 3 {
			long++
		}
	}
	mean := sum / n
	for name, f := range map[string][2]float64{
		"mean gap":        {mean, 1},
		"deviation":       {math.Sqrt(squares/n - mean*mean), 1},
		"share above 3/λ": {long / n, math.Exp(-3)},
	} {
		if math.Abs(f[0]/f[1]-1) > 0.03 {
			t.Errorf("%s is %.4f, want %.4f", name, f[0], f[1])
		}
	}
	if got := (poisson{rate: 1e-9, seed: 1}).next(5, never-1); got != never {
		t.Errorf("a gap beyond the end of time gives %d", got)
	}
}

func TestChoiceFollowsWeights(t *testing.T) {
	c := newChoice(7, []float64{1, 2, 7})
	var n [3]float64
	for k := range int64(100_000) {
		i := c.of(k)
		n[i]++
		if i != c.of(k) {
			t.Fatal("the choice for one arrival changes")
		}
	}
	for i, want := range []float64{0.1, 0.2, 0.7} {
		if got := n[i] / 100_000; math.Abs(got-want) > 0.01 {
			t.Errorf("kind %d has share %.3f, want %.1f", i, got, want)
		}
	}
}
