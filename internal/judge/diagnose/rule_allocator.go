package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/owner"
	"github.com/unpark-go/unpark/internal/units"
)

func allocatorRule() Rule {
	return Rule{
		ID: "allocator", Title: "garbage per request, by the allocator's time", Class: unpark.ClassAlloc,
		Doc: "Reads in which functions the allocator computes, where no allocation is recorded: the linker turns that profile off in a program " +
			"that imports nothing which could read it (runtime.disableMemoryProfiling). The allocator's time goes with the number and the size of what it makes " +
			"(runtime/malloc.go, mallocgc), and the collector's with its bytes, so both are put down to a function by its part of the allocator's. Fires when that is 10 % of the CPU. " +
			"Silent beside an allocation profile, which has the bytes.",
		Needs:      []unpark.Kind{unpark.KindCPU},
		Run:        runAllocator,
		Supersedes: []Supersession{{Rule: "cpu", Same: mostlyAllocates}, {Rule: "gc", Same: mostGarbage, Take: takeCollector}},
	}
}

func runAllocator(m *model.Model) []unpark.Finding {
	if m.Present(unpark.KindAllocs) || !m.CPUMatters() {
		return nil
	}
	var out []unpark.Finding
	made := m.Ev.CPU.Tree.Allocator()
	for _, o := range owners(made.Total, made.Total, allocPart, func(least float64) []owner.Owner { return owner.Find(made, least, false) }) {
		part := o.Value / made.Total
		if cpu := m.GarbageShare * part; cpu >= allocCPU {
			out = append(out, allocatorFinding(m, o, part, cpu))
		}
	}
	return out[:min(len(out), maxAllocs)]
}

func allocatorFinding(m *model.Model, o owner.Owner, part, cpu float64) unpark.Finding {
	f := unpark.Finding{
		Rule: "allocator", Class: unpark.ClassAlloc,
		Title:      fmt.Sprintf("What %s allocates takes %s of the CPU, to make and to collect", subject(o), units.Say(cpu, "ratio")),
		Share:      unpark.Num(part),
		ShareOf:    "the allocator's CPU",
		Confidence: unpark.Medium, // of bytes nothing is known
		Cost:       m.CPUCost(cpu),
	}
	locate(&f, o)
	f.Facts = append(f.Facts, numberFact("CPU in the allocator", m.Ev.CPU.Shares.Malloc, "ratio", "cpu.pb.gz")...)
	f.Facts = append(f.Facts, numberFact("CPU in the collector", m.Ev.CPU.Shares.GC, "ratio", "cpu.pb.gz")...)
	f.Remedies = allocRemedies(m)
	if r, ok := madeOnce(o); ok {
		f.Remedies = append([]unpark.Remedy{r}, f.Remedies...)
	} else if !o.App {
		f.Remedies = append([]unpark.Remedy{callLess(m, o)}, f.Remedies...) // what the library makes within, only that can pool
	}
	return f
}
