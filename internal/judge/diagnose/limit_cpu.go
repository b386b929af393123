package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// contradictory abstains where CPU and lock are both near saturation and the
// figures do not say which causes the other.
func contradictory(m *model.Model, _ []unpark.Notice) (answer, bool) {
	used, ok := m.Used.Get()
	if !ok || used < model.Saturated || used >= certainlyFull || m.MachineBound() {
		return answer{}, false
	}
	locks := m.Locks
	if len(locks) == 0 || locks[0].Share.Or(0) < model.BindingShare || m.Allowed.Or(0) < 2 || locks[0].Free() || locks[0].Starved {
		return answer{}, false
	}
	return answer{kind: unpark.LimitUnknown, utilization: utilization(used), ceiling: cpuCeiling(m, used), reason: atCPUOrLock{locks[0]}}, true
}

func quotaBound(m *model.Model, _ []unpark.Notice) (answer, bool) {
	quota, known := quotaOf(m).Get()
	throttled := m.Throttled
	cores, used := m.Cores.Get()
	if !known || quota <= 0 || throttled <= 0 {
		return answer{}, false
	}
	if used && cores < model.Saturated*quota && (throttled < oftenStopped || cores < oftenUsed*quota) {
		return answer{}, false
	}
	a := answer{kind: unpark.LimitQuota, reason: atQuota{quota}}
	if used {
		a.utilization = utilization(min(1, cores/quota))
		a.ceiling = cpuCeiling(m, min(1, cores/quota))
	}
	return a, true
}

func gcBound(m *model.Model, _ []unpark.Notice) (answer, bool) {
	if !garbageFills(m) {
		return answer{}, false
	}
	a, _ := cpuBound(m, nil)
	a.kind, a.reason = unpark.LimitGC, byGarbage{a.reason}
	return a, true
}

// garbageFills reports whether collector and allocator are a large part of a full CPU.
func garbageFills(m *model.Model) bool {
	return m.CPUBound() && (m.GCShare >= gcHeavy || m.GarbageShare >= gcAndMalloc)
}

// computesMore reports whether what one finding tells of computing, or of calls that read or write, takes more than all garbage does.
func computesMore(m *model.Model, findings []unpark.Finding) bool {
	return slices.ContainsFunc(findings, func(f unpark.Finding) bool {
		return (f.Class == unpark.ClassCPU || f.Class == unpark.ClassSyscall) && f.Cost.Cores.Value.Or(0) > m.GarbageShare*m.Service.Or(0)
	})
}

// gcFelt finds the collector in the way of a service whose CPU is not full.
// Assists and the collector's quarter of the processors (runtime/mgc.go,
// gcBackgroundUtilization) keep requests waiting in ways that no block profile
// records, so the collector's share of the CPU decides.
func gcFelt(m *model.Model, _ []unpark.Notice) (answer, bool) {
	if m.GCShare < gcHeavy || m.Used.Or(0) < gcUsed {
		return answer{}, false
	}
	used := m.Used.Or(0)
	return answer{kind: unpark.LimitGC, utilization: utilization(used), ceiling: cpuCeiling(m, used), reason: byCollector{}}, true
}

// crowded is the verdict for a service on a machine which others fill: CPU, if it
// plainly wants more. In a closed loop it wants what it can get, so one that gets
// little may be limited by that or by something of its own.
func crowded(m *model.Model, _ []unpark.Notice) (answer, bool) {
	served := m.Load != nil && m.Load.Mode.Open() && !m.Overloaded()
	switch {
	case !m.MachineFull() || served:
		return answer{}, false
	case m.Crowded():
		return answer{kind: unpark.LimitCPU, utilization: utilization(min(1, m.Machine.Or(0))), reason: byOthers{}}, true
	case m.Load == nil || m.Others <= unpark.MaxOtherShare:
		return answer{}, false
	default:
		return answer{kind: unpark.LimitUnknown, reason: byOthers{}}, true
	}
}

func cpuBound(m *model.Model, _ []unpark.Notice) (answer, bool) {
	if !m.CPUBound() {
		return answer{}, false
	}
	if used := m.Used.Or(0); used >= model.Saturated {
		return answer{kind: unpark.LimitCPU, utilization: utilization(min(1, used)), ceiling: cpuCeiling(m, min(1, used)), reason: atCores{}}, true
	}
	busy := min(1, m.Machine.Or(0))
	return answer{kind: unpark.LimitCPU, utilization: utilization(busy), ceiling: cpuCeiling(m, busy), reason: atMachine{}}, true
}

// workerBound finds a service of several processes in which one does most of the work
// with all the processors that it may use: connections stay with the process that
// accepted them, and may all be at one.
func workerBound(m *model.Model, _ []unpark.Notice) (answer, bool) {
	if m.WorkerUse <= 0 {
		return answer{}, false
	}
	return answer{kind: unpark.LimitCPU, utilization: utilization(m.WorkerUse), ceiling: cpuCeiling(m, m.WorkerUse), reason: atWorker{}}, true
}
