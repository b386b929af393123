package target

import (
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/unpark-go/unpark/internal/measure/proc"
)

// pins reports that this system can keep a process on some processors.
const pins = true

// attributes prepares the command for its cgroup on v2. release is called when it has
// started.
func attributes(cmd *exec.Cmd, cg *cgroup) (release func(), err error) {
	if cg == nil || cg.version == 1 {
		return func() {}, nil
	}
	fd, err := unix.Open(cg.dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open the target's cgroup %s: %w", cg.dir, err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: fd}
	return func() { _ = unix.Close(fd) }, nil
}

// removeScript removes the cgroup ($1), and takes the cpu controller back from the
// children of the cgroup that lent it ($2), as cgroup.takeBack does.
const removeScript = `n=0
while [ -d "$1" ] && [ $n -lt 60 ]; do
	n=$((n+1))
	rmdir "$1" 2>/dev/null || sleep 0.05
done
[ -n "$2" ] && [ ! -d "$1" ] || exit 0
for d in "$2"/*/; do
	case $d in */unpark-*) exit 0 ;; esac
	case $(cat "$d/cpu.max" 2>/dev/null) in max*|'') ;; *) exit 0 ;; esac
	case $(cat "$d/cpu.weight" 2>/dev/null) in 100|'') ;; *) exit 0 ;; esac
done
echo -cpu 2>/dev/null >"$2/cgroup.subtree_control"
`

// confinement is how a command is started in the cgroup, if there is one, and on some
// processors.
func (c *cgroup) confinement(cpus []int) proc.Confinement {
	how := proc.Confinement{Enter: func() (func() error, error) { return enter(c, cpus) }}
	if c != nil {
		how.Members, how.Cgroup = c.procs, c.dir
		how.Remove = proc.Script{Text: removeScript, Args: []string{c.dir, c.lent}}
	}
	return how
}

// enter gives this thread, which must be locked, the v1 cgroup and the processors
// that the command is to have. leave takes them off again, also after an error;
// when that fails the thread must end.
func enter(cg *cgroup, cpus []int) (leave func() error, err error) {
	var undo []func() error
	leave = func() error {
		var errs []error
		for _, f := range undo {
			errs = append(errs, f())
		}
		return errors.Join(errs...)
	}
	if len(cpus) > 0 {
		set, err := cpuSet(cpus)
		if err != nil {
			return leave, &affinityError{err}
		}
		var before unix.CPUSet
		if err := unix.SchedGetaffinity(0, &before); err != nil {
			return leave, &affinityError{fmt.Errorf("read this thread's processors: %w", err)}
		}
		if err := unix.SchedSetaffinity(0, set); err != nil {
			return leave, &affinityError{fmt.Errorf("keep it on processors %v: %w: choose among %v", cpus, err, Allowed())}
		}
		undo = append(undo, func() error { return unix.SchedSetaffinity(0, &before) })
		// The kernel takes those of the set that exist and says nothing.
		if got := Allowed(); len(got) != set.Count() {
			return leave, &affinityError{fmt.Errorf("keep it on processors %v: only %v can be had: choose among those that exist", cpus, got)}
		}
	}
	if cg != nil && cg.version == 1 {
		tid := strconv.Itoa(unix.Gettid())
		if err := write(cg.dir, "tasks", tid); err != nil {
			return leave, err
		}
		undo = append(undo, func() error { return write(cg.home, "tasks", tid) })
	}
	return leave, nil
}
