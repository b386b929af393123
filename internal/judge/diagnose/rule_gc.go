package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/internal/units"
)

func gcRule() Rule {
	return Rule{
		ID: "gc", Title: "garbage collection pressure", Class: unpark.ClassGC,
		Doc: "Reads what the collector takes of the CPU. Fires from a quarter, which is what the runtime's background " +
			"workers are built to take while a cycle runs, and from 15 % when cycles follow each other on a small heap, or garbage is what fills the CPU. " +
			"Where a goroutine waits for collections that it asked for (runtime.GC) in a tenth of the time or more, that is the cause. " +
			"Silent for a service with idle cores: idle ones collect for nothing.",
		Needs: []unpark.Kind{unpark.KindCPU},
		Run:   runGC,
	}
}

func runGC(m *model.Model) []unpark.Finding {
	share := m.GCShare
	cycles := m.Ev.GC.Cycles.Or(0) / max(m.Seconds, 1e-9) / float64(m.Processes)
	often := share >= gcBusy && cycles >= gcCycles && m.Ev.GC.HeapLive.Or(gcSmall) < gcSmall
	limits := garbageFills(m)
	if (share < gcHeavy && !often && !limits) || !gcMatters(m) {
		return nil
	}
	f := unpark.Finding{
		Rule: "gc", Class: unpark.ClassGC, Share: unpark.Num(share), ShareOf: "the target's CPU",
		Title:      fmt.Sprintf("The collector takes %s of the CPU", units.Say(share, "ratio")),
		Confidence: unpark.Medium, Cost: m.CPUCost(share),
	}
	if share < gcHeavy && !often {
		f.Title = fmt.Sprintf("Garbage takes %s of the CPU, the collector %s and the allocator the rest",
			units.Say(m.GarbageShare, "ratio"), units.Say(share, "ratio"))
	}
	asked, part := collections(m)
	if part >= askedPart {
		f.Title += ": " + short(asked.Site.Function) + " asks for collections, again and again"
		f.Site, f.Culprit, f.Path = asked.Site, asksFor(asked.Stack), path(asked.Stack)
		f.Confidence = unpark.High
		f.Facts = append(f.Facts, fact("share of the time in which it waits for a collection that it asked for", part, "ratio", "goroutine"))
	} else if l := allocOwners(m, allocPart); len(l) > 0 {
		locate(&f, l[0])
		f.Facts = append(f.Facts, fact("most is allocated in "+short(l[0].Culprit.Function), l[0].Value, "B", "allocs.pb.gz"))
	}
	f.Facts = append(f.Facts, numberFact("CPU in the collector", m.Ev.CPU.Shares.GC, "ratio", "cpu.pb.gz")...)
	if own, ok := m.Ev.GC.CPUShare.Get(); ok {
		f.Facts = append(f.Facts, fact("CPU in the collector by the runtime's own account", own, "ratio", "runtime/metrics"))
		switch ratio := own / share; {
		case ratio >= 1/gcAgrees && ratio <= gcAgrees:
			f.Confidence = unpark.High
		default:
			f.Confidence = unpark.Low // profile and runtime contradict each other
		}
	}
	if m.Ev.GC.Cycles.Known() {
		f.Facts = append(f.Facts, fact("collections per second and process", cycles, "count", "runtime/metrics"))
	}
	f.Facts = append(f.Facts, numberFact("live heap", m.Ev.GC.HeapLive, "B", heapFrom(m))...)
	if b, ok := m.PerRequest(m.AllocatedBytes).Get(); ok && b > 0 {
		f.Cost.BytesPerRequest = unpark.Measured(b, "B/req", int64(m.Requests))
	}
	if delay, seen := gcWaits(m, ""); delay > 0 {
		f.Cost.WaitPerRequest = m.WaitCost(delay, seen).WaitPerRequest
		f.Facts = append(f.Facts, fact("requests waited for the collector, summed", delay, "s", "goroutine"))
	}
	f.Remedies = gcRemedies(often || limits)
	if part >= askedPart {
		f.Remedies = append([]unpark.Remedy{askLess(f)}, collectLess())
	}
	return []unpark.Finding{f}
}

// asksFor is the outermost call that asks for a collection.
func asksFor(stack []unpark.Site) *unpark.Site {
	var out *unpark.Site
	for i, s := range stack {
		if roles.Is(s.Function, roles.Collects) {
			out = &stack[i]
		}
	}
	return out
}

// askLess is for collections that are asked for.
func askLess(f unpark.Finding) unpark.Remedy {
	return unpark.Remedy{
		Title: "Do not ask for collections in " + short(f.Site.Function) + ", or much less often: set GOMEMLIMIT, and the runtime collects and gives memory back by itself",
		Why:   "each walks all that is alive, however little was allocated since the last one, and takes a quarter of the processors while it runs",
		Risk:  "the process keeps more memory between peaks, up to the limit",
	}
}

// heapFrom names the source of the live heap: where there are no metrics the trace has it, with
// the goal, and without collections in it the heap profile.
func heapFrom(m *model.Model) string {
	for _, p := range m.Ev.Window.Processes {
		if p.Metrics.HeapLive.Known() {
			return "runtime/metrics"
		}
	}
	if m.Ev.GC.HeapGoal.Known() {
		return "trace.out"
	}
	return "heap.pb.gz"
}

func gcRemedies(often bool) []unpark.Remedy {
	less := unpark.Remedy{
		Title: "Allocate less per request: see the alloc findings",
		Why:   "the collector runs once for every GOGC percent of new memory",
	}
	fewerPointers := unpark.Remedy{
		Title: "Keep fewer pointers in long-lived data (values instead of pointers, one slab instead of many)",
		Why:   "each cycle walks what is alive",
		Risk:  "copies of large values",
	}
	if often {
		return []unpark.Remedy{less, collectLess(), fewerPointers}
	}
	return []unpark.Remedy{less, fewerPointers, collectLess()}
}

func collectLess() unpark.Remedy {
	return unpark.Remedy{
		Title: "Raise GOGC, or set GOMEMLIMIT with GOGC=off where memory allows",
		Why:   "a larger heap goal means fewer cycles: doubling GOGC about halves the collector's CPU",
		Risk:  "more memory; with a limit set too low the collector never stops",
	}
}
