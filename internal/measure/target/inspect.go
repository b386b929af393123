package target

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
)

// Cgroup is the control group that limits a process's CPU.
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
	c = Cgroup{Version: p.version, Dir: p.own, QuotaDir: p.own, Delegated: p.version == 1}
	for at := p.own; ; at = path.Dir(at) {
		if q, err := quotaIn(root, at, p.version); err == nil && (!c.Quota.Known() || q < c.Quota.Or(0)) {
			c.Quota, c.QuotaDir = unpark.Num(q), at
		}
		text, err := fs.ReadFile(root, path.Join(inside(at), "cgroup.controllers"))
		if err == nil && slices.Contains(strings.Fields(string(text)), "cpu") {
			c.Delegated = true
		}
		if at == p.top || len(at) <= len(p.top) {
			return c, true
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

// PortsIn lists the TCP addresses that a process listens on, in a file system that
// holds /proc, in ascending order of port. The error says that the process or its
// files cannot be read: it has ended, or belongs to another user.
func PortsIn(root fs.FS, pid int) ([]string, error) {
	dir := "proc/" + strconv.Itoa(pid) + "/fd"
	entries, err := fs.ReadDir(root, dir)
	if err != nil {
		return nil, fmt.Errorf("find the ports of process %d: %w", pid, err)
	}
	open := map[string]bool{}
	for _, e := range entries {
		link, err := fs.ReadLink(root, path.Join(dir, e.Name()))
		if inode, ok := strings.CutPrefix(link, "socket:["); err == nil && ok {
			open[strings.TrimSuffix(inode, "]")] = true
		}
	}
	bigEndian := binary.NativeEndian.Uint16([]byte{0, 1}) == 1
	var found []listener
	var errs []error
	for _, file := range []string{"tcp", "tcp6"} {
		// Of the process's own network: it may be in a container.
		text, err := fs.ReadFile(root, "proc/"+strconv.Itoa(pid)+"/net/"+file)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, l := range parseListeners(string(text), bigEndian) {
			if open[l.inode] {
				found = append(found, l)
			}
		}
	}
	if len(errs) == 2 {
		return nil, fmt.Errorf("find the ports of process %d: %w", pid, errors.Join(errs...))
	}
	slices.SortFunc(found, func(a, b listener) int {
		return strings.Compare(fmt.Sprintf("%05d", a.addr.Port()), fmt.Sprintf("%05d", b.addr.Port()))
	})
	var out []string
	for _, l := range found {
		out = append(out, l.addr.String())
	}
	return slices.Compact(out), nil
}
