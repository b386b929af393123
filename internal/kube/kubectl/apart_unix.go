//go:build unix

package kubectl

import (
	"os/exec"
	"syscall"
)

// apart keeps a Ctrl-C of the terminal from kubectl: unpark decides what it means, and needs
// kubectl to undo what was done.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
