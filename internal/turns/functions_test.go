package turns

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/judge/functions"
)

// TestAtOneSpeed: functions know how slow the machine was beside them, and no longer where the arms themselves moved the yardstick.
func TestAtOneSpeed(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var pairs []compare.Pair
	var costs []functions.Pair
	arm := func() (compare.Sample, functions.Costs) {
		slow := 0.1 * random.NormFloat64()
		each := 1e-3 * math.Exp(slow)
		by := map[string]functions.Cost{"main.f": {Self: 1e-3 / each / 2, All: 1e-3 / each / 2}}
		return compare.Sample{functions.CPU: each, compare.Yardstick: 1e-4 * math.Exp(slow)}, functions.Costs{functions.CPU: {Each: each, By: by}}
	}
	for range 12 {
		var p compare.Pair
		var c functions.Pair
		p.Before, c.Before = arm()
		p.After, c.After = arm()
		pairs, costs = append(pairs, p), append(costs, c)
	}
	if _, tested := Functions(pairs, costs, functions.Options{}); tested.Rounds != 12 {
		t.Errorf("%+v", tested)
	}
	mean := 0.0
	for i, p := range pairs {
		got := costs[i].After[functions.CPU]
		if got.Slow == 0 || math.Abs(got.Each-1e-3) > 5e-5 {
			t.Errorf("round %d: %v s a request, slow by %v, yardstick %v", i+1, got.Each, got.Slow, p.After[compare.Yardstick])
		}
		mean += (costs[i].Before[functions.CPU].Slow + got.Slow) / 24
	}
	if math.Abs(mean) > 1e-9 {
		t.Errorf("slow by %v in the mean", mean)
	}
	for _, p := range pairs {
		p.After[compare.Yardstick] *= 2
	}
	Open(pairs, costs)
	for i, p := range pairs {
		if got := costs[i].After[functions.CPU]; got.Slow != 0 || got.Each != p.After[functions.CPU] {
			t.Errorf("round %d, where the arms moved it: %v s a request, slow by %v", i+1, got.Each, got.Slow)
		}
	}
}
