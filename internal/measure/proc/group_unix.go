//go:build unix && !linux

package proc

import (
	"os/exec"
	"syscall"
)

// separate gives the command a session, and so a process group, of its own.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// alive reports whether the process group has members.
func alive(root int) bool { return syscall.Kill(-root, 0) == nil }

// signal reaches the whole process group.
func (p Process) signal(sig syscall.Signal) error {
	_ = syscall.Kill(-p.PID, sig)
	_ = syscall.Kill(-p.PID, syscall.SIGCONT) // a stopped one would not hear it
	return nil
}
