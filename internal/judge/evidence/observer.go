package evidence

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// overhead is what looking at the target cost it, beyond the waits and the CPU that
// stacks of the observer show by themselves.
type overhead struct {
	cpu            float64 // CPU seconds of its stacks
	collected      float64 // CPU seconds that the collector worked for its garbage
	bytes, objects float64 // its part of what was allocated
}

// observe measures the observer's part. A goroutine profile copies every stack and
// builds a table of them (runtime/mprof.go: goroutineProfileWithLabelsConcurrent,
// runtime/pprof/proto.go: profileBuilder), which is garbage as soon as it was sent.
// A cycle of the collector begins when the heap has grown by its goal
// (runtime/mgcpacer.go: heapGoalInternal), whatever it grew by: the cycles, and with
// them the CPU of background marking and sweeping, belong to those that allocate, in
// proportion to their bytes. What an allocation pays at once (assists) is on the
// allocating stack already.
func observe(p *profiles) overhead {
	var out overhead
	var all, allObjects float64
	for _, s := range p.stacks[unpark.KindAllocs] {
		if s.value <= 0 {
			continue
		}
		all += s.value
		allObjects += s.count
		if s.observer() {
			out.bytes += s.value
			out.objects += s.count
		}
	}
	out.bytes, out.objects = part(out.bytes, all), part(out.objects, allObjects)
	var background, total, paid float64 // of the collector
	for _, s := range p.stacks[unpark.KindCPU] {
		if s.observer() {
			out.cpu += s.value
		}
		if s.work() != workGC {
			continue
		}
		total += s.value
		switch {
		case s.observer():
			paid += s.value
		case s.label.Side == unpark.RuntimeSide:
			background += s.value
		}
	}
	out.collected = min(background, max(0, out.bytes*total-paid))
	return out
}

func part(v, of float64) float64 {
	if of <= 0 {
		return 0
	}
	return v / of
}

// seconds is the CPU that the target spent on being looked at.
func (o overhead) seconds() float64 { return o.cpu + o.collected }

// own takes the observer's part out of a counter of the whole process.
func own(n unpark.Number, part float64) unpark.Number {
	v, ok := n.Get()
	if !ok {
		return n
	}
	return unpark.Num(v * (1 - part))
}

// cost is what the run document says of the observer. Its CPU is in the terms of the
// operating system, so that it can be taken from the cores of the processes.
func (o overhead) cost(p *profiles, ev facts.Evidence) unpark.Observer {
	out := ev.Window.Observer
	out.Wait, out.CPU, out.Alloc = 0, o.seconds(), unpark.Number{}
	for _, s := range p.stacks[unpark.KindBlock] {
		if s.observer() {
			out.Wait += s.value
		}
	}
	cores, ok := ev.CPU.Cores.Get()
	service, also := ev.CPU.Service.Get()
	if ok && also && p.seconds > 0 {
		out.CPU = (cores - service) * p.seconds
	}
	if p.has(unpark.KindAllocs) {
		bytes, known := p.counter(func(m unpark.Metrics) unpark.Number { return m.AllocBytes }).Get()
		if !known {
			for _, s := range p.stacks[unpark.KindAllocs] {
				bytes += max(0, s.value)
			}
		}
		out.Alloc = unpark.Num(o.bytes * bytes)
	}
	return out
}
