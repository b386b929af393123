package confine

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
)

// period is the kernel's default CFS period in microseconds; minimum is the
// smallest quota it takes per period (kernel/sched/core.c, min_cfs_quota_period).
const (
	period  = 100_000
	minimum = 1_000
)

// errNowhere says that a hierarchy is not there.
var errNowhere = errors.New("no cgroup file system is mounted that holds this process")

// Make makes a cgroup below that of this process with a quota in cores, 0 for
// none, in the first hierarchy that lets it. A nil group comes with the reason.
func Make(quota float64) (*Group, error) {
	controllers := []string{"cpu", ""}
	if quota == 0 {
		controllers = append(controllers, "pids") // any can say which processes are the target's
	}
	mounts, ms, err := ownCgroups()
	if err != nil {
		return nil, err
	}
	var whys []error
	for _, controller := range controllers {
		g, err := makeIn(mounts, ms, controller, quota)
		if err == nil {
			return g, nil
		}
		if !errors.Is(err, errNowhere) {
			whys = append(whys, err)
		}
	}
	if len(whys) == 0 {
		return nil, errNowhere
	}
	return nil, joinLine(whys)
}

// MakeIn is Make in one hierarchy: that of a controller of version 1, or version 2 when
// controller is empty.
func MakeIn(controller string, quota float64) (*Group, error) {
	mounts, ms, err := ownCgroups()
	if err != nil {
		return nil, err
	}
	return makeIn(mounts, ms, controller, quota)
}

func makeIn(mounts []cgroupMount, ms []membership, controller string, quota float64) (*Group, error) {
	p, ok := locate(mounts, ms, controller)
	switch {
	case !ok:
		return nil, errNowhere
	case p.version == 1:
		return makeV1(p, quota)
	}
	return makeV2(p, quota)
}

// joinLine joins errors on one line.
func joinLine(errs []error) error {
	err := errs[0]
	for _, e := range errs[1:] {
		err = fmt.Errorf("%w; %w", err, e)
	}
	return err
}

// ownCgroups reads the cgroups of this process, by a thread that is in no target's: the
// main thread, which /proc/self tells of, may be inside of one for the moment in which it
// starts a command ([Group.Confinement]), but then it is locked to that.
func ownCgroups() ([]cgroupMount, []membership, error) {
	mountinfo, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, nil, fmt.Errorf("read which cgroups are mounted: %w", err)
	}
	cgroups, err := os.ReadFile("/proc/thread-self/cgroup")
	if err != nil {
		return nil, nil, fmt.Errorf("read the cgroups of this process: %w", err)
	}
	return parseMounts(string(mountinfo)), parseMemberships(string(cgroups)), nil
}

// makeV1 makes a cgroup in a v1 hierarchy.
func makeV1(p place, quota float64) (*Group, error) {
	dir, err := os.MkdirTemp(p.own, fmt.Sprintf("unpark-%d-", os.Getpid()))
	if err != nil {
		return nil, fmt.Errorf("make a cgroup (v1) in %s: %w", p.own, cause(err))
	}
	g := &Group{dir: dir, version: 1, limited: quota > 0, home: p.own}
	if quota > 0 {
		q, per := share(quota)
		err = errors.Join(write(dir, "cpu.cfs_period_us", strconv.Itoa(per)), write(dir, "cpu.cfs_quota_us", strconv.Itoa(q)))
	}
	if err != nil {
		return nil, errors.Join(err, os.Remove(dir))
	}
	return g, nil
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
func makeV2(p place, quota float64) (*Group, error) {
	var first error
	for at := range p.upwards() {
		g, err := makeV2In(at, quota)
		if err == nil {
			return g, nil
		}
		if first == nil {
			first = err
		}
		if limits(at) {
			return nil, fmt.Errorf("%w (not above it: %s has a limit that the target would escape)", first, at)
		}
	}
	return nil, first
}

func makeV2In(parent string, quota float64) (*Group, error) {
	g := &Group{version: 2, limited: quota > 0}
	if quota > 0 {
		fresh, err := delegate(parent)
		if err != nil {
			return nil, err
		}
		if fresh {
			g.lent = parent
		}
	}
	dir, err := os.MkdirTemp(parent, fmt.Sprintf("unpark-%d-", os.Getpid()))
	if err != nil {
		g.takeBack()
		return nil, fmt.Errorf("make a cgroup (v2) in %s: %w", parent, cause(err))
	}
	g.dir = dir
	if quota > 0 {
		q, per := share(quota)
		err = write(dir, "cpu.max", fmt.Sprintf("%d %d", q, per))
	}
	if err == nil {
		err = takesProcesses(dir)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(dir))
		g.takeBack()
		return nil, err
	}
	return g, nil
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

// cause strips the operation and path that the os package adds, where the
// message around it has them.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
