package diagnose

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/owner"
	"github.com/unpark-go/unpark/internal/units"
)

func cpuRule() Rule {
	return Rule{
		ID: "cpu", Title: "CPU hot path", Class: unpark.ClassCPU,
		Doc: "Reads the CPU of the request path from the server inwards and stops where it forks: at the function that owns the " +
			"cost, in whichever module, not at the leaf inside the runtime. Fires when one owns half of the CPU, or 35 % below a function with 70 % of " +
			"the request path; weakly from 30 %, and from 20 % for calls that by their own documentation need not be made for each request. Silent for a flat profile, and for time that is the kernel's or the collector's.",
		Needs:      []unpark.Kind{unpark.KindCPU},
		Run:        runCPU,
		Supersedes: []Supersession{{Rule: "alloc", Same: mostlyComputes, Take: takeBytes}, {Rule: "handoff", Same: doesMore}, {Rule: "io", Same: callsWithin}, {Rule: "recompute", Same: computesAnswers, Take: takeRepeats}},
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
	var out []unpark.Finding
	owners := cpuOwners(m, hotWeak)
	for _, o := range owners {
		share := m.CPUShare(o.Value)
		confidence := cpuConfidence(share, dominance(m))
		if in := known(m, unpark.ClassCPU, m.Ev.CPU.Tree, o, owners); in.Culprit != o.Culprit && m.CPUShare(in.Value) >= hotKnown {
			o, share = in, m.CPUShare(in.Value)
		}
		kernel := o.Kernel
		if m.CPUBound() {
			kernel -= o.Files // files that are opened again and again need not be
		}
		if confidence == "" || kernel >= foreignWork || o.Malloc >= foreignWork || m.SetupCPU(o.Site.Function) >= foreignWork*o.Value {
			continue
		}
		if m.Ev.CPU.Short() {
			confidence = unpark.Low
		}
		cost := computingCost(m, o, share)
		if m.CPUMatters() || cost.CPUPerRequest.Value.Or(0) >= hotTime {
			out = append(out, cpuFinding(m, o, share, confidence, cost))
		}
	}
	return append(out, runNeedless(m, out)...)
}

// runNeedless finds calls that need not be made for each request: a cost that nothing else is
// known of is only a cost, but of these their documentation says that it can go.
func runNeedless(m *model.Model, found []unpark.Finding) []unpark.Finding {
	if !m.CPUMatters() || m.Ev.CPU.Short() {
		return nil
	}
	var out []unpark.Finding
	for _, h := range m.Functions {
		o := spender(h)
		share := m.CPUShare(o.Value)
		if share < hotKnown {
			break // the largest come first
		}
		if share >= hotWeak || covered(m, found, o) || locked(m, o) || kernelWork(m, h) >= foreignWork || m.SetupCPU(o.Site.Function) >= foreignWork*o.Value {
			continue
		}
		f := cpuFinding(m, o, share, unpark.Low, computingCost(m, o, share))
		call := f // what it calls, and not who called it
		call.Path, call.Way = nil, nil
		if known := catalogued(m, call); len(known) > 0 && known[0].Remedy.Needless() {
			out = append(out, f)
		}
	}
	return out
}

// locked reports whether requests queue for a lock on a function's way, so that what it
// computes there is the lock's to tell.
func locked(m *model.Model, o owner.Owner) bool {
	return slices.ContainsFunc(m.Locks, func(q model.Lock) bool {
		return q.Share.Or(0) >= unpark.LeastGain && facts.Through(q.Heaviest.WaiterAll, o.Culprit.Function)
	})
}

// computingCost is what a function takes with a share of the CPU, and with the
// collector's work for what it allocates.
func computingCost(m *model.Model, o owner.Owner, share float64) unpark.Cost {
	return m.CPUCost(min(share+m.CollectorShare(allocatedBelow(m, o.Culprit.Function)), 1))
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

// allocatedBelow is what a function and those that it calls allocate.
func allocatedBelow(m *model.Model, function string) float64 {
	return m.Ev.AllocTree.Through(function)
}

func cpuFinding(m *model.Model, o owner.Owner, share float64, c unpark.Confidence, cost unpark.Cost) unpark.Finding {
	f := unpark.Finding{
		Rule: "cpu", Class: unpark.ClassCPU,
		Title: fmt.Sprintf("%s uses %s of the CPU", subject(o), units.Say(share, "ratio")),
		Share: unpark.Num(share), ShareOf: "the target's CPU", Confidence: c, Cost: cost,
		Facts: []unpark.Fact{fact("CPU of this function with all that it calls", o.Value, "s", "cpu.pb.gz")},
	}
	locate(&f, o)
	if len(f.From) > 0 {
		for _, from := range f.From {
			f.Facts = append(f.Facts, fact("part of it that "+short(from.Site.Function)+" asks for", from.Share, "ratio", "cpu.pb.gz"))
		}
	} else if d := dominance(m); d >= dominant {
		f.Facts = append(f.Facts, fact("share of the request path's CPU below "+short(m.Ev.CPU.Dominant.Function), d, "ratio", "cpu.pb.gz"))
	}
	f.Facts = append(f.Facts, beside(o, "s", "cpu.pb.gz")...)
	for _, into := range within(m, o) {
		f.Facts = append(f.Facts, fact("part of it in "+short(into.Site.Function), into.Value, "s", "cpu.pb.gz"))
	}
	f.Remedies = cpuRemedies(m, o)
	if each, _ := m.Ev.Started(o.Culprit.Function); each > 0 {
		f.Facts = append(f.Facts, fact("goroutines that it starts for each request", each, "count", "trace.out"))
		f.Remedies = append([]unpark.Remedy{{
			Title: fmt.Sprintf("Start fewer goroutines in %s: a few for each request, each with a chunk of the items, or none for items this small", short(o.Culprit.Function)),
			Why:   "what starting, scheduling and joining them takes is beside what they do, and no profile charges it to them",
			Risk:  "items that wait for others must still wait side by side",
		}}, f.Remedies...)
	}
	return f
}

func cpuRemedies(m *model.Model, o owner.Owner) []unpark.Remedy {
	first := unpark.Remedy{
		Title: "Do less in " + short(o.Culprit.Function) + ": hoist what does not change between requests, and stop at the first answer",
		Why:   "the way from the server inwards forks there; what is below it is only how it is done",
	}
	choose := unpark.Remedy{
		Title: "Choose a cheaper algorithm or representation; check with a benchmark of this function alone",
		Why:   "after what stands before this, the work that is left is needed",
	}
	prepared, is := madeOnce(o)
	switch {
	case is:
		first = prepared
	case !o.App:
		return []unpark.Remedy{callLess(m, o), choose}
	case len(o.Into) > 0 && o.Into[0].Value >= mostInto*o.Value:
		first.Title = fmt.Sprintf("Call %s less from %s, or replace it", short(o.Into[0].Site.Function), short(o.Culprit.Function))
	default:
		first = doLess(m, o, first)
	}
	return []unpark.Remedy{first, keepResult(m), choose}
}
