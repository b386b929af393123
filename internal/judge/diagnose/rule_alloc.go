package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/owner"
	"github.com/unpark-go/unpark/internal/units"
)

func allocRule() Rule {
	return Rule{
		ID: "alloc", Title: "garbage per request", Class: unpark.ClassAlloc,
		Doc: "Reads the bytes that are allocated per request, from the server inwards to the function that owns them, and what allocating and collecting take " +
			"of the CPU. Fires when one allocates a kilobyte a request and causes 10 % of the CPU that way, or 16 kB " +
			"whatever the CPU. Silent for what the HTTP server itself needs and for allocation at start.",
		Needs:      []unpark.Kind{unpark.KindAllocs, unpark.KindCPU},
		Run:        runAlloc,
		Supersedes: []Supersession{{Rule: "cpu", Same: mostlyAllocates}, {Rule: "gc", Same: mostGarbage, Take: takeCollector}, {Rule: "recompute", Same: computesAnswers, Take: takeRepeats}},
	}
}

func runAlloc(m *model.Model) []unpark.Finding {
	var out []unpark.Finding
	garbage := m.GarbageShare
	if _, asked := collections(m); asked >= askedPart {
		garbage = m.Ev.CPU.Shares.Malloc.Or(0) // collections come whatever is allocated
	}
	owners := allocOwners(m, allocPart)
	for _, o := range owners {
		o = known(m, unpark.ClassAlloc, m.Ev.AllocTree, o, owners)
		part := o.Value / m.AllocatedBytes
		per, ok := m.PerRequest(o.Value).Get()
		if !ok || per < allocFloor {
			continue
		}
		cpu := garbage * part
		if (cpu >= allocCPU && m.CPUMatters()) || per >= allocLarge {
			out = append(out, allocFinding(m, o, part, cpu, per))
		}
	}
	return out[:min(len(out), maxAllocs)]
}

func allocFinding(m *model.Model, o owner.Owner, part, cpu, per float64) unpark.Finding {
	f := unpark.Finding{
		Rule: "alloc", Class: unpark.ClassAlloc,
		Title:      fmt.Sprintf("%s allocates %s per request", subject(o), units.Say(per, "B")),
		Share:      unpark.Num(part),
		ShareOf:    "allocated bytes",
		Confidence: unpark.Medium,
		Cost:       m.CPUCost(cpu),
	}
	locate(&f, o)
	f.Cost.BytesPerRequest = unpark.Measured(per, "B/req", int64(m.Requests))
	if delay, seen := gcWaits(m, o.Culprit.Function); delay > 0 && gcMatters(m) {
		f.Cost.WaitPerRequest = m.WaitCost(delay, seen).WaitPerRequest
		f.Facts = append(f.Facts, fact("requests waited here for the collector, summed", delay, "s", "goroutine"))
	}
	f.Facts = append(f.Facts, fact("allocated here in the window", o.Value, "B", "allocs.pb.gz"))
	f.Facts = append(f.Facts, beside(o, "B", "allocs.pb.gz")...)
	for _, into := range o.Into[:min(len(o.Into), maxInto)] {
		if into.Value >= leastInto*o.Value {
			f.Facts = append(f.Facts, fact("on its behalf by "+short(into.Site.Function), into.Value, "B", "allocs.pb.gz"))
		}
	}
	f.Facts = append(f.Facts, numberFact("CPU in the allocator", m.Ev.CPU.Shares.Malloc, "ratio", "cpu.pb.gz")...)
	f.Facts = append(f.Facts, numberFact("CPU in the collector", m.Ev.CPU.Shares.GC, "ratio", "cpu.pb.gz")...)
	f.Facts = append(f.Facts, numberFact("CPU in the collector by the runtime's own account", m.Ev.GC.CPUShare, "ratio", "runtime/metrics")...)
	// The allocation profile names the site, the CPU profile the price.
	if cpu >= allocCPU {
		f.Confidence = unpark.High
	}
	f.Remedies = allocRemedies(m)
	if r, ok := madeOnce(o); ok {
		f.Remedies = append([]unpark.Remedy{r}, f.Remedies...)
	} else if !o.App {
		f.Remedies = append([]unpark.Remedy{callLess(m, o)}, f.Remedies...) // what the library makes within, only that can pool
	}
	return f
}
