package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

const (
	// leastCost is the share of the target's CPU that is worth a line: without it
	// throughput would be a twentieth higher, about what two runs differ by.
	leastCost = 0.05
	maxCosts  = 6
)

// Costs returns what the CPU is spent on where it is the limit: each function of the
// application, with the library code that it calls, that has a twentieth of the target's
// CPU or more and that none of the findings tells of; the largest first. A profile does
// not say whether work is needed, so these are no findings. They have no prediction yet.
// Time that is mostly the kernel's own for reads and writes is left out.
func Costs(ev facts.Evidence, limit unpark.Limit, findings []unpark.Finding) []unpark.Finding {
	if !slices.Contains([]unpark.LimitKind{unpark.LimitCPU, unpark.LimitGC, unpark.LimitQuota}, limit.Kind) {
		return nil
	}
	r := read(ev)
	setup := r.setupBy()
	var out []unpark.Finding
	for _, h := range r.hots() {
		if r.cpuShare(h.self) < leastCost || len(out) == maxCosts {
			break // the largest come first
		}
		share := r.cpuShare(h.self - setup[h.site.Site.Function])
		if tells(findings, h.site.Site.Function) || r.kernelWork(h) >= foreignWork || share < leastCost {
			continue
		}
		confidence := unpark.Medium
		if ev.CPU.Sampled.Or(0) < shortProfile {
			confidence = unpark.Low
		}
		out = append(out, r.cpuFinding(h, share, confidence, r.computingCost(h, share)))
	}
	return out
}

// tells reports whether a finding is about all of the CPU of a function.
func tells(findings []unpark.Finding, function string) bool {
	return slices.ContainsFunc(findings, func(f unpark.Finding) bool {
		whole := f.Class == unpark.ClassCPU && f.Rule != "setup" || f.Class == unpark.ClassRecompute
		return whole && f.Site.Function == function
	})
}
