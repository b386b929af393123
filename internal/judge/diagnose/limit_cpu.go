package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// certainlyFull is the use of the allowed cores above which a lock queue is
// taken for an effect of the full CPU: holders wait for a processor.
const certainlyFull = 0.95

// contradictory abstains where CPU and lock are both near saturation and the
// figures do not say which causes the other.
func contradictory(r reading, _ []unpark.Notice) (unpark.Limit, bool) {
	used, ok := r.used.Get()
	if !ok || used < saturated || used >= certainlyFull || r.machineBound() {
		return unpark.Limit{}, false
	}
	queues := r.queues()
	if len(queues) == 0 || queues[0].share.Or(0) < lockBinds || r.allowed.Or(0) < 2 || queues[0].held.Or(1) < lockBusy || r.starved(queues[0]) {
		return unpark.Limit{}, false
	}
	return unpark.Limit{
		Kind: unpark.LimitUnknown,
		Why: fmt.Sprintf("CPU and a lock are both near saturation, and either may cause the other: %s of the allowed cores are used, "+
			"and %s of a request's time is waiting for the lock in %s; fix the lock first and measure again",
			units.Say(used, "ratio"), units.Say(queues[0].share.Or(0), "ratio"), short(queues[0].owner)),
		Utilization: utilization(used), Ceiling: r.cpuCeiling(used),
	}, true
}

const (
	// oftenStopped is the share of the periods from which a target is at its quota
	// whenever it wants to run, even if its mean use is below.
	oftenStopped = 0.5
	// oftenUsed is the least that such a target uses of its quota: all of it in each of
	// those periods, but for what is left in slices that were handed to processors
	// (kernel/sched/fair.c, min_cfs_rq_runtime: 1 ms each). One that uses less ran rarely,
	// and the periods in which nothing ran are not counted.
	oftenUsed = 0.4
)

func quotaBound(r reading, _ []unpark.Notice) (unpark.Limit, bool) {
	quota, known := r.quota().Get()
	throttled := r.ev.CPU.Throttled.Or(0)
	cores, used := r.cores.Get()
	if !known || quota <= 0 || throttled < throttledFloor {
		return unpark.Limit{}, false
	}
	if used && cores < saturated*quota && (throttled < oftenStopped || cores < oftenUsed*quota) {
		return unpark.Limit{}, false
	}
	l := unpark.Limit{Kind: unpark.LimitQuota}
	l.Why = fmt.Sprintf("the cgroup was throttled in %s of its scheduling periods: the quota is %s", units.Say(min(1, throttled), "ratio"), units.Say(quota, "cores"))
	if used {
		l.Why += fmt.Sprintf(" and the service used %s", units.Say(cores, ""))
		l.Utilization = utilization(min(1, cores/quota))
		l.Ceiling = r.cpuCeiling(min(1, cores/quota))
	}
	if procs, ok := r.ev.CPU.Parallel.Get(); ok && procs >= manyProcs*quota {
		l.Why += fmt.Sprintf("; GOMAXPROCS %s spends it early in each period", units.Say(procs, ""))
	}
	return l, true
}

// gcAndMalloc is the share of the CPU from which a full CPU is the garbage's
// doing. Useful services spend 10–20 % on it (go.dev/doc/gc-guide).
const gcAndMalloc = 0.30

func gcBound(r reading, _ []unpark.Notice) (unpark.Limit, bool) {
	if !r.cpuBound() || (r.gcShare() < gcHeavy && r.garbageShare() < gcAndMalloc) {
		return unpark.Limit{}, false
	}
	l, _ := cpuBound(r, nil)
	l.Kind = unpark.LimitGC
	l.Why = fmt.Sprintf("%s of the CPU goes into garbage (collector %s, allocator %s), and CPU is what binds: %s",
		units.Say(r.garbageShare(), "ratio"), units.Say(r.gcShare(), "ratio"), units.Say(r.ev.CPU.Shares.Malloc.Or(0), "ratio"), l.Why)
	return l, true
}

// gcFelt finds the collector in the way of a service whose CPU is not full.
// Assists and the collector's quarter of the processors (runtime/mgc.go,
// gcBackgroundUtilization) keep requests waiting in ways that no block profile
// records, so the collector's share of the CPU is what tells.
func gcFelt(r reading, _ []unpark.Notice) (unpark.Limit, bool) {
	if r.gcShare() < gcHeavy || r.used.Or(0) < 0.3 {
		return unpark.Limit{}, false
	}
	used := r.used.Or(0)
	return unpark.Limit{
		Kind: unpark.LimitGC, Utilization: utilization(used), Ceiling: r.cpuCeiling(used),
		Why: fmt.Sprintf("the collector takes %s of the CPU that the service uses (%s of %s), and requests wait for it%s",
			units.Say(r.gcShare(), "ratio"), units.Say(r.cores.Or(0), ""), units.Say(r.allowed.Or(0), "cores"), r.tail()),
	}, true
}

// hungry is the use of the allowed cores from which a service on a machine that
// others fill would plainly take more: its fair share of two sides is a half.
const hungry = 0.25

