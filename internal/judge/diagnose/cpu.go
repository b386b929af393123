package diagnose

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
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

const (
	// dominant is the cumulative share at the first diverging application frame
	// that makes one cause (DESIGN §5); about 20 % and flat is balanced.
	dominant = 0.7
	// hotBelow is the part of the CPU that one function must hold itself below
	// the dominant frame: below it, the frame is a router over equal parts.
	hotBelow = 0.35
	hotAlone = 0.5
	hotWeak  = 0.3
	// foreignWork is the part of a function's time under read and write calls, in
	// the allocator or in set-up, above which another rule is the one to speak.
	foreignWork = 0.6
	// hotTime is CPU per request that is told even in an idle process.
	hotTime = 1e-3
	// maxInto is how many of the frames that a function calls are told (finding.go).
	maxInto = 3
	// shortProfile in CPU seconds: fewer than 100 samples place a share of a
	// half only within ±8 %.
	shortProfile = 1.0
)

// hot is one application function with its own CPU, joined over lines.
type hot struct {
	site facts.CPUSite // the heaviest line
	self float64
}

func (r reading) hots() []hot {
	by := map[string]*hot{}
	for _, s := range r.ev.CPU.Sites {
		if s.Side != unpark.RequestPath || s.Self <= 0 {
			continue
		}
		h := by[s.Site.Function]
		if h == nil {
			h = &hot{}
			by[s.Site.Function] = h
		}
		if s.Self > h.site.Self {
			h.site = s
		}
		h.self += s.Self
	}
	out := make([]hot, 0, len(by))
	for _, h := range by {
		out = append(out, *h)
	}
	slices.SortFunc(out, func(a, b hot) int {
		return cmp.Or(cmp.Compare(b.self, a.self), cmp.Compare(a.site.Site.Function, b.site.Site.Function))
	})
	return out
}

// dominance is the share of the request path's CPU below the first diverging
// application frame; 0 when no frame holds enough.
func (r reading) dominance() float64 {
	total := r.ev.CPU.RequestPath.Or(r.ev.CPU.Sampled.Or(0))
	if r.ev.CPU.Dominant.IsZero() || total <= 0 {
		return 0
	}
	return r.ev.CPU.DominantCPU.Or(0) / total
}

func runCPU(ev facts.Evidence) []unpark.Finding {
	r := read(ev)
	hots := r.hots()
	if len(hots) == 0 || r.cpuShare(1) == 0 {
		return nil
	}
	top := hots[0]
	share := r.cpuShare(top.self)
	confidence := cpuConfidence(share, r.dominance())
	if confidence == "" || r.kernelWork(top) >= foreignWork || top.allocating() >= foreignWork || r.setupBy()[top.site.Site.Function] >= foreignWork*top.self {
		return nil
	}
	if ev.CPU.Sampled.Or(0) < shortProfile {
		confidence = unpark.Low
	}
	cost := r.computingCost(top, share)
	if !r.cpuMatters() && cost.CPUPerRequest.Value.Or(0) < hotTime {
		return nil
	}
	return []unpark.Finding{r.cpuFinding(top, share, confidence, cost)}
}

// computingCost is what a function takes with a share of the CPU, and with the
// collector's work for what it allocates.
func (r reading) computingCost(h hot, share float64) unpark.Cost {
	return r.cpuCost(min(share+r.drag(allocatedBy(r, h.site.Site.Function)), 1))
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

// kernelWork is the part of a function's time below recognised read and write
// calls.
func (r reading) kernelWork(h hot) float64 {
	var sum float64
	for _, s := range r.hotspots(facts.SignalWrite, facts.SignalRead) {
		if s.site.Function == h.site.Site.Function {
			sum += s.cpu
		}
	}
	return sum / h.self
}

// allocating is the part of a function's time that went straight into the
// allocator.
func (h hot) allocating() float64 {
	var sum float64
	for _, c := range h.site.Callees {
		if roles.Is(c.Site.Function, roles.Allocate) {
			sum += c.Value
		}
	}
	return sum / h.site.Self
}

func allocatedBy(r reading, function string) float64 {
	for _, l := range r.litters() {
		if l.site.Site.Function == function {
			return l.bytes
		}
	}
	return 0
}

func (r reading) cpuFinding(top hot, share float64, c unpark.Confidence, cost unpark.Cost) unpark.Finding {
	site := top.site.Site
	f := unpark.Finding{
		Rule: "cpu", Class: unpark.ClassCPU, Site: site, Path: path(top.site.Stack),
		Title: fmt.Sprintf("%s uses %s of the CPU", short(site.Function), units.Say(share, "ratio")),
		Share: unpark.Num(share), ShareOf: "the target's CPU", Confidence: c, Cost: cost,
		Facts: []unpark.Fact{
			fact("CPU of this function with the library code that it calls", top.self, "s", "cpu.pb.gz"),
			fact("CPU of every stack that runs through it", top.site.Cum, "s", "cpu.pb.gz"),
		},
	}
	if d := r.dominance(); d >= dominant {
		f.Facts = append(f.Facts, fact("of the request path's CPU is below "+short(r.ev.CPU.Dominant.Function), d, "ratio", "cpu.pb.gz"))
	}
	var callee string
	if len(top.site.Callees) > 0 {
		callee = top.site.Callees[0].Site.Function
		f.Facts = append(f.Facts, fact("of it in "+short(callee), top.site.Callees[0].Value, "s", "cpu.pb.gz"))
	}
	for _, c := range top.site.Callees[:min(len(top.site.Callees), maxInto)] {
		f.Into = append(f.Into, unpark.Part{Site: c.Site, Share: c.Value / top.self})
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
