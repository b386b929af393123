//go:build unix

package mcp

import (
	"os/exec"
	"syscall"
)

// apart gives a child a process group of its own: a Ctrl-C on the terminal reaches it once, through this process. A second
// would have it leave without putting things back.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
