package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

func allocRule() Rule {
	return Rule{
		ID: "alloc", Title: "garbage per request", Class: unpark.ClassAlloc,
		Doc: "Reads the bytes that application functions allocate per request, and what allocating and collecting take " +
			"of the CPU. Fires when a function allocates a kilobyte a request and causes 10 % of the CPU that way, or 16 kB " +
			"whatever the CPU. Silent for what the HTTP server itself needs and for allocation at start.",
		Needs: []unpark.Kind{unpark.KindAllocs, unpark.KindCPU},
		Run:   runAlloc,
	}
}

func runAlloc(m *model.Model) []unpark.Finding {
	total := m.AllocatedBytes
	var out []unpark.Finding
	for _, l := range m.Allocations {
		part := l.Bytes / total
		per, ok := m.PerRequest(l.Bytes).Get()
		if !ok || part < allocPart || per < allocFloor {
			continue
		}
		cpu := m.GarbageShare * part
		if (cpu >= allocCPU && m.CPUMatters()) || per >= allocLarge {
			out = append(out, allocFinding(m, l, part, cpu, per))
		}
	}
	return out[:min(len(out), maxAllocs)]
}

func allocFinding(m *model.Model, l model.Allocation, part, cpu, per float64) unpark.Finding {
	s := l.Site
	f := unpark.Finding{
		Rule: "alloc", Class: unpark.ClassAlloc, Site: s.Site, Path: path(s.Stack),
		Title:      fmt.Sprintf("%s allocates %s per request", short(s.Site.Function), units.Say(per, "B")),
		Share:      unpark.Num(part),
		ShareOf:    "allocated bytes",
		Confidence: unpark.Medium,
		Cost:       m.CPUCost(cpu),
	}
	f.Cost.BytesPerRequest = unpark.Measured(per, "B/req", int64(m.Requests))
	if delay, seen := gcWaits(m, s.Site.Function); delay > 0 && gcMatters(m) {
		f.Cost.WaitPerRequest = m.WaitCost(delay, seen).WaitPerRequest
		f.Facts = append(f.Facts, fact("requests waited here for the collector, summed", delay, "s", "goroutine"))
	}
	f.Facts = append(f.Facts, fact("allocated here in the window", l.Bytes, "B", "allocs.pb.gz"))
	if n, ok := m.PerRequest(l.Objects).Get(); ok && l.Objects > 0 {
		f.Facts = append(f.Facts, fact("objects per request", n, "count", "allocs.pb.gz"))
	}
	if len(s.Callees) > 0 && s.Callees[0].Site.Function != "" {
		f.Facts = append(f.Facts, fact("on its behalf by "+short(s.Callees[0].Site.Function), s.Callees[0].Value, "B", "allocs.pb.gz"))
	}
	f.Facts = append(f.Facts, numberFact("CPU in the allocator", m.Ev.CPU.Shares.Malloc, "ratio", "cpu.pb.gz")...)
	f.Facts = append(f.Facts, numberFact("CPU in the collector", m.Ev.CPU.Shares.GC, "ratio", "cpu.pb.gz")...)
	f.Facts = append(f.Facts, numberFact("CPU in the collector by the runtime's own account", m.Ev.GC.CPUShare, "ratio", "runtime/metrics")...)
	// The allocation profile names the site, the CPU profile the price.
	if cpu >= allocCPU {
		f.Confidence = unpark.High
	}
	f.Remedies = allocRemedies(m)
	return f
}

func allocRemedies(m *model.Model) []unpark.Remedy {
	pool := unpark.Remedy{
		Title: "Take the buffer or object from a sync.Pool, and reset it before it goes back",
		Why:   "the same memory serves the next request; the collector runs less often",
		Risk:  "something kept after Put is a data race; one huge buffer stays in the pool",
	}
	final := unpark.Remedy{
		Title: "Cache the final bytes that are sent, not the value they are made from",
		Why:   "then neither the value nor its encoding is allocated again",
		Risk:  "the cache needs a bound and must be dropped when the data changes",
	}
	size := unpark.Remedy{
		Title: "Give slices, maps and buffers their size when they are made",
		Why:   "growing copies and leaves each smaller one to the collector",
	}
	if m.Load != nil && m.Load.Repeated.Or(0) >= repeats {
		return []unpark.Remedy{final, pool, size}
	}
	return []unpark.Remedy{pool, size, final}
}
