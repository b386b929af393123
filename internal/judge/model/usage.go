package model

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// Usage is how the target used processors, in cores and as shares of them.
type Usage struct {
	Cores   unpark.Number // mean, used by the target with what observing it takes
	Service unpark.Number // of them, by the processes that the profiles are of, without that
	Asked   float64       // of them, by processes beside it that it asks and that have no profile
	Along   float64       // cores that other services of the run use on the same machine
	Allowed unpark.Number // that it can use: quota, affinity, machine, GOMAXPROCS
	Used    unpark.Number // share of Allowed
	// Observer is the part of Used that observing takes; 0 where Used is without it.
	Observer float64
	Machine  unpark.Number // busy share of the whole machine
	Others   float64       // part of the busy cores that neither the target nor the generator used
	Shared   bool          // generator and target share processors
	Computes bool          // requests wait for nothing else than processors, by a trace
	// Short says that the target wants more of the CPU than it gets, whatever takes it; of a
	// ramp, where it became too much.
	Short bool
	// Throttled is the share of its scheduling periods in which a CPU quota stopped the
	// target; 0 where that was a burst or two.
	Throttled float64
	// Worker is the process that uses all of its processors and has most of the CPU of all, and
	// WorkerUse how full it is; 0 where there is none, or one process only.
	Worker    unpark.Process
	WorkerUse float64
}

// usageOf relates what the target used to what it may use.
func usageOf(ev facts.Evidence, cores, service unpark.Number) Usage {
	load := ev.Window.Load
	u := Usage{Cores: cores, Service: service, Along: ev.Along, Allowed: ev.Cores(), Shared: load != nil && ev.Target.Shares(), Computes: onlyWorks(ev.Tracing)}
	u.setUsed(load)
	u.setAsked(ev.Window.Asked())
	if t := ev.CPU.Throttled.Or(0); t >= leastThrottled {
		u.Throttled = t
	}
	// A processor that the hypervisor gave to others meanwhile had work of this machine waiting for it (proc_stat(5), steal): it is no
	// more to be had than a busy one.
	busy, ok := ev.Window.Machine.Busy.Get()
	all := busy + ev.Window.Machine.Steal.Or(0)
	if ok {
		u.Machine = unpark.Ratio(all, float64(ev.MachineCores()))
	}
	if all > 0 {
		u.Others = max(0, ev.Window.OtherCores(cores).Or(0)-u.Along) / all
	}
	u.setWorker(ev.Window.Processes)
	return u
}

// setUsed says how full the cores are. In an open loop that keeps up, the service would
// use what it uses if it were not observed. What a closed loop would do with the cores
// that the observer takes is not known, so there they count as used.
func (u *Usage) setUsed(load *unpark.Load) {
	cores, ok := u.Cores.Get()
	if !ok {
		return
	}
	service := u.Service.Or(cores)
	if load != nil && load.Mode.Open() && !load.Overloaded() {
		u.Used = unpark.Ratio(service, u.Allowed.Or(0))
		return
	}
	u.Used = unpark.Ratio(cores, u.Allowed.Or(0))
	if cores > 0 {
		u.Observer = max(0, 1-service/cores)
	}
}

// setAsked takes what processes use that the service asks from what it uses itself.
func (u *Usage) setAsked(asked []unpark.Process) {
	service, ok := u.Service.Get()
	if !ok {
		return
	}
	var sum float64
	for _, p := range asked {
		sum += p.Cores.Or(0)
	}
	u.Asked = min(sum, service)
	u.Service = unpark.Num(service - u.Asked)
}

// setWorker finds the worker that is full among several.
func (u *Usage) setWorker(processes []unpark.Process) {
	workers := 0
	for _, p := range processes {
		procs := p.GOMAXPROCS.Or(0)
		if procs <= 0 {
			continue // it supervises the others
		}
		workers++
		if full := p.Cores.Or(0) / procs; full >= Saturated && p.Cores.Or(0) >= BindingShare*u.Cores.Or(0) {
			u.Worker, u.WorkerUse = p, min(1, full)
		}
	}
	if workers < 2 {
		u.Worker, u.WorkerUse = unpark.Process{}, 0
	}
}

// CPUBound reports that CPU is full, of the target or of the machine that it shares with
// the generator.
func (u Usage) CPUBound() bool { return u.Used.Or(0) >= Saturated || u.MachineBound() }

// Scarce reports that enough of the CPU is used for a saving to be felt.
func (u Usage) Scarce() bool { return u.Used.Or(0) >= scarce || u.MachineBound() || u.Crowded() }

// Crowded reports that others fill the machine, and that the target plainly wants more of it than it gets: what it saves
// it can use.
func (u Usage) Crowded() bool {
	return u.MachineFull() && (u.Used.Or(0) >= wantsMore || u.Computes)
}

// onlyWorks reports that nearly all time of requests inside of the process is work and waiting for a processor. Where others have most
// of these, how little the target gets of them does not say how little it wants, but this does.
func onlyWorks(t *unpark.Tracing) bool {
	if t == nil || t.Requests < tracedEnough || t.Wall.Mean <= 0 {
		return false
	}
	var sum float64
	for _, s := range t.States {
		if s.Class == unpark.Running || s.Class == unpark.WaitScheduler || s.Class.Collects() {
			sum += s.All
		}
	}
	return sum >= onlyComputes*t.Wall.Mean
}

// MachineBound reports that the target and the generator together fill the machine. Where
// others fill it, a small use of the target does not say what it would use.
func (u Usage) MachineBound() bool { return u.MachineFull() && u.Others <= unpark.MaxOtherShare }

// MachineFull reports that the machine of target and generator is full, whatever fills it.
func (u Usage) MachineFull() bool {
	return u.Shared && u.Machine.Or(0) >= Saturated && u.Cores.Or(0) > 0
}

// short see Usage.Short.
func short(m *Model) bool {
	u := m.Usage
	if s, fell := m.FellBehind(); fell {
		u = m.within(s).Usage
	}
	return u.Throttled > 0 || u.Used.Or(0) >= Saturated || u.MachineFull()
}
