package target

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// cgroup is a control group that holds one target and nothing else.
type cgroup struct {
	dir     string
	version int
	limited bool   // a quota was set on it
	home    string // v1: the folder of the cgroup that unpark itself is in
	lent    string // v2: the cgroup whose children have the cpu controller since; empty if they had it
}

// period is the kernel's default CFS period in microseconds; minimum is the
// smallest quota it takes per period (kernel/sched/core.c, min_cfs_quota_period).
const (
	period  = 100_000
	minimum = 1_000
)

// confine makes a cgroup below that of this process with a quota in cores, 0 for
// none. A nil cgroup comes with the reason.
func confine(quota float64) (*cgroup, error) {
	mounts, ms, err := cgroupsOf("self")
	if err != nil {
		return nil, err
	}
	var whys []error
	if p, ok := locate(mounts, ms, "cpu"); ok {
		c, err := makeV1(p, quota)
		if err == nil {
			return c, nil
		}
		whys = append(whys, err)
	}
	if p, ok := locate(mounts, ms, ""); ok {
		c, err := makeV2(p, quota)
		if err == nil {
			return c, nil
		}
		whys = append(whys, err)
	}
	// Any hierarchy can say which processes are the target's.
	if p, ok := locate(mounts, ms, "pids"); ok && quota == 0 {
		c, err := makeV1(p, 0)
		if err == nil {
			return c, nil
		}
		whys = append(whys, err)
	}
	if len(whys) == 0 {
		return nil, errors.New("no cgroup file system is mounted that holds this process")
	}
	return nil, joinLine(whys)
}

// joinLine joins errors on one line.
func joinLine(errs []error) error {
	err := errs[0]
	for _, e := range errs[1:] {
		err = fmt.Errorf("%w; %w", err, e)
	}
	return err
}

// cgroupsOf reads the cgroups of a process ("self" or a PID).
func cgroupsOf(process string) ([]cgroupMount, []membership, error) {
	mountinfo, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, nil, fmt.Errorf("read which cgroups are mounted: %w", err)
	}
	cgroups, err := os.ReadFile("/proc/" + process + "/cgroup")
	if err != nil {
		return nil, nil, fmt.Errorf("read the cgroups of process %s: %w", process, err)
	}
	return parseMounts(string(mountinfo)), parseMemberships(string(cgroups)), nil
}

// makeV1 makes a cgroup in a v1 hierarchy.
func makeV1(p place, quota float64) (*cgroup, error) {
	dir, err := os.MkdirTemp(p.own, fmt.Sprintf("unpark-%d-", os.Getpid()))
	if err != nil {
		return nil, fmt.Errorf("make a cgroup (v1) in %s: %w", p.own, cause(err))
	}
	c := &cgroup{dir: dir, version: 1, limited: quota > 0, home: p.own}
	if quota > 0 {
		q, per := share(quota)
		err = errors.Join(write(dir, "cpu.cfs_period_us", strconv.Itoa(per)), write(dir, "cpu.cfs_quota_us", strconv.Itoa(q)))
	}
	if err != nil {
		return nil, errors.Join(err, os.Remove(dir))
	}
	return c, nil
}

// share turns cores into a quota and a period in microseconds. Below one
// hundredth of a core the period grows, up to the kernel's limit of a second.
func share(coresWanted float64) (quota, per int) {
	per = period
	if coresWanted*period < minimum {
		per = min(1_000_000, int(math.Ceil(minimum/coresWanted)))
	}
	return max(minimum, int(math.Round(coresWanted*float64(per)))), per
}

// makeV2 makes a cgroup in the v2 hierarchy. A cgroup that holds processes cannot
// hand the cpu controller to children (the "no internal processes" rule), so
// with a quota it climbs until an ancestor can. It does not climb out of a
// cgroup with a CPU or memory limit: the target would escape from it.
func makeV2(p place, quota float64) (*cgroup, error) {
	var first error
	for at := p.own; ; at = filepath.Dir(at) {
		c, err := makeV2In(at, quota)
		if err == nil {
			return c, nil
		}
		if first == nil {
			first = err
		}
		if limits(at) {
			return nil, fmt.Errorf("%w (not above it: %s has a limit that the target would escape)", first, at)
		}
		if at == p.top || len(at) <= len(p.top) {
			return nil, first
		}
	}
}

