package report

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// slowedDown is a run with experiments: one that agrees, one that does not, one that
// could not be made.
func slowedDown() unpark.Run {
	r := severalFindings()
	r.Findings[0].Experiment = slowedExperiment("yes")
	e := slowedExperiment("no")
	e.Bent, e.Ceiling = true, "cpu"
	e.Throughput = unpark.Between(1.02, 0.96, 1.09, "ratio", 8)
	e.CPUPerRequest = unpark.Between(0.7, 0.6, 0.8, "ratio", 8)
	r.Findings[1].Experiment = e
	for i := 2; i < len(r.Findings); i++ {
		r.Findings[i].Experiment = &unpark.Experiment{Why: "a finding of class io waits without a processor", Doses: []unpark.Slowed{}, Assumptions: []string{}}
	}
	return r
}

func slowedExperiment(agrees string) *unpark.Experiment {
	dose := func(delay, rps float64) unpark.Slowed {
		return unpark.Slowed{
			PerCall: num(delay), Delay: unpark.Between(delay, delay, delay, "s/req", 8), Throughput: unpark.Between(rps, 0.97*rps, 1.03*rps, "req/s", 8),
			CPUPerRequest: unpark.Between(120e-6+delay, 118e-6+delay, 124e-6+delay, "s/req", 8),
		}
	}
	return &unpark.Experiment{
		Place: unpark.Site{Function: "example.com/shop/lookup.(*cache).get", File: "/src/lookup/cache.go", Line: 38},
		Where: "inside the critical section, behind Lock", Calls: num(1), Removed: unpark.Measured(2.1e-3, "s/req", 4280), Rounds: 8,
		Doses: []unpark.Slowed{dose(0, 428), dose(210e-6, 391), dose(420e-6, 359)},
		Slope: unpark.Between(1.02, 0.93, 1.11, "ratio", 8), Bend: unpark.Between(-0.004, -0.02, 0.012, "ratio", 8),
		Throughput: unpark.Between(3.4, 2.7, 4.1, "ratio", 8), Agrees: agrees,
		Assumptions: []string{"what a delay adds, its removal takes away"},
	}
}

func TestSlowed(t *testing.T) {
	if slowed(nil, nil) != nil {
		t.Error("an experiment that was not asked for")
	}
	for _, form := range []struct {
		name string
		text string
	}{{"text", render(t, Text, slowedDown())}, {"markdown", render(t, Markdown[unpark.Run], slowedDown())}, {"html", render(t, alone, slowedDown())}} {
		flat := strings.Join(strings.Fields(form.text), " ")
		for _, want := range []string{"cache.go:38, inside the critical section", "agrees with the forecast", "contradicts the forecast", "waits without a processor", "1.02 s (0.930–1.11)"} {
			if !strings.Contains(flat, want) {
				t.Errorf("%s: no %q", form.name, want)
			}
		}
	}
}
