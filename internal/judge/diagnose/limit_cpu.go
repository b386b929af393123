package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

// certainlyFull is the use of the allowed cores above which a lock queue is
// taken for an effect of the full CPU: holders wait for a processor.
const certainlyFull = 0.95

// contradictory abstains where CPU and lock are both near saturation and the
// figures do not say which causes the other.
func contradictory(m *model.Model, _ []unpark.Notice) (unpark.Limit, bool) {
	used, ok := m.Used.Get()
	if !ok || used < model.Saturated || used >= certainlyFull || m.MachineBound() {
		return unpark.Limit{}, false
	}
	locks := m.Locks
	if len(locks) == 0 || locks[0].Share.Or(0) < model.BindingShare || m.Allowed.Or(0) < 2 || locks[0].Free() || locks[0].Starved {
		return unpark.Limit{}, false
	}
	return unpark.Limit{
		Kind: unpark.LimitUnknown,
		Why: fmt.Sprintf("CPU and a lock are both near saturation, and either may cause the other: %s of the allowed cores are used, "+
			"and %s of a request's time is waiting for the lock in %s; fix the lock first and measure again",
			units.Say(used, "ratio"), units.Say(locks[0].Share.Or(0), "ratio"), short(locks[0].Owner)),
		Utilization: utilization(used), Ceiling: cpuCeiling(m, used),
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

func quotaBound(m *model.Model, _ []unpark.Notice) (unpark.Limit, bool) {
	quota, known := quotaOf(m).Get()
	throttled := m.Throttled
	cores, used := m.Cores.Get()
	if !known || quota <= 0 || throttled <= 0 {
		return unpark.Limit{}, false
	}
	if used && cores < model.Saturated*quota && (throttled < oftenStopped || cores < oftenUsed*quota) {
		return unpark.Limit{}, false
	}
	l := unpark.Limit{Kind: unpark.LimitQuota}
	l.Why = fmt.Sprintf("the cgroup was throttled in %s of its scheduling periods: the quota is %s", units.Say(min(1, throttled), "ratio"), units.Say(quota, "cores"))
	if used {
		l.Why += fmt.Sprintf(" and the service used %s", units.Say(cores, ""))
		l.Utilization = utilization(min(1, cores/quota))
		l.Ceiling = cpuCeiling(m, min(1, cores/quota))
	}
	if procs, ok := m.Ev.CPU.Parallel.Get(); ok && procs >= manyProcs*quota {
		l.Why += fmt.Sprintf("; GOMAXPROCS %s spends it early in each period", units.Say(procs, ""))
	}
	return l, true
}

// gcAndMalloc is the share of the CPU from which a full CPU is the garbage's
// doing. Useful services spend 10–20 % on it (go.dev/doc/gc-guide).
const gcAndMalloc = 0.30

func gcBound(m *model.Model, _ []unpark.Notice) (unpark.Limit, bool) {
	if !m.CPUBound() || (m.GCShare < gcHeavy && m.GarbageShare < gcAndMalloc) {
		return unpark.Limit{}, false
	}
	l, _ := cpuBound(m, nil)
	l.Kind = unpark.LimitGC
	l.Why = fmt.Sprintf("%s of the CPU goes into garbage (collector %s, allocator %s), and CPU is what binds: %s",
		units.Say(m.GarbageShare, "ratio"), units.Say(m.GCShare, "ratio"), units.Say(m.Ev.CPU.Shares.Malloc.Or(0), "ratio"), l.Why)
	return l, true
}

// gcFelt finds the collector in the way of a service whose CPU is not full.
// Assists and the collector's quarter of the processors (runtime/mgc.go,
// gcBackgroundUtilization) keep requests waiting in ways that no block profile
// records, so the collector's share of the CPU is what tells.
func gcFelt(m *model.Model, _ []unpark.Notice) (unpark.Limit, bool) {
	if m.GCShare < gcHeavy || m.Used.Or(0) < 0.3 {
		return unpark.Limit{}, false
	}
	used := m.Used.Or(0)
	return unpark.Limit{
		Kind: unpark.LimitGC, Utilization: utilization(used), Ceiling: cpuCeiling(m, used),
		Why: fmt.Sprintf("the collector takes %s of the CPU that the service uses (%s of %s), and requests wait for it%s",
			units.Say(m.GCShare, "ratio"), units.Say(m.Cores.Or(0), ""), units.Say(m.Allowed.Or(0), "cores"), tailNote(m)),
	}, true
}

// hungry is the use of the allowed cores from which a service on a machine that
// others fill would plainly take more: its fair share of two sides is a half.
const hungry = 0.25

// crowded is the verdict for a service on a machine which others fill: CPU, if it
// plainly wants more. In a closed loop it wants what it can get, so one that gets
// little may be limited by that or by something of its own.
func crowded(m *model.Model, _ []unpark.Notice) (unpark.Limit, bool) {
	served := m.Load != nil && m.Load.Mode.Open() && !m.Overloaded()
	if !m.MachineFull() || served {
		return unpark.Limit{}, false
	}
	l := unpark.Limit{Kind: unpark.LimitCPU, Utilization: utilization(min(1, m.Machine.Or(0)))}
	switch wants := m.Used.Or(0) >= hungry; {
	case wants:
	case m.Load == nil || m.Others <= unpark.MaxOtherShare:
		return unpark.Limit{}, false
	default:
		l = unpark.Limit{Kind: unpark.LimitUnknown}
	}
	l.Why = fmt.Sprintf("the machine is full, and %s of its %s busy cores are neither the service's (%s) nor the generator's: stop what else runs there and measure again",
		units.Say(m.Others, "ratio"), units.Say(m.Ev.Window.Machine.Busy.Or(0), ""), units.Say(m.Cores.Or(0), ""))
	return l, true
}

func cpuBound(m *model.Model, _ []unpark.Notice) (unpark.Limit, bool) {
	if !m.CPUBound() {
		return unpark.Limit{}, false
	}
	cores := m.Cores.Or(0)
	l := unpark.Limit{Kind: unpark.LimitCPU}
	if used := m.Used.Or(0); used >= model.Saturated {
		l.Why = fmt.Sprintf("the service uses %s of the %s it may use", units.Say(cores, ""), units.Say(m.Allowed.Or(0), "cores"))
		l.Why += observed(m)
		l.Utilization, l.Ceiling = utilization(min(1, used)), cpuCeiling(m, min(1, used))
		if procs, ok := m.Ev.CPU.Parallel.Get(); ok && procs+1 <= m.Ev.CPU.Allowed.Or(0) {
			l.Why += fmt.Sprintf(": GOMAXPROCS is %s where %s are allowed", units.Say(procs, ""), units.Say(m.Ev.CPU.Allowed.Or(0), "cores"))
		}
	} else {
		busy := m.Machine.Or(0)
		l.Why = fmt.Sprintf("the machine is full (%s of %s busy); the service got %s of that",
			units.Say(m.Ev.Window.Machine.Busy.Or(0), ""), unpark.Counted(int64(m.Ev.MachineCores()), "core"), units.Say(cores, ""))
		l.Utilization, l.Ceiling = utilization(min(1, busy)), cpuCeiling(m, min(1, busy))
	}
	if per, ok := m.CPUPerRequest().Get(); ok {
		l.Why += fmt.Sprintf(", %s a request", units.Say(per, "s"))
	}
	l.Why += generatorPart(m)
	return l, true
}

// observedPart of the used cores is what a reader must know of: half of what a
// verdict may be wrong by (see saturated).
const observedPart = 0.05

// observed says how much of the cores in use are the observer's.
func observed(m *model.Model) string {
	if m.Observer < observedPart {
		return ""
	}
	return fmt.Sprintf(", %s of them for being captured", units.Say(m.Observer*m.Cores.Or(0), ""))
}

// workerBound finds a service of several processes in which one does most of the work
// with all the processors that it may use: connections stay with the process that
// accepted them, and may all be at one.
func workerBound(m *model.Model, _ []unpark.Notice) (unpark.Limit, bool) {
	p, used := m.Worker, m.WorkerUse
	if used <= 0 {
		return unpark.Limit{}, false
	}
	cores, procs := p.Cores.Or(0), p.GOMAXPROCS.Or(0)
	what := "processors"
	if procs == 1 {
		what = "processor"
	}
	return unpark.Limit{
		Kind: unpark.LimitCPU, Utilization: utilization(used), Ceiling: cpuCeiling(m, used),
		Why: fmt.Sprintf("process %d is full: it uses %s of the %s %s that its GOMAXPROCS allows, and has %s of the service's CPU; "+
			"the others have room: the load does not reach them evenly", p.PID, units.Say(cores, ""), units.Say(procs, ""), what, units.Say(min(1, cores/m.Cores.Or(cores)), "ratio")),
	}, true
}

// generatorPart says what a generator on the same cores took from the target.
func generatorPart(m *model.Model) string {
	if m.Load == nil || !m.Shared {
		return ""
	}
	g, ok := m.Load.GeneratorCPU.Get()
	if !ok || g < 0.05 {
		return ""
	}
	text := fmt.Sprintf("; the generator, on the same cores, used %s", units.Say(g, ""))
	if g > m.Cores.Or(0) && m.Cores.Known() {
		text += ", more than the service: with cores of its own the service could do more than this run shows"
	}
	return text
}
