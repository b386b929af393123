package confine

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
)

// The text formats of cgroups: proc_pid_mountinfo(5), cgroups(7), and
// Documentation/admin-guide/cgroup-v2.rst of the kernel.

// cgroupMount is one mounted cgroup file system.
type cgroupMount struct {
	point       string // where it is mounted
	root        string // the cgroup that is visible at point
	v2          bool
	controllers []string // of a v1 hierarchy
}

// parseMounts reads /proc/PID/mountinfo and returns its cgroup file systems.
// Lines that are not understood are skipped: they are other file systems.
func parseMounts(text string) []cgroupMount {
	var mounts []cgroupMount
	for line := range strings.Lines(text) {
		// 32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu
		before, after, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " - ")
		if !ok {
			continue
		}
		left, right := strings.Split(before, " "), strings.Split(after, " ")
		if len(left) < 6 || len(right) < 3 {
			continue
		}
		m := cgroupMount{root: unescape(left[3]), point: unescape(left[4])}
		switch right[0] {
		case "cgroup":
			m.controllers = strings.Split(right[2], ",")
		case "cgroup2":
			m.v2 = true
		default:
			continue
		}
		if path.IsAbs(m.root) && path.IsAbs(m.point) {
			mounts = append(mounts, m)
		}
	}
	return mounts
}

// unescape undoes the octal escapes (\040 is a space) of mountinfo.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(c))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// membership is one line of /proc/PID/cgroup.
type membership struct {
	v2          bool
	controllers []string
	path        string
}

// parseMemberships reads /proc/PID/cgroup.
func parseMemberships(text string) []membership {
	var ms []membership
	for line := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(f) != 3 || !path.IsAbs(f[2]) {
			continue
		}
		m := membership{path: f[2], v2: f[0] == "0" && f[1] == ""}
		if !m.v2 {
			m.controllers = strings.Split(f[1], ",")
		}
		ms = append(ms, m)
	}
	return ms
}

// place is where the cgroup of a process can be found in the file system.
type place struct {
	version    int    // 1 or 2
	controller string // of a v1 hierarchy
	top        string // the highest folder that is visible
	own        string // the folder of the process's cgroup: top, or below it
}

// locate finds the cgroup of a process: the v1 hierarchy of controller, or the
// v2 hierarchy when controller is empty. It is false when the process has none,
// or it lies outside of what is mounted here (another cgroup namespace).
func locate(mounts []cgroupMount, ms []membership, controller string) (place, bool) {
	i := slices.IndexFunc(ms, func(m membership) bool {
		return m.v2 == (controller == "") && (m.v2 || slices.Contains(m.controllers, controller))
	})
	if i < 0 {
		return place{}, false
	}
	for _, m := range mounts {
		if m.v2 != ms[i].v2 || !m.v2 && !slices.Contains(m.controllers, controller) {
			continue
		}
		below, ok := below(ms[i].path, m.root)
		if !ok {
			continue
		}
		top := path.Clean(m.point) // own is clean, and is compared with it
		p := place{version: 1, controller: controller, top: top, own: path.Join(top, below)}
		if m.v2 {
			p.version = 2
		}
		return p, true
	}
	return place{}, false
}

// locateCPU finds the cgroup that limits a process's CPU. A controller is in one
// hierarchy only; v1 goes first because a hybrid system mounts v2 as well,
// without the controller.
func locateCPU(mounts []cgroupMount, ms []membership) (place, bool) {
	if p, ok := locate(mounts, ms, "cpu"); ok {
		return p, true
	}
	return locate(mounts, ms, "")
}

// below returns the part of a cgroup path under root.
func below(p, root string) (string, bool) {
	if slices.Contains(strings.Split(p, "/"), "..") {
		return "", false // outside of this cgroup namespace
	}
	if root == "/" || p == root {
		return strings.TrimPrefix(p, root), true
	}
	return strings.CutPrefix(p, root+"/")
}

// errNoLimit says that a cgroup may use every processor.
var errNoLimit = errors.New("no CPU limit")

// parseCPUMax reads v2 cpu.max ("QUOTA PERIOD" or "max PERIOD", microseconds)
// and returns cores.
func parseCPUMax(text string) (float64, error) {
	f := strings.Fields(text)
	if len(f) != 2 {
		return 0, errors.New("cpu.max does not hold a quota and a period")
	}
	if f[0] == "max" {
		return 0, errNoLimit
	}
	return cores(f[0], f[1])
}

// parseCFS reads v1 cpu.cfs_quota_us (-1 without a limit) and cpu.cfs_period_us.
func parseCFS(quota, period string) (float64, error) {
	quota = strings.TrimSpace(quota)
	if strings.HasPrefix(quota, "-") {
		return 0, errNoLimit
	}
	return cores(quota, strings.TrimSpace(period))
}

func cores(quota, period string) (float64, error) {
	q, err := strconv.ParseUint(quota, 10, 63)
	if err != nil {
		return 0, err
	}
	p, err := strconv.ParseUint(period, 10, 63)
	if err != nil {
		return 0, err
	}
	if p == 0 {
		return 0, errors.New("the period is 0")
	}
	return float64(q) / float64(p), nil
}

// parsePIDs reads cgroup.procs. Processes of another PID namespace are 0 and
// left out.
func parsePIDs(text string) []int {
	var pids []int
	for _, f := range strings.Fields(text) {
		if pid, err := strconv.Atoi(f); err == nil && pid > 0 {
			pids = append(pids, pid)
		}
	}
	return pids
}
