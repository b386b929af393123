//go:build unix && !linux

package target

import (
	"os/exec"
	"syscall"
)

// group gives the command a session, and so a process group, of its own.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// alive reports whether the process group has members.
func alive(root int) bool { return syscall.Kill(-root, 0) == nil }

func end(root int, hard bool) {
	if hard {
		_ = syscall.Kill(-root, syscall.SIGKILL)
		return
	}
	_ = syscall.Kill(-root, syscall.SIGTERM)
	_ = syscall.Kill(-root, syscall.SIGCONT)
}
