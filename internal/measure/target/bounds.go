package target

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"github.com/unpark-go/unpark"
)

// Bounds is what limits the CPU that some processes may use together.
type Bounds struct {
	// Quota is in cores: of each cgroup that limits some of them, added up. Unknown when
	// one of them has no limit, or it cannot be seen.
	Quota unpark.Number
	// CPUs are the processors that any of them may use, ascending; empty when unknown.
	CPUs []int
	// Throttled reads how much the limits have stopped them so far. It is the kernel's
	// count of whole cgroups, whatever else is in them.
	Throttled func() Throttling
}

// BoundsOf returns what limits the processes; of none, or of one that cannot be seen, it
// is unknown.
func BoundsOf(pids []int) Bounds {
	var limits []limit
	for _, pid := range pids {
		l, ok := limitOn(pid)
		if !ok {
			limits = nil
			break
		}
		limits = append(limits, l)
	}
	b := together(limits)
	for _, pid := range pids {
		cpus := affinity(pid)
		if len(cpus) == 0 {
			b.CPUs = nil
			break
		}
		b.CPUs = append(b.CPUs, cpus...)
	}
	slices.Sort(b.CPUs)
	b.CPUs = slices.Compact(b.CPUs)
	return b
}

// PIDCgroup returns the CPU limit on a process in cores, and how to read how much it was
// stopped by it (Bounds).
func PIDCgroup(pid int) (quota unpark.Number, throttled func() Throttling) {
	b := BoundsOf([]int{pid})
	return b.Quota, b.Throttled
}

// limit is the tightest CPU limit on a process, and the cgroup that sets it: the
// process's own when none does.
type limit struct {
	quota unpark.Number // cores; unknown when there is none
	dir   string
}

// together joins limits: processes under one cgroup share its quota.
func together(limits []limit) Bounds {
	slices.SortFunc(limits, func(a, b limit) int { return cmp.Compare(a.dir, b.dir) })
	limits = slices.CompactFunc(limits, func(a, b limit) bool { return a.dir == b.dir })
	b := Bounds{Throttled: func() Throttling {
		var sum Throttling
		for i, l := range limits {
			if t := l.throttled(); i == 0 {
				sum = t
			} else {
				sum = sum.plus(t)
			}
		}
		return sum
	}}
	for _, l := range limits {
		q, ok := l.quota.Get()
		if !ok {
			b.Quota = unpark.Number{}
			break
		}
		b.Quota = unpark.Num(b.Quota.Or(0) + q)
	}
	return b
}

func (l limit) throttled() Throttling {
	text, err := os.ReadFile(filepath.Join(l.dir, "cpu.stat"))
	if err != nil {
		return Throttling{}
	}
	return parseThrottled(string(text))
}
