package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

func cpuRule() Rule {
	return Rule{
		ID: "cpu", Title: "CPU hot path", Class: unpark.ClassCPU,
		Doc: "Reads CPU by application function: the frame that can be changed, with the library and runtime code that it " +
			"called, not the leaf inside the runtime. Fires when one function holds 35 % of the CPU itself below a frame with 70 % of " +
			"the request path, or half of it anywhere; weakly from 30 %. Silent for a flat profile, and for time that is the kernel's or the collector's.",
		Needs: []unpark.Kind{unpark.KindCPU},
		Run:   runCPU,
	}
}

// dominance is the share of the request path's CPU below the first diverging
// application frame; 0 when no frame holds enough.
func dominance(m *model.Model) float64 {
	total := m.Ev.CPU.RequestPath.Or(m.Ev.CPU.Sampled.Or(0))
	if m.Ev.CPU.Dominant.IsZero() || total <= 0 {
		return 0
	}
	return m.Ev.CPU.DominantCPU.Or(0) / total
}

func runCPU(m *model.Model) []unpark.Finding {
	hots := m.Functions
	if len(hots) == 0 || m.CPUShare(1) == 0 {
		return nil
	}
	top := hots[0]
	share := m.CPUShare(top.Self)
	confidence := cpuConfidence(share, dominance(m))
	if confidence == "" || kernelWork(m, top) >= foreignWork || top.Allocating() >= foreignWork || m.SetupCPU(top.Site.Site.Function) >= foreignWork*top.Self {
		return nil
	}
	if m.Ev.CPU.Short() {
		confidence = unpark.Low
	}
	cost := computingCost(m, top, share)
	if !m.CPUMatters() && cost.CPUPerRequest.Value.Or(0) < hotTime {
		return nil
	}
	return []unpark.Finding{cpuFinding(m, top, share, confidence, cost)}
}

// computingCost is what a function takes with a share of the CPU, and with the
// collector's work for what it allocates.
func computingCost(m *model.Model, h model.Function, share float64) unpark.Cost {
	return m.CPUCost(min(share+m.CollectorShare(allocatedBy(m, h.Site.Site.Function)), 1))
}

// cpuConfidence returns "" when there is nothing to report.
func cpuConfidence(share, dominance float64) unpark.Confidence {
	switch {
	case dominance >= dominant && share >= hotAlone:
		return unpark.High
	case share >= hotAlone, dominance >= dominant && share >= hotBelow:
		return unpark.Medium
	case share >= hotWeak:
		return unpark.Low
	default:
		return ""
	}
}

func allocatedBy(m *model.Model, function string) float64 {
	for _, l := range m.Allocations {
		if l.Site.Site.Function == function {
			return l.Bytes
		}
	}
	return 0
}

func cpuFinding(m *model.Model, top model.Function, share float64, c unpark.Confidence, cost unpark.Cost) unpark.Finding {
	site := top.Site.Site
	f := unpark.Finding{
		Rule: "cpu", Class: unpark.ClassCPU, Site: site, Path: path(top.Site.Stack),
		Title: fmt.Sprintf("%s uses %s of the CPU", short(site.Function), units.Say(share, "ratio")),
		Share: unpark.Num(share), ShareOf: "the target's CPU", Confidence: c, Cost: cost,
		Facts: []unpark.Fact{
			fact("CPU of this function with the library code that it calls", top.Self, "s", "cpu.pb.gz"),
			fact("CPU of every stack that runs through it", top.Site.Cum, "s", "cpu.pb.gz"),
		},
	}
	if d := dominance(m); d >= dominant {
		f.Facts = append(f.Facts, fact("share of the request path's CPU below "+short(m.Ev.CPU.Dominant.Function), d, "ratio", "cpu.pb.gz"))
	}
	var callee string
	if len(top.Site.Callees) > 0 {
		callee = top.Site.Callees[0].Site.Function
		f.Facts = append(f.Facts, fact("part of it in "+short(callee), top.Site.Callees[0].Value, "s", "cpu.pb.gz"))
	}
	for _, c := range top.Site.Callees[:min(len(top.Site.Callees), maxInto)] {
		f.Into = append(f.Into, unpark.Part{Site: c.Site, Share: c.Value / top.Self})
	}
	f.Remedies = cpuRemedies(site.Function, callee)
	return f
}

func cpuRemedies(function, callee string) []unpark.Remedy {
	do := "Do less there: hoist what does not change between requests, and stop at the first answer"
	if callee != "" && callee != function {
		do = fmt.Sprintf("Call %s less from %s, or replace it", short(callee), short(function))
	}
	return []unpark.Remedy{{
		Title: do,
		Why:   "this is the innermost function of the application on the hot path; the leaves below it are only how it is done",
	}, {
		Title: "Keep the result for requests that ask for the same",
		Why:   "work that is not done costs nothing",
		Risk:  "the cache needs a bound, single-flight, and must be dropped when the data changes",
	}, {
		Title: "Choose a cheaper algorithm or representation; check with a benchmark of this function alone",
		Why:   "after the first two, the work that is left is needed",
	}}
}
