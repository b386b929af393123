package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/owner"
	"github.com/unpark-go/unpark/internal/roles"
)

// Costs returns what the CPU is spent on where it is the limit: each function of the
// application, with the library code that it calls, that has a twentieth of the target's
// CPU or more and that none of the findings is about; the largest first. A profile does
// not say whether work is needed, so these are not findings. They have no prediction yet.
// Time that is mostly the kernel's own for reads and writes is left out.
func Costs(m *model.Model, limit unpark.Limit, findings []unpark.Finding) []unpark.Finding {
	if !slices.Contains([]unpark.LimitKind{unpark.LimitCPU, unpark.LimitGC, unpark.LimitQuota}, limit.Kind) {
		return nil
	}
	var out []unpark.Finding
	for _, h := range m.Functions {
		if m.CPUShare(h.Self) < leastCost || len(out) == maxCosts {
			break // the largest come first
		}
		o := spender(h)
		share := m.CPUShare(h.Self - m.SetupCPU(h.Site.Site.Function))
		if covered(m, findings, o) || kernelWork(m, h) >= foreignWork || share < leastCost {
			continue
		}
		o.Into = slices.DeleteFunc(slices.Clone(o.Into), made) // it is none of the rest
		confidence := unpark.Medium
		if m.Ev.CPU.Short() {
			confidence = unpark.Low
		}
		out = append(out, cpuFinding(m, o, share, confidence, computingCost(m, o, share)))
	}
	return out
}

// made reports whether a callee makes what could be made once, which is counted for itself.
func made(callee facts.SiteSum) bool {
	_, ok := roles.SetupOf(callee.Site.Function)
	return ok
}

// spender is a function of the application, with the library code that it calls, as what owns
// its CPU.
func spender(h model.Function) owner.Owner {
	return owner.Owner{Culprit: h.Site.Site, Site: h.Site.Site, App: true, Value: h.Self, Into: h.Site.Callees, Stack: h.Site.Stack}
}

// covered reports whether a finding is about all of the CPU of an owner, or of a function
// that calls it, or about most of it by another name.
func covered(m *model.Model, findings []unpark.Finding, o owner.Owner) bool {
	return slices.ContainsFunc(findings, func(f unpark.Finding) bool {
		if f.Class == unpark.ClassPool && f.Site.Function == o.Site.Function {
			return f.Cost.Cores.Value.Or(0) >= mostOfCause*m.CPUCost(m.CPUShare(o.Value)).Cores.Value.Or(0)
		}
		whole := f.Class == unpark.ClassCPU && f.Rule != "setup" || f.Class == unpark.ClassRecompute
		return whole && (f.Site.Function == o.Site.Function || f.Culprit != nil && facts.Through(o.Stack, f.Culprit.Function))
	})
}
