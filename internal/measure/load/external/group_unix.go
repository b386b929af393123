//go:build unix && !linux

package external

import (
	"os/exec"
	"syscall"

	"github.com/unpark-go/unpark"
)

// separate gives the command a session, and so a process group, of its own.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// group is the command's process group; who leaves it is not followed here.
type group struct{ root int }

func newGroup(root int, _ string) *group { return &group{root} }

// look reports whether the group has members; their CPU is not known here.
func (g *group) look() (alive bool, cpu unpark.Number) {
	return syscall.Kill(-g.root, 0) == nil, unpark.Number{}
}

func (g *group) signal(how stage) {
	sig := [...]syscall.Signal{interrupt: syscall.SIGINT, terminate: syscall.SIGTERM, kill: syscall.SIGKILL}[how]
	_ = syscall.Kill(-g.root, sig)
	_ = syscall.Kill(-g.root, syscall.SIGCONT)
}
