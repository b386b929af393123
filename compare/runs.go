package compare

import (
	"fmt"

	"github.com/unpark-go/unpark"
)

// SchemaAB names the version of the comparison document.
const SchemaAB = "unpark.ab/v1"

// Runs compares two runs of one round each. Ratios are after ÷ before. A metric
// that one of the runs did not measure has no effect; a run without load has
// none at all, and a warning says so.
func Runs(before, after unpark.Run) unpark.Comparison {
	a, b := window(before), window(after)
	out := unpark.Comparison{
		Schema: SchemaAB, Rounds: 1,
		Effects:  []unpark.Effect{},
		Findings: changes(before, after),
		Forecast: []unpark.Forecast{},
		Warnings: warnings(before, after, a, b),
	}
	for _, m := range metrics() {
		if e, ok := m.effect(m.of(before, a), m.of(after, b)); ok {
			out.Effects = append(out.Effects, e)
		}
	}
	out.Forecast = append(out.Forecast, forecasts(before, out.Effects)...)
	return out
}

// window returns the window that a run's verdict is about: the one with the
// highest throughput, else the last; nil when there is none.
func window(r unpark.Run) *unpark.Window {
	var best *unpark.Window
	for i := range r.Windows {
		w := &r.Windows[i]
		if best == nil || best.Load == nil || (w.Load != nil && w.Load.AchievedRPS > best.Load.AchievedRPS) {
			best = w
		}
	}
	return best
}

func warnings(before, after unpark.Run, a, b *unpark.Window) []unpark.Notice {
	out := []unpark.Notice{{
		Code:    "one-round",
		Message: "one round of each is no proof: two identical runs differ by 3–7 %, and by more in p99",
		Cure:    "run both in turns, several rounds each, and compare the rounds",
	}}
	add := func(code, message, cure string) {
		out = append(out, unpark.Notice{Code: code, Message: message, Cure: cure})
	}
	for _, arm := range []struct {
		name string
		run  unpark.Run
		w    *unpark.Window
	}{{"before", before, a}, {"after", after, b}} {
		if arm.run.IsVoid() {
			add("void-run", fmt.Sprintf("the run %s is void: %s", arm.name, arm.run.Void[0].Message), arm.run.Void[0].Cure)
		}
		if arm.run.Partial != "" {
			add("partial-run", fmt.Sprintf("the run %s did not end: %s", arm.name, arm.run.Partial), "run it again to its end")
		}
		if arm.w == nil || arm.w.Load == nil {
			add("no-load", fmt.Sprintf("the run %s measured no load, so its metrics cannot be compared", arm.name), "let unpark drive the load: --connections or --rate")
		}
	}
	if text := different(before, after); text != "" {
		add("different-plans", "the runs were not made under the same load: "+text, "repeat one of them with the other's flags")
	}
	if before.Host.CPUs != after.Host.CPUs || before.Host.Model != after.Host.Model {
		add("different-hosts", "the runs were made on different machines", "make both on one machine, interleaved")
	}
	return out
}

// different says how two plans differ; "" when they ask the same of a service.
func different(before, after unpark.Run) string {
	a, b := before.Plan, after.Plan
	switch {
	case a.Mode != b.Mode:
		return fmt.Sprintf("%s before, %s after", a.Mode, b.Mode)
	case a.Connections != b.Connections:
		return fmt.Sprintf("%d connections before, %d after", a.Connections, b.Connections)
	// Rates that follow a calibration of each arm may differ a little.
	case a.RateRPS > 0 && (b.RateRPS < 0.99*a.RateRPS || b.RateRPS > 1.01*a.RateRPS):
		return fmt.Sprintf("%.4g req/s before, %.4g after", a.RateRPS, b.RateRPS)
	case before.Target.Quota != after.Target.Quota:
		return fmt.Sprintf("a CPU quota of %v cores before, %v after", before.Target.Quota, after.Target.Quota)
	default:
		return ""
	}
}
