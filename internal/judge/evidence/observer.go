package evidence

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// observing is what looking at the target cost it, beyond the waits and the CPU that
// stacks of the observer show by themselves.
type observing struct {
	cpu            float64 // CPU seconds of its stacks
	collected      float64 // CPU seconds that the collector worked for its garbage
	bytes, objects float64 // its part of what was allocated
}

// observing measures the observer's part. A goroutine profile copies every stack and
// builds a table of them (runtime/mprof.go: goroutineProfileWithLabelsConcurrent,
// runtime/pprof/proto.go: profileBuilder), which is garbage as soon as it was sent.
// A cycle of the collector begins when the heap has grown by its goal
// (runtime/mgcpacer.go: heapGoalInternal), whatever it grew by: the cycles, and with
// them the CPU of background marking and sweeping, belong to those that allocate, in
// proportion to their bytes. What an allocation pays at once (assists) is on the
// allocating stack already.
func (r *reducer) observing() observing {
	var out observing
	var all, allObjects float64
	for _, s := range r.stacks[unpark.KindAllocs] {
		if s.value <= 0 {
			continue
		}
		all += s.value
		allObjects += s.count
		if s.label.Side == unpark.ObserverSide {
			out.bytes += s.value
			out.objects += s.count
		}
	}
	out.bytes, out.objects = part(out.bytes, all), part(out.objects, allObjects)
	var background, total, paid float64 // of the collector
	for _, s := range r.stacks[unpark.KindCPU] {
		observer := s.label.Side == unpark.ObserverSide
		if observer {
			out.cpu += s.value
		}
		if doing(s.sites) != workGC {
			continue
		}
		total += s.value
		switch {
		case observer:
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
func (o observing) seconds() float64 { return o.cpu + o.collected }

// service returns the cores that are left for the service of those that the operating
// system counted for the target. Profile and system rarely count the same; where the
// profile lacks CPU, because processes have none, what it has of the observer is all
// that there is.
func (r *reducer) service(cores unpark.Number, sampled float64) unpark.Number {
	all, ok := cores.Get()
	observer := r.look.seconds()
	if !ok || sampled+observer <= 0 {
		return cores
	}
	if r.seconds > 0 && all*r.seconds > agreeHigh*(sampled+observer) {
		return unpark.Num(max(0, all-observer/r.seconds))
	}
	return unpark.Num(all * sampled / (sampled + observer))
}

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
func (r *reducer) cost(o unpark.Observer, ev facts.Evidence) unpark.Observer {
	o.Wait, o.CPU = r.observed(unpark.KindBlock), r.look.seconds()
	cores, ok := ev.CPU.Cores.Get()
	service, also := ev.CPU.Service.Get()
	if ok && also && r.seconds > 0 {
		o.CPU = (cores - service) * r.seconds
	}
	o.Alloc = unpark.Number{}
	if r.has(unpark.KindAllocs) {
		bytes, known := r.counter(func(m unpark.Metrics) unpark.Number { return m.AllocBytes }).Get()
		if !known {
			for _, s := range r.stacks[unpark.KindAllocs] {
				bytes += max(0, s.value)
			}
		}
		o.Alloc = unpark.Num(r.look.bytes * bytes)
	}
	return o
}
