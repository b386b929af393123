//go:build unix

package main

import (
	"errors"
	"os/exec"
	"syscall"
)

// apart gives a command a process group of its own: Ctrl-C is this program's.
func apart(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// end asks a command's group to end, or makes it.
func end(c *exec.Cmd, now bool) error {
	sig := syscall.SIGTERM
	if now {
		sig = syscall.SIGKILL
	}
	if err := syscall.Kill(-c.Process.Pid, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}
