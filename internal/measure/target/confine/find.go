package confine

import (
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// Cgroup is the control group that limits the CPU of a process that runs.
type Cgroup struct {
	Version  int    // of the hierarchy: 1 or 2
	Dir      string // its folder, absolute
	Quota    unpark.Number
	QuotaDir string // the folder that sets the tightest quota
	// Delegated reports whether children of it could be given a CPU limit by their
	// owner: of version 2 only if the controller is there for them.
	Delegated bool
}

// CgroupIn finds the cgroup of a process ("self" or a PID) in a file system that
// holds /proc and /sys. Whether it may be written to is not looked at. ok is false
// when it has none, or none that is visible.
func CgroupIn(root fs.FS, process string) (c Cgroup, ok bool) {
	mountinfo, err := fs.ReadFile(root, "proc/self/mountinfo")
	if err != nil {
		return Cgroup{}, false
	}
	memberships, err := fs.ReadFile(root, "proc/"+process+"/cgroup")
	if err != nil {
		return Cgroup{}, false
	}
	p, ok := locateCPU(parseMounts(string(mountinfo)), parseMemberships(string(memberships)))
	if !ok {
		return Cgroup{}, false
	}
	c = Cgroup{Version: p.version, Dir: p.own, Delegated: p.version == 1}
	c.Quota, c.QuotaDir = tightest(root, p)
	for at := range p.upwards() {
		text, err := fs.ReadFile(root, path.Join(inside(at), "cgroup.controllers"))
		if err == nil && slices.Contains(strings.Fields(string(text)), "cpu") {
			c.Delegated = true
		}
	}
	return c, true
}

// tightest returns the smallest quota from a cgroup up to what is visible, and
// the folder that sets it; the cgroup itself when none does.
func tightest(root fs.FS, p place) (quota unpark.Number, dir string) {
	dir = p.own
	for at := range p.upwards() {
		if q, err := quotaIn(root, at, p.version); err == nil && (!quota.Known() || q < quota.Or(0)) {
			quota, dir = unpark.Num(q), at
		}
	}
	return quota, dir
}

// upwards yields the folder of a cgroup and those above it, as far as they are visible.
func (p place) upwards() iter.Seq[string] {
	return func(yield func(string) bool) {
		for at := p.own; yield(at) && at != p.top && len(at) > len(p.top); {
			at = path.Dir(at)
		}
	}
}

// inside turns an absolute path into a name of a file system.
func inside(name string) string { return strings.TrimPrefix(name, "/") }

func quotaIn(root fs.FS, dir string, version int) (float64, error) {
	read := func(file string) string {
		text, err := fs.ReadFile(root, path.Join(inside(dir), file))
		if err != nil {
			return ""
		}
		return string(text)
	}
	if version == 2 {
		return parseCPUMax(read("cpu.max"))
	}
	return parseCFS(read("cpu.cfs_quota_us"), read("cpu.cfs_period_us"))
}
