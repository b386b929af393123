package target

import (
	"os"
	"path/filepath"
	"strconv"

	"github.com/unpark-go/unpark"
)

// limitOn returns the tightest CPU limit on a process, of its cgroup and those above it
// that can be seen; ok is false when nothing can be seen of it.
func limitOn(pid int) (l limit, ok bool) {
	mounts, ms, err := cgroupsOf(strconv.Itoa(pid))
	if err != nil {
		return limit{}, false
	}
	p, ok := locateCPU(mounts, ms)
	if !ok {
		return limit{}, false
	}
	quota, dir := tightest(p)
	return limit{quota, dir}, true
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