// crowded is the verdict for a service on a machine which others fill: CPU, if it
// plainly wants more. In a closed loop it wants what it can get, so one that gets
// little may be limited by that or by something of its own.
func crowded(r reading, _ []unpark.Notice) (unpark.Limit, bool) {
	served := r.load != nil && r.load.Mode.Open() && !r.overloaded()
	if !r.machineFull() || served {
		return unpark.Limit{}, false
	}
	l := unpark.Limit{Kind: unpark.LimitCPU, Utilization: utilization(min(1, r.machine.Or(0)))}
	switch wants := r.used.Or(0) >= hungry; {
	case wants:
	case r.load == nil || r.strangers() <= unpark.MaxOtherShare:
		return unpark.Limit{}, false
	default:
		l = unpark.Limit{Kind: unpark.LimitUnknown}
	}
	l.Why = fmt.Sprintf("the machine is full, and %s of its %s busy cores are neither the service's (%s) nor the generator's: stop what else runs there and measure again",
		units.Say(r.strangers(), "ratio"), units.Say(r.ev.Window.Machine.Busy.Or(0), ""), units.Say(r.cores.Or(0), ""))
	return l, true
}

func cpuBound(r reading, _ []unpark.Notice) (unpark.Limit, bool) {
	if !r.cpuBound() {
		return unpark.Limit{}, false
	}
	cores := r.cores.Or(0)
	l := unpark.Limit{Kind: unpark.LimitCPU}
	if used := r.used.Or(0); used >= saturated {
		l.Why = fmt.Sprintf("the service uses %s of the %s it may use", units.Say(cores, ""), units.Say(r.allowed.Or(0), "cores"))
		l.Why += r.observed()
		l.Utilization, l.Ceiling = utilization(min(1, used)), r.cpuCeiling(min(1, used))
		if procs, ok := r.ev.CPU.Parallel.Get(); ok && procs+1 <= r.ev.CPU.Allowed.Or(0) {
			l.Why += fmt.Sprintf(": GOMAXPROCS is %s where %s are allowed", units.Say(procs, ""), units.Say(r.ev.CPU.Allowed.Or(0), "cores"))
		}
	} else {
		busy := r.machine.Or(0)
		l.Why = fmt.Sprintf("the machine is full (%s of %s busy); the service got %s of that",
			units.Say(r.ev.Window.Machine.Busy.Or(0), ""), unpark.Counted(int64(r.ev.MachineCores()), "core"), units.Say(cores, ""))
		l.Utilization, l.Ceiling = utilization(min(1, busy)), r.cpuCeiling(min(1, busy))
	}
	if per, ok := r.cpuPerRequest().Get(); ok {
		l.Why += fmt.Sprintf(", %s a request", units.Say(per, "s"))
	}
	l.Why += r.generatorPart()
	return l, true
}

// observedPart of the used cores is what a reader must know of: half of what a
// verdict may be wrong by (see saturated).
const observedPart = 0.05

// observed says how much of the cores in use are the observer's.
func (r reading) observed() string {
	if r.look < observedPart {
		return ""
	}
	return fmt.Sprintf(", %s of them for being captured", units.Say(r.look*r.cores.Or(0), ""))
}

// workerBound finds a service of several processes in which one does most of the work
// with all the processors that it may use: connections stay with the process that
// accepted them, and may all be at one.
func workerBound(r reading, _ []unpark.Notice) (unpark.Limit, bool) {
	p, used, ok := r.fullWorker()
	if !ok {
		return unpark.Limit{}, false
	}
	cores, procs := p.Cores.Or(0), p.GOMAXPROCS.Or(0)
	what := "processors"
	if procs == 1 {
		what = "processor"
	}
	return unpark.Limit{
		Kind: unpark.LimitCPU, Utilization: utilization(used), Ceiling: r.cpuCeiling(used),
		Why: fmt.Sprintf("process %d is full: it uses %s of the %s %s that its GOMAXPROCS allows, and has %s of the service's CPU; "+
			"the others have room: the load does not reach them evenly", p.PID, units.Say(cores, ""), units.Say(procs, ""), what, units.Say(min(1, cores/r.cores.Or(cores)), "ratio")),
	}, true
}

// fullWorker returns the process that fills its processors and has most of the CPU of
// all, and how full it is; false where there is one process only.
func (r reading) fullWorker() (p unpark.Process, used float64, ok bool) {
	workers := 0
	for _, q := range r.ev.Window.Processes {
		procs := q.GOMAXPROCS.Or(0)
		if procs <= 0 {
			continue // it supervises the others
		}
		workers++
		if full := q.Cores.Or(0) / procs; full >= saturated && q.Cores.Or(0) >= fills*r.cores.Or(0) {
			p, used, ok = q, min(1, full), true
		}
	}
	return p, used, ok && workers > 1
}

// generatorPart says what a generator on the same cores took from the target.
func (r reading) generatorPart() string {
	if r.load == nil || !r.shared {
		return ""
	}
	g, ok := r.load.GeneratorCPU.Get()
	if !ok || g < 0.05 {
		return ""
	}
	text := fmt.Sprintf("; the generator, on the same cores, used %s", units.Say(g, ""))
	if g > r.cores.Or(0) && r.cores.Known() {
		text += ", more than the service: with cores of its own the service could do more than this run shows"
	}
	return text
}
