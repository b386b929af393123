package confine

import (
	"cmp"
	"os"
	"slices"
	"strconv"

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
	var groups []Cgroup
	for _, pid := range pids {
		c, ok := CgroupIn(os.DirFS("/"), strconv.Itoa(pid))
		if !ok {
			groups = nil
			break
		}
		groups = append(groups, c)
	}
	b := together(groups)
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

// together joins limits: processes under one cgroup share its quota.
func together(groups []Cgroup) Bounds {
	slices.SortFunc(groups, func(a, b Cgroup) int { return cmp.Compare(a.QuotaDir, b.QuotaDir) })
	groups = slices.CompactFunc(groups, func(a, b Cgroup) bool { return a.QuotaDir == b.QuotaDir })
	b := Bounds{Throttled: func() Throttling {
		var sum Throttling
		for i, c := range groups {
			if t := c.throttled(); i == 0 {
				sum = t
			} else {
				sum = sum.plus(t)
			}
		}
		return sum
	}}
	for _, c := range groups {
		q, ok := c.Quota.Get()
		if !ok {
			b.Quota = unpark.Number{}
			break
		}
		b.Quota = unpark.Num(b.Quota.Or(0) + q)
	}
	return b
}
