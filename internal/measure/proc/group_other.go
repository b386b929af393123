//go:build !unix

package proc

import (
	"os"
	"os/exec"
	"syscall"
)

func separate(*exec.Cmd) {}

// alive reports whether the process can still be opened; Wait lets go of it.
func alive(root int) bool {
	p, err := os.FindProcess(root)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}

// signal knows no polite way here.
func (p Process) signal(syscall.Signal) error {
	if found, err := os.FindProcess(p.PID); err == nil {
		_ = found.Kill()
		_ = found.Release()
	}
	return nil
}
