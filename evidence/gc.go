package evidence

import "github.com/unpark-go/unpark"

// gc returns what collection cost, by the runtime's own counters; the profiles fill
// in bytes and objects for a target without probe.
func (r *reducer) gc(cpu unpark.CPU) unpark.GC {
	ps := r.in.Window.Processes
	metric := func(get func(unpark.Metrics) unpark.Number) unpark.Number {
		return sumOf(ps, func(p unpark.Process) unpark.Number { return get(p.Metrics) })
	}
	out := unpark.GC{
		CPUShare:   r.collected(cpu),
		Cycles:     metric(func(m unpark.Metrics) unpark.Number { return m.GCCycles }),
		AllocBytes: metric(func(m unpark.Metrics) unpark.Number { return m.AllocBytes }),
		AllocCount: metric(func(m unpark.Metrics) unpark.Number { return m.AllocObjects }),
		HeapLive:   metric(func(m unpark.Metrics) unpark.Number { return m.HeapLive }),
		HeapGoal:   metric(func(m unpark.Metrics) unpark.Number { return m.HeapGoal }),
	}
	if r.has(unpark.KindAllocs) && !out.AllocBytes.Known() {
		var bytes, objects float64
		for _, s := range r.stacks[unpark.KindAllocs] {
			bytes += s.value
			objects += s.count
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
func (r *reducer) collected(cpu unpark.CPU) unpark.Number {
	if allowed, ok := cpu.Allowed.Get(); ok && cpu.Parallel.Or(0) > allowed {
		return unpark.Number{}
	}
	var collected, used float64
	for _, p := range r.in.Window.Processes {
		gc, ok := p.Metrics.GCCPU.Get()
		cores, okCores := p.Cores.Get()
		if ok && okCores {
			collected += gc
			used += cores * r.seconds
		}
	}
	if used <= 0 {
		return unpark.Number{}
	}
	return unpark.Num(min(1, collected/used))
}
