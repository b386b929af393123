package evidence

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// gc returns what collection cost the service, by the runtime's own counters without
// the observer's part; the profiles fill in bytes and objects for a target without
// probe.
func (r *reducer) gc(cpu facts.CPU) facts.GC {
	out := facts.GC{
		CPUShare:   r.collected(cpu),
		Cycles:     own(r.counter(func(m unpark.Metrics) unpark.Number { return m.GCCycles }), r.look.bytes),
		AllocBytes: own(r.counter(func(m unpark.Metrics) unpark.Number { return m.AllocBytes }), r.look.bytes),
		AllocCount: own(r.counter(func(m unpark.Metrics) unpark.Number { return m.AllocObjects }), r.look.objects),
		HeapLive:   r.counter(func(m unpark.Metrics) unpark.Number { return m.HeapLive }),
		HeapGoal:   r.counter(func(m unpark.Metrics) unpark.Number { return m.HeapGoal }),
	}
	if r.has(unpark.KindAllocs) && !out.AllocBytes.Known() {
		var bytes, objects float64
		for _, s := range r.stacks[unpark.KindAllocs] {
			if s.label.Side != unpark.ObserverSide {
				bytes += s.value
				objects += s.count
			}
		}
		out.AllocBytes, out.AllocCount = unpark.Num(bytes), unpark.Num(objects)
	}
	if r.has(unpark.KindHeap) && !out.HeapLive.Known() {
		out.HeapLive = unpark.Num(r.merged[unpark.KindHeap].Total())
	}
	return out
}

// collected is collection's share of the CPU that the target used, by the runtime's
// own account. What the profile says of it is among the shares of the CPU.
//
// /cpu/classes/gc/total is an estimate in time of Ps (runtime/metrics.go): it
// counts a P that has no processor under it, so with more Ps than cores it says
// nothing of the CPU that was used.
func (r *reducer) collected(cpu facts.CPU) unpark.Number {
	if allowed, ok := cpu.Allowed.Get(); ok && cpu.Parallel.Or(0) > allowed {
		return unpark.Number{}
	}
	collected, ok := own(r.counter(func(m unpark.Metrics) unpark.Number { return m.GCCPU }), r.look.bytes).Get()
	used := r.in.Window.Total(func(p unpark.Process) unpark.Number { return p.Cores })
	if cpu.Service.Known() && used.Known() {
		used = cpu.Service
	}
	cores, measured := used.Get()
	if !ok || !measured || cores*r.seconds <= 0 {
		return unpark.Number{}
	}
	return unpark.Num(min(1, collected/(cores*r.seconds)))
}
