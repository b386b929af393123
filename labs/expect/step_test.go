package expect

import (
	"testing"

	"github.com/unpark-go/unpark"
)

func TestForecast(t *testing.T) {
	run := func(rps float64, f ...unpark.Finding) unpark.Run {
		return unpark.Run{Findings: f, Windows: []unpark.Window{{Load: &unpark.Load{AchievedRPS: rps}}}}
	}
	cpu := unpark.Finding{
		Rank: 1, Class: unpark.ClassCPU,
		Prediction: unpark.Prediction{Throughput: unpark.Between(4, 2, 5, "ratio", 100)},
	}
	silent := cpu
	silent.Prediction = unpark.Prediction{}
	step := Step{Finding: Finding{Class: unpark.ClassCPU, Rank: 1}}
	for name, tt := range map[string]struct {
		before, after unpark.Run
		ok, inside    bool
	}{
		"inside":       {run(100, cpu), run(450), true, true},
		"at the end":   {run(100, cpu), run(500), true, true},
		"too high":     {run(100, cpu), run(510), true, false},
		"too low":      {run(100, cpu), run(190), true, false},
		"abstains":     {run(100, silent), run(450), false, false},
		"not found":    {run(100), run(450), false, false},
		"no load":      {unpark.Run{Findings: []unpark.Finding{cpu}}, run(450), false, false},
		"nothing done": {run(100, cpu), run(0), false, false},
	} {
		f, ok := step.Forecast(tt.before, tt.after)
		if ok != tt.ok || f.Inside != tt.inside {
			t.Errorf("%s: %v and inside %v, want %v and %v", name, ok, f.Inside, tt.ok, tt.inside)
		}
	}
}
