package diagnose

import (
	"fmt"
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

func quotaRule() Rule {
	return Rule{
		ID: "quota", Title: "CPU quota and GOMAXPROCS", Class: unpark.ClassQuota,
		Doc: "Reads in how many of its periods the cgroup was throttled, the quota and the sum of GOMAXPROCS. Fires when the " +
			"target was throttled in 5 % of them, and when GOMAXPROCS keeps a busy target from cores it may use. " +
			"Silent for GOMAXPROCS above a quota that is never reached.",
		Needs: []unpark.Kind{unpark.KindCPU},
		Run:   runQuota,
	}
}

func runQuota(m *model.Model) []unpark.Finding {
	if f, ok := throttledFinding(m); ok {
		return []unpark.Finding{f}
	}
	if f, ok := fewProcs(m); ok {
		return []unpark.Finding{f}
	}
	return nil
}

func throttledFinding(m *model.Model) (unpark.Finding, bool) {
	share := m.Throttled
	quota, known := quotaOf(m).Get()
	if share <= 0 || !known {
		return unpark.Finding{}, false
	}
	f := quotaFinding(m, fmt.Sprintf("The CPU quota of %s stops the service", units.Say(quota, "cores")))
	f.Cost.Throttled = unpark.Measured(share, "ratio", 1)
	f.Facts = append(f.Facts, fact("share of its scheduling periods in which the cgroup was throttled", share, "ratio", "cgroup"), fact("CPU quota", quota, "cores", "cgroup"))
	raise := unpark.Remedy{
		Title: "Raise the quota, or remove it and keep a CPU request",
		Why:   "the service wants more than it is given; throttled time is added to every request that is running",
		Risk:  "neighbours get less",
	}
	spend := unpark.Remedy{
		Title: "Use less CPU per request: see the cpu, alloc and recompute findings",
		Why:   "the quota serves quota ÷ CPU-per-request requests a second",
	}
	procs, ok := m.Ev.CPU.Parallel.Get()
	if !ok || procs < manyProcs*quota {
		f.Remedies = []unpark.Remedy{spend, raise}
		return f, true
	}
	f.Title += fmt.Sprintf("; GOMAXPROCS is %s", units.Say(procs, ""))
	f.Remedies = []unpark.Remedy{{
		Title: fmt.Sprintf("Set GOMAXPROCS to %.0f (the quota, rounded up)", math.Ceil(quota)),
		Why: "more running threads than the quota spend a period's share early and all stand still until the next one. Go 1.25 and later " +
			"read the quota themselves (runtime.defaultGOMAXPROCS; never below 2), unless GOMAXPROCS is set or go.mod names an older Go; with prefork the sum over processes counts",
		Risk: "a single process then cannot use more when the quota is raised at run time, if the number is fixed by hand",
	}, spend, raise}
	return f, true
}

// fewProcs finds a busy target with fewer Ps than cores: GOMAXPROCS is the quota.
func fewProcs(m *model.Model) (unpark.Finding, bool) {
	procs, ok := m.Ev.CPU.Parallel.Get()
	most := m.Ev.CPU.Allowed.Or(float64(m.Ev.MachineCores()))
	if !ok || procs <= 0 || most < procs+1 || m.Cores.Or(0) < model.Saturated*procs {
		return unpark.Finding{}, false
	}
	f := quotaFinding(m, fmt.Sprintf("GOMAXPROCS %s leaves %s of %s allowed cores unused", units.Say(procs, ""), units.Say(most-procs, ""), units.Say(most, "")))
	f.Facts = append(f.Facts, fact("sum of GOMAXPROCS over processes", procs, "count", "runtime"),
		fact("cores the target may use", most, "cores", account(m)))
	f.Remedies = []unpark.Remedy{{
		Title: "Do not set GOMAXPROCS, or set it to the cores the service may use; with prefork, start as many workers",
		Why:   "Go code of a process never runs on more cores than GOMAXPROCS",
		Risk:  "locks that were free become contended when more runs at once",
	}}
	return f, true
}

func quotaFinding(m *model.Model, title string) unpark.Finding {
	f := unpark.Finding{
		Rule: "quota", Class: unpark.ClassQuota, Title: title, Confidence: unpark.Medium,
	}
	// No share: a quota is what everything else goes into, and no part of it.
	if used, ok := m.Used.Get(); ok {
		f.Facts = append(f.Facts, fact("share of the allowed cores in use", min(1, used), "ratio", account(m))) // clocks of cgroup and window differ a little
	}
	if c, ok := m.Cores.Get(); ok {
		f.Cost.Cores = unpark.Measured(c, "cores", 1)
		f.Facts = append(f.Facts, fact("cores used by the target", c, "cores", account(m)))
		if m.Used.Or(0) >= model.Saturated {
			f.Confidence = unpark.High // use and throttling, or use and GOMAXPROCS, agree
		}
	}
	return f
}

// account names what counted the target's cores: the kernel, or for a target elsewhere its
// own processes.
func account(m *model.Model) string {
	if m.Ev.Target.Elsewhere {
		return "the processes' own account"
	}
	return "/proc"
}

// quotaOf is the CPU limit in cores; unknown when there is none.
func quotaOf(m *model.Model) unpark.Number {
	if m.Ev.Target.Quota.Known() {
		return m.Ev.Target.Quota
	}
	if a, ok := m.Ev.CPU.Allowed.Get(); ok && m.Ev.CPU.Throttled.Or(0) > 0 && a < float64(m.Ev.MachineCores()) {
		return m.Ev.CPU.Allowed
	}
	return unpark.Number{}
}