func makeV2In(parent string, quota float64) (*cgroup, error) {
	c := &cgroup{version: 2, limited: quota > 0}
	if quota > 0 {
		fresh, err := delegate(parent)
		if err != nil {
			return nil, err
		}
		if fresh {
			c.lent = parent
		}
	}
	dir, err := os.MkdirTemp(parent, fmt.Sprintf("unpark-%d-", os.Getpid()))
	if err != nil {
		c.takeBack()
		return nil, fmt.Errorf("make a cgroup (v2) in %s: %w", parent, cause(err))
	}
	c.dir = dir
	if quota > 0 {
		q, per := share(quota)
		err = write(dir, "cpu.max", fmt.Sprintf("%d %d", q, per))
	}
	if err == nil {
		err = takesProcesses(dir)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(dir))
		c.takeBack()
		return nil, err
	}
	return c, nil
}

// takeBack takes the cpu controller from the children of the cgroup that has lent it, as
// it was before, unless one of them uses it now: its limit would be gone. Where another
// run of unpark is among them it stays, because that one found it there.
func (c *cgroup) takeBack() {
	if c.lent == "" {
		return
	}
	children, err := os.ReadDir(c.lent)
	if err != nil {
		return
	}
	for _, e := range children {
		if e.IsDir() && usesCPU(filepath.Join(c.lent, e.Name())) {
			return
		}
	}
	// The kernel refuses it while a child has lent it on.
	_ = write(c.lent, "cgroup.subtree_control", "-cpu")
	c.lent = ""
}

// usesCPU reports whether something was set on a v2 cgroup that it has by the cpu
// controller, or unpark made it.
func usesCPU(dir string) bool {
	if strings.HasPrefix(filepath.Base(dir), "unpark-") {
		return true
	}
	set := func(file, usual string) bool {
		text, err := os.ReadFile(filepath.Join(dir, file))
		return err == nil && !strings.HasPrefix(string(text), usual)
	}
	return set("cpu.max", "max") || set("cpu.weight", "100\n")
}

// takesProcesses refuses a v2 cgroup whose type is "domain invalid": below a
// cgroup that has threads of its own no process can be put.
func takesProcesses(dir string) error {
	kind, err := os.ReadFile(filepath.Join(dir, "cgroup.type"))
	if k := strings.TrimSpace(string(kind)); err == nil && k != "domain" {
		return fmt.Errorf("cgroup %s takes no processes (%s)", dir, k)
	}
	return nil
}

// delegate sees to it that children of a v2 cgroup have the cpu controller; fresh tells
// that they had not.
func delegate(parent string) (fresh bool, err error) {
	has := func(file string) bool {
		text, err := os.ReadFile(filepath.Join(parent, file))
		return err == nil && slices.Contains(strings.Fields(string(text)), "cpu")
	}
	if has("cgroup.subtree_control") {
		return false, nil
	}
	if !has("cgroup.controllers") {
		return false, fmt.Errorf("cgroup (v2) %s has no cpu controller", parent)
	}
	err = write(parent, "cgroup.subtree_control", "+cpu")
	return err == nil, err
}

// limits reports whether a v2 cgroup bounds CPU or memory.
func limits(dir string) bool {
	for _, file := range []string{"cpu.max", "memory.max"} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err == nil && len(text) > 0 && !strings.HasPrefix(string(text), "max") {
			return true
		}
	}
	return false
}

func write(dir, file, text string) error {
	name := filepath.Join(dir, file)
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		return fmt.Errorf("write %q to %s: %w", text, name, cause(err))
	}
	return nil
}

// procs lists the processes of the cgroup and of any that they made below it.
func (c *cgroup) procs() ([]int, error) {
	var pids []int
	err := c.walk(func(dir string) error {
		text, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
		pids = append(pids, parsePIDs(string(text))...)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENODEV) {
			return nil // removed meanwhile
		}
		return err
	})
	if err != nil {
		return pids, fmt.Errorf("list the processes of the target's cgroup: %w", err)
	}
	slices.Sort(pids)
	return slices.Compact(pids), nil
}

// walk visits the cgroup and those below it, children first.
func (c *cgroup) walk(visit func(dir string) error) error {
	var down func(dir string) error
	down = func(dir string) error {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, e := range entries {
			if !e.IsDir() {
				continue
			}
			if err := down(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
		return visit(dir)
	}
	return down(c.dir)
}

// remove removes the cgroup. The kernel frees an exited process a moment after
// its parent has seen it go, so a busy cgroup is tried again for a while.
func (c *cgroup) remove() error {
	deadline := time.Now().Add(3 * time.Second)
	for {
		err := c.walk(func(dir string) error {
			if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		})
		if err == nil {
			c.takeBack()
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("remove the target's cgroup: %w: remove it by hand when its processes are gone: rmdir %s", err, c.dir)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
