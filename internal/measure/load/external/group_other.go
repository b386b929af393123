//go:build !unix

package external

import (
	"os"
	"os/exec"

	"github.com/unpark-go/unpark"
)

func separate(*exec.Cmd) {}

// group is the shell alone: its children are not known here.
type group struct{ root int }

func newGroup(root int, _ string) *group { return &group{root} }

// look reports whether the process can still be opened; Wait lets go of it.
func (g *group) look() (alive bool, cpu unpark.Number) {
	p, err := os.FindProcess(g.root)
	if err != nil {
		return false, unpark.Number{}
	}
	_ = p.Release()
	return true, unpark.Number{}
}

// signal knows no polite way here.
func (g *group) signal(stage) {
	if p, err := os.FindProcess(g.root); err == nil {
		_ = p.Kill()
		_ = p.Release()
	}
}
