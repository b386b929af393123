package expect

import (
	"testing"

	"github.com/unpark-go/unpark"
)

func TestForecasts(t *testing.T) {
	run := func(rps float64, f ...unpark.Finding) unpark.Run {
		return unpark.Run{Plan: unpark.Plan{Mode: unpark.Closed}, Findings: f, Windows: []unpark.Window{{Load: &unpark.Load{
			AchievedRPS: rps, Response: unpark.Latency{P99: 1 / max(rps, 1)},
		}}}}
	}
	open := func(r unpark.Run) unpark.Run {
		r.Plan.Mode = unpark.Poisson
		return r
	}
	cpu := unpark.Finding{
		Rank: 1, Class: unpark.ClassCPU,
		Prediction: unpark.Prediction{
			Throughput: unpark.Between(4, 2, 5, "ratio", 100), P99: unpark.Between(0.25, 0.2, 0.5, "ratio", 100),
		},
	}
	step := Step{Finding: Finding{Class: unpark.ClassCPU, Rank: 1}}
	silent := cpu
	silent.Prediction = unpark.Prediction{}
	byHalf := cpu
	byHalf.Prediction.Alternatives = []unpark.Alternative{{
		Fix: unpark.FixHalved, Throughput: unpark.Between(1.6, 1.4, 1.8, "ratio", 100), P99: unpark.Between(0.6, 0.5, 0.7, "ratio", 100),
	}}
	half := Step{Finding: step.Finding, Fix: unpark.FixHalved}
	blocked := run(100)
	blocked.Blocking = &unpark.Blocking{First: &cpu}
	costly := run(100)
	costly.Costs = []unpark.Finding{cpu}
	for name, tt := range map[string]struct {
		step          Step
		before, after unpark.Run
		want          string // a letter for each: inside, outside, abstained
	}{
		"inside":           {step, run(100, cpu), run(450), "ii"},
		"at the end":       {step, run(100, cpu), run(500), "ii"},
		"too high":         {step, run(100, cpu), run(510), "oo"},
		"too low":          {step, run(100, cpu), run(190), "oo"},
		"abstains":         {step, run(100, silent), run(450), "aa"},
		"not found":        {step, run(100), run(450), "aa"},
		"a half":           {half, run(100, byHalf), run(160), "ii"},
		"not a half":       {half, run(100, byHalf), run(400), "oo"},
		"half unknown":     {half, run(100, cpu), run(160), "aa"},
		"the rate is kept": {step, open(run(100, cpu)), open(run(450)), "i"},
		"blocking":         {Step{Blocking: true}, blocked, run(450), "ii"},
		"no blocking":      {Step{Blocking: true}, run(100, cpu), run(450), "aa"},
		"a cost":           {step, costly, run(450), "ii"},
		"no load":          {step, unpark.Run{Findings: []unpark.Finding{cpu}}, run(450), ""},
		"nothing done":     {step, run(100, cpu), run(0), ""},
	} {
		got := ""
		for _, f := range tt.step.Forecasts(tt.before, tt.after) {
			switch {
			case !f.Predicted.Known():
				got += "a"
			case f.Inside:
				got += "i"
			default:
				got += "o"
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
