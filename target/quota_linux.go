package target

import (
	"os"
	"path/filepath"
	"strconv"

	"github.com/unpark-go/unpark"
)

// PIDCgroup returns the CPU limit on a process in cores, the tightest of its
// cgroup and those above it, and how to read the seconds for which it was
// throttled. The quota is unknown when there is none or it cannot be seen.
//
// Throttled seconds are the kernel's: summed over processors, so they can grow
// by more than a second per second. They are read where the tightest limit is,
// and count everything in that cgroup.
func PIDCgroup(pid int) (quota unpark.Number, throttled func() unpark.Number) {
	unknown := func() unpark.Number { return unpark.Number{} }
	mounts, ms, err := cgroupsOf(strconv.Itoa(pid))
	if err != nil {
		return unpark.Number{}, unknown
	}
	p, ok := locateCPU(mounts, ms)
	if !ok {
		return unpark.Number{}, unknown
	}
	quota, dir := tightest(p)
	return quota, func() unpark.Number {
		text, err := os.ReadFile(filepath.Join(dir, "cpu.stat"))
		if err != nil {
			return unpark.Number{}
		}
		s, ok := parseThrottled(string(text))
		if !ok {
			return unpark.Number{}
		}
		return unpark.Num(s)
	}
}

// tightest returns the smallest quota from a cgroup up to what is visible, and
// the folder that sets it; the cgroup itself when none does.
func tightest(p place) (unpark.Number, string) {
	var quota unpark.Number
	where := p.own
	for at := p.own; ; at = filepath.Dir(at) {
		if q, err := quotaAt(at, p.version); err == nil && (!quota.Known() || q < quota.Or(0)) {
			quota, where = unpark.Num(q), at
		}
		if at == p.top || len(at) <= len(p.top) {
			return quota, where
		}
	}
}

func quotaAt(dir string, version int) (float64, error) {
	if version == 2 {
		text, err := os.ReadFile(filepath.Join(dir, "cpu.max"))
		if err != nil {
			return 0, err
		}
		return parseCPUMax(string(text))
	}
	quota, err := os.ReadFile(filepath.Join(dir, "cpu.cfs_quota_us"))
	if err != nil {
		return 0, err
	}
	per, err := os.ReadFile(filepath.Join(dir, "cpu.cfs_period_us"))
	if err != nil {
		return 0, err
	}
	return parseCFS(string(quota), string(per))
}
