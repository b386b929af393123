package diagnose

import (
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// reading is evidence with the figures that every rule derives from it.
type reading struct {
	ev       facts.Evidence
	seconds  float64
	requests float64 // completed; 0 when unknown
	rps      float64 // 0 when unknown
	load     *unpark.Load
	// mean is the mean time that a request takes at the target, 0 when unknown.
	// It counts from the writing of the request: time in which the generator
	// still held it (no free connection) is nobody's wait inside the target.
	mean    float64
	cores   unpark.Number // used by the target, with what observing it takes
	service unpark.Number // of them, without that
	allowed unpark.Number // that it can use: quota, affinity, machine, GOMAXPROCS
	used    unpark.Number // of allowed
	look    float64       // the observer's part of used
	machine unpark.Number // busy share of the whole machine
	shared  bool          // generator and target share processors
	stretch *stretch      // of which cores and rates are; nil for the whole window
}

func read(ev facts.Evidence) reading {
	r := reading{ev: ev, seconds: ev.Seconds, load: ev.Window.Load, cores: ev.CPU.Cores, service: ev.CPU.OfService()}
	if r.seconds <= 0 {
		r.seconds = ev.Window.Seconds()
	}
	r.requests = ev.Requests.Or(0)
	if r.requests > 0 && r.seconds > 0 {
		r.rps = r.requests / r.seconds
	}
	if l := r.load; l != nil {
		r.shared = ev.Target.Shares()
		switch {
		case l.Service.N > 0:
			r.mean = l.Service.Mean
		case l.Response.N > 0:
			r.mean = l.Response.Mean
		case l.Mode == unpark.Closed && r.rps > 0:
			// Little's law: a harness that counts operations has no histogram.
			r.mean = float64(ev.Plan.Connections) / r.rps
		}
	}
	if t := ev.Tracing; r.mean == 0 && t != nil && t.Wall.N > 0 {
		r.mean = t.Wall.Mean
	}
	r.allowed = ev.Cores()
	r.setUsed()
	if b, ok := ev.Window.Machine.Busy.Get(); ok {
		r.machine = unpark.Ratio(b, float64(ev.MachineCores()))
	}
	return r
}

// setUsed says how full the cores are. In an open loop that keeps up, the service would
// use what it uses if it were not observed. What a closed loop would do with the cores
// that the observer takes is not known, so there they count as used.
func (r *reading) setUsed() {
	r.used, r.look = unpark.Number{}, 0
	cores, ok := r.cores.Get()
	if !ok {
		return
	}
	service := r.service.Or(cores)
	if r.load != nil && r.load.Mode.Open() && !r.overloaded() {
		r.used = unpark.Ratio(service, r.allowed.Or(0))
		return
	}
	r.used = unpark.Ratio(cores, r.allowed.Or(0))
	if cores > 0 {
		r.look = max(0, 1-service/cores)
	}
}

// perRequest divides by the completed requests; unknown without load.
func (r reading) perRequest(v float64) unpark.Number { return unpark.Ratio(v, r.requests) }

// share returns what seconds of waiting, summed over requests, are of the time
// that requests take; unknown without load.
func (r reading) share(wait float64) unpark.Number {
	return unpark.Ratio(wait, r.requests*r.mean)
}

// cpuShare returns what CPU seconds of the profile are of the target's CPU.
func (r reading) cpuShare(seconds float64) float64 {
	total := r.ev.CPU.Sampled.Or(0)
	if total <= 0 {
		return 0
	}
	return seconds / total
}

// cpuPerRequest is what a request costs the service, in CPU seconds.
func (r reading) cpuPerRequest() unpark.Number {
	c, ok := r.service.Get()
	if !ok {
		return unpark.Number{}
	}
	return unpark.Ratio(c, r.rps)
}

// saturated is the share of the allowed cores above which CPU is what binds. It
// is not 1: above about 85 % a queue for the processor forms before every
// request, and the kernel's own part of the cgroup's time is not all charged.
const saturated = 0.85

// machineFull is the busy share of a machine above which generator and target
// compete for it, the same as for the target alone. Two cores were never busier
// than 97 % in trials.
const machineFull = saturated

func (r reading) cpuBound() bool {
	return r.used.Or(0) >= saturated || r.machineBound()
}

// machineBound reports that the target and the generator together fill the
// machine. Where others fill it, a small use of the target says nothing about
// its appetite: its own waits are asked first (see crowded).
func (r reading) machineBound() bool {
	return r.machineFull() && r.strangers() <= unpark.MaxOtherShare
}

func (r reading) machineFull() bool {
	return r.shared && r.machine.Or(0) >= machineFull && r.cores.Or(0) > 0
}

// strangers is the part of the busy cores that neither the target nor the
// generator used.
func (r reading) strangers() float64 {
	busy := r.ev.Window.Machine.Busy.Or(0)
	if busy <= 0 {
		return 0
	}
	ours := r.cores.Or(0)
	if r.load != nil {
		ours += r.load.GeneratorCPU.Or(0)
	}
	return max(0, busy-ours) / busy
}

// cpuMatters reports that CPU is scarce enough, or enough of a request's time,
// for a saving to be felt. Below it a hot function is hot in an idle process.
func (r reading) cpuMatters() bool {
	if _, _, full := r.fullWorker(); full || r.used.Or(0) >= 0.5 || r.machineBound() {
		return true
	}
	per, ok := r.cpuPerRequest().Get()
	return ok && r.mean > 0 && per >= 0.1*r.mean
}

// present reports whether a kind was measured.
func (r reading) present(k unpark.Kind) bool {
	return r.ev.Coverage[k].State == unpark.Present
}

// processes is the number of target processes, at least 1.
func (r reading) processes() int { return max(1, len(r.ev.Window.Processes)) }

// z90 is the normal quantile of a two-sided 90 % interval.
const z90 = 1.645

// waitCost is the cost of waiting for delay seconds in all, seen in n events or
// snapshot sightings. Waits spread like an exponential, so the sum of n of them
// has a relative standard error of about √(2/n).
func (r reading) waitCost(delay, n float64) unpark.Cost {
	var c unpark.Cost
	rel := 1.0
	if n > 0 {
		rel = min(1, z90*math.Sqrt(2/n))
	}
	scaled := func(v float64, unit string) unpark.Quantity {
		return unpark.Between(v, v*(1-rel), v*(1+rel), unit, int64(math.Round(n)))
	}
	if r.seconds > 0 {
		c.MeanWaiters = scaled(delay/r.seconds, "waiters")
	}
	if w, ok := r.perRequest(delay).Get(); ok {
		c.WaitPerRequest = scaled(w, "s/req")
	}
	return c
}

// profileHz is the default sampling rate of runtime/pprof (pprof.go: hz = 100).
const profileHz = 100

// cpuCost is the cost of a share of the service's CPU; the interval is that of a
// proportion among the profile's samples, which leave the observer out as well.
func (r reading) cpuCost(share float64) unpark.Cost {
	var c unpark.Cost
	n := r.ev.CPU.Sampled.Or(0) * profileHz
	rel := 1.0
	if share > 0 && n > 0 {
		rel = min(1, z90*math.Sqrt(max(0, 1-share)/(share*n)))
	}
	total, ok := r.service.Get()
	if !ok {
		return c
	}
	scaled := func(v float64, unit string) unpark.Quantity {
		return unpark.Between(v, v*(1-rel), v*(1+rel), unit, int64(math.Round(n*share)))
	}
	c.Cores = scaled(share*total, "cores")
	if r.rps > 0 {
		c.CPUPerRequest = scaled(share*total/r.rps, "s/req")
	}
	return c
}
