package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

func stopRule() Rule {
	return Rule{
		ID: "stop", Title: "calls that stop the world", Class: unpark.ClassCPU,
		Doc: "Reads from execution traces how long the world was stopped, and by whom, but for the collector and for profiling. " +
			"Fires from 3 % of the time: no request is served meanwhile, whatever else the processors could do. The call's own CPU goes with it. Silent without a trace.",
		Needs:      []unpark.Kind{unpark.KindCPU},
		Run:        runStop,
		Supersedes: []Supersession{{Rule: "cpu", Same: stopsBelow}},
	}
}

func runStop(m *model.Model) []unpark.Finding {
	var out []unpark.Finding
	for _, s := range m.Ev.Stops {
		if s.Share < stopShare {
			break // the longest come first
		}
		f := unpark.Finding{
			Rule: "stop", Class: unpark.ClassCPU, Site: s.Site, Culprit: pointer(s.Call), Path: path(s.Stack),
			Title: fmt.Sprintf("%s stops the world for %s of the time", short(s.Call.Function), units.Say(s.Share, "ratio")),
			Share: unpark.Num(s.Share), ShareOf: "the time of the trace", Confidence: unpark.High,
			Cost: m.CPUCost(m.CPUShare(callsCPU(m, s))),
			Facts: []unpark.Fact{
				fact("the world is stopped", s.Rate, "/s", unpark.KindTrace.File()),
				fact("each time for", s.Share/s.Rate, "s", unpark.KindTrace.File()),
			},
		}
		f.Remedies = []unpark.Remedy{{
			Title: "Do not call " + short(s.Call.Function) + " for a request: ask once a second at most, on a goroutine of its own, and keep the answer",
			Why:   "every other goroutine stands still until it is done, and the processors are started one by one after it",
			Risk:  "the answer is up to a second old",
		}}
		out = append(out, f)
	}
	return out
}

// callsCPU is the CPU of the call itself, in seconds.
func callsCPU(m *model.Model, s facts.Stop) float64 {
	var sum float64
	for _, f := range m.Functions {
		for _, c := range f.Site.Callees {
			if c.Site.Function == s.Call.Function {
				sum += c.Value
			}
		}
	}
	return sum
}

// stopsBelow is for CPU at a line that stops the world, or above it.
func stopsBelow(_ *model.Model, mine, other unpark.Finding) bool {
	return sameFunction(nil, mine, other) || other.Culprit != nil && facts.Through(mine.Path, other.Culprit.Function)
}
