package target

import (
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// pins reports that this system can keep a process on some processors.
const pins = true

// attributes prepares the command: a session of its own, so that Ctrl-C on the
// terminal does not reach it and its members can be told; death with the thread
// that made it; and on cgroup v2 its cgroup. release is called when it has
// started.
func attributes(cmd *exec.Cmd, cg *cgroup) (release func(), err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	if cg == nil || cg.version == 1 {
		return func() {}, nil
	}
	fd, err := unix.Open(cg.dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open the target's cgroup %s: %w", cg.dir, err)
	}
	cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, fd
	return func() { _ = unix.Close(fd) }, nil
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
