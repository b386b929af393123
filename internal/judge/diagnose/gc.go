package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/units"
)

func gcRule() Rule {
	return Rule{
		ID: "gc", Title: "garbage collection pressure", Class: unpark.ClassGC,
		Doc: "Reads what the collector takes of the CPU. Fires from a quarter, which is what the runtime's background " +
			"workers are built to take while a cycle runs, and from 15 % when cycles follow each other on a small heap. " +
			"Silent for a service with idle cores: idle ones collect for nothing.",
		Needs: []unpark.Kind{unpark.KindCPU},
		Run:   runGC,
	}
}

const (
	// gcHeavy: the background workers take 25 % of GOMAXPROCS during a cycle
	// (runtime/mgcpacer.go: gcBackgroundUtilization). At that share over a whole
	// window the collector never rests, and assists come on top.
	gcHeavy = 0.25
	// gcBusy and the two figures below find a collector that runs too often: the
	// heap is so small that each cycle frees little.
	gcBusy   = 0.15
	gcCycles = 5.0       // per second and process
	gcSmall  = 256 << 20 // live bytes, of all processes
)

func runGC(ev facts.Evidence) []unpark.Finding {
	r := read(ev)
	share := r.gcShare()
	cycles := ev.GC.Cycles.Or(0) / max(r.seconds, 1e-9) / float64(r.processes())
	often := share >= gcBusy && cycles >= gcCycles && ev.GC.HeapLive.Or(gcSmall) < gcSmall
	if (share < gcHeavy && !often) || !r.gcMatters() {
		return nil
	}
	f := unpark.Finding{
		Rule: "gc", Class: unpark.ClassGC, Share: unpark.Num(share), ShareOf: "the target's CPU",
		Title:      fmt.Sprintf("The collector takes %s of the CPU", units.Say(share, "ratio")),
		Confidence: unpark.Medium, Cost: r.cpuCost(share),
	}
	if l := r.litters(); len(l) > 0 {
		f.Site, f.Path = l[0].site.Site, path(l[0].site.Stack)
		f.Facts = append(f.Facts, fact("largest allocating function: "+short(f.Site.Function), l[0].bytes, "B", "allocs.pb.gz"))
	}
	f.Facts = append(f.Facts, numberFact("CPU in the collector", ev.CPU.Shares.GC, "ratio", "cpu.pb.gz")...)
	if own, ok := ev.GC.CPUShare.Get(); ok {
		f.Facts = append(f.Facts, fact("CPU in the collector by the runtime's own account", own, "ratio", "runtime/metrics"))
		switch ratio := own / share; {
		case ratio >= 0.5 && ratio <= 2:
			f.Confidence = unpark.High
		default:
			f.Confidence = unpark.Low // profile and runtime contradict each other
		}
	}
	if ev.GC.Cycles.Known() {
		f.Facts = append(f.Facts, fact("collections per second and process", cycles, "count", "runtime/metrics"))
	}
	f.Facts = append(f.Facts, numberFact("live heap", ev.GC.HeapLive, "B", r.heapFrom())...)
	if b, ok := r.perRequest(r.allocated()).Get(); ok && b > 0 {
		f.Cost.BytesPerRequest = unpark.Measured(b, "B/req", int64(r.requests))
	}
	if delay, seen := r.gcWaits(""); delay > 0 {
		f.Cost.WaitPerRequest = r.waitCost(delay, seen).WaitPerRequest
		f.Facts = append(f.Facts, fact("requests waited for the collector, summed", delay, "s", "goroutine"))
	}
	f.Remedies = gcRemedies(often)
	return []unpark.Finding{f}
}

// heapFrom names the source of the live heap: the heap profile stands in for metrics.
func (r reading) heapFrom() string {
	for _, p := range r.ev.Window.Processes {
		if p.Metrics.HeapLive.Known() {
			return "runtime/metrics"
		}
	}
	return "heap.pb.gz"
}

// gcMatters reports that the collector has enough CPU to be in somebody's way,
// and that enough samples say so.
func (r reading) gcMatters() bool {
	return (r.used.Or(0) >= gcUsed || r.machineBound()) && r.ev.CPU.Sampled.Or(0) >= shortProfile
}

// gcUsed is the use of the allowed cores below which the collector runs on cores
// that would idle: it starts extra workers there (runtime/mgc.go, idle workers).
const gcUsed = 0.3

// gcWaits sums what requests wait for the collector (assists, and the runtime's
// own semaphores around a cycle) on stacks through a function; "" is every one.
func (r reading) gcWaits(function string) (delay, seen float64) {
	for _, w := range r.ev.Waits {
		if w.Side != unpark.RequestPath || w.Idle || (w.Class != unpark.WaitGCAssist && w.Class != unpark.WaitRuntime) {
			continue
		}
		if function == "" || w.Waiter.Function == function || on(w.Stack, function) {
			delay += w.Delay
			seen += r.sightings(w)
		}
	}
	return delay, seen
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
	goal := unpark.Remedy{
		Title: "Raise GOGC, or set GOMEMLIMIT with GOGC=off where memory allows",
		Why:   "a larger heap goal means fewer cycles: doubling GOGC about halves the collector's CPU",
		Risk:  "more memory; with a limit set too low the collector never stops",
	}
	if often {
		return []unpark.Remedy{less, goal, fewerPointers}
	}
	return []unpark.Remedy{less, fewerPointers, goal}
}
