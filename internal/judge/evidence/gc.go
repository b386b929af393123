package evidence

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/stats"
)

// gc returns what collection cost the service, by the runtime's own counters without
// the observer's part; the profiles fill in bytes and objects for a target without
// probe.
func gc(p *profiles, look overhead, used facts.CPU, ts *traces) facts.GC {
	out := facts.GC{
		CPUShare:   collected(p, look, used),
		Cycles:     own(p.counter(func(m unpark.Metrics) unpark.Number { return m.GCCycles }), look.bytes),
		AllocBytes: own(p.counter(func(m unpark.Metrics) unpark.Number { return m.AllocBytes }), look.bytes),
		AllocCount: own(p.counter(func(m unpark.Metrics) unpark.Number { return m.AllocObjects }), look.objects),
		HeapLive:   p.counter(func(m unpark.Metrics) unpark.Number { return m.HeapLive }),
		HeapGoal:   p.counter(func(m unpark.Metrics) unpark.Number { return m.HeapGoal }),
	}
	for _, process := range p.in.Window.Processes { // of several that are set apart, the first stands for all
		if process.Metrics.GOGC.Known() {
			out.GOGC, out.MemoryLimit = process.Metrics.GOGC, process.Metrics.MemoryLimit
			break
		}
	}
	if p.has(unpark.KindAllocs) && !out.AllocBytes.Known() {
		var bytes, objects float64
		for s := range p.of(unpark.KindAllocs) {
			bytes += s.value
			objects += s.count
		}
		out.AllocBytes, out.AllocCount = unpark.Num(bytes), unpark.Num(objects)
	}
	if live, goal := ts.pace(); goal.Known() && !out.HeapGoal.Known() {
		out.HeapLive, out.HeapGoal = live, goal
	}
	if p.has(unpark.KindHeap) && !out.HeapLive.Known() {
		out.HeapLive = unpark.Num(p.merged[unpark.KindHeap].Total())
	}
	return out
}

// collected is collection's share of the CPU that the target used, by the runtime's
// own account. What the profile says of it is among the shares of the CPU.
//
// /cpu/classes/gc/total is an estimate in time of Ps (runtime/metrics.go): it
// counts a P that has no processor under it (runtime/mgc.go: what a worker took is by
// nanotime), so with more Ps than cores, and where other processes have those, it says
// nothing of the CPU that was used.
func collected(p *profiles, look overhead, used facts.CPU) unpark.Number {
	if allowed, ok := used.Allowed.Get(); ok && used.Parallel.Or(0) > allowed {
		return unpark.Number{}
	}
	if p.in.Target.Shares() && p.in.Window.FilledBy(p.in.Window.OtherCores(used.Cores).Or(0)) {
		return unpark.Number{}
	}
	gc, ok := own(p.counter(func(m unpark.Metrics) unpark.Number { return m.GCCPU }), look.bytes).Get()
	counted := p.in.Window.Total(func(p unpark.Process) unpark.Number { return p.Cores })
	if used.Service.Known() && counted.Known() {
		counted = used.Service
	}
	cores, measured := counted.Get()
	if !ok || !measured || cores*p.seconds <= 0 {
		return unpark.Number{}
	}
	return unpark.Num(min(1, gc/(cores*p.seconds)))
}

// pace is how much was alive after a collection, and to how much the heap could grow then, by
// the traces: the medians.
func (ts *traces) pace() (live, goal unpark.Number) {
	var alive, grows []float64
	for _, i := range ts.fair {
		for n, live := range ts.all[i].Live {
			alive = append(alive, float64(live))
			grows = append(grows, float64(ts.all[i].Goals[n])/float64(live))
		}
	}
	if len(alive) < enoughCollections {
		return unpark.Number{}, unpark.Number{}
	}
	slices.Sort(alive)
	slices.Sort(grows)
	middle := stats.Quantile(alive, 0.5)
	return unpark.Num(middle), unpark.Num(middle * stats.Quantile(grows, 0.5))
}
