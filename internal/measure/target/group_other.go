//go:build !unix

package target

import (
	"os"
	"os/exec"
)

func group(*exec.Cmd) {}

// alive reports whether the process can still be opened; Wait lets go of it.
func alive(root int) bool {
	p, err := os.FindProcess(root)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}

// end knows no polite way here.
func end(root int, _ bool) {
	if p, err := os.FindProcess(root); err == nil {
		_ = p.Kill()
		_ = p.Release()
	}
}
