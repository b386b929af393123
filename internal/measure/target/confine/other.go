//go:build !linux

package confine

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"

	"github.com/unpark-go/unpark/internal/measure/proc"
)

// What only Linux can do, said as such.

func missing(what string) error {
	return fmt.Errorf("%s: %w on %s: run unpark on Linux for it", what, errors.ErrUnsupported, runtime.GOOS)
}

// Group does not exist here: it is always nil.
type Group struct{}

// Make needs cgroups.
func Make(float64) (*Group, error) { return nil, missing("limit CPU") }

// MakeIn needs cgroups.
func MakeIn(string, float64) (*Group, error) { return nil, missing("limit CPU") }

// Limit knows of none.
func (*Group) Limit() (how string, ok bool) { return "", false }

// Prepare has nothing to set.
func (*Group) Prepare(*exec.Cmd) (release func(), err error) { return func() {}, nil }

// Confinement does nothing.
func (*Group) Confinement([]int) proc.Confinement { return proc.Confinement{} }

// Remove has nothing to remove.
func (*Group) Remove() error { return nil }

// Pins reports that this system can keep a process on some processors.
const Pins = false

func affinity(int) []int { return nil }

// Allowed lists all processors.
func Allowed() []int {
	cpus := make([]int, runtime.NumCPU())
	for i := range cpus {
		cpus[i] = i
	}
	return cpus
}

// Pin needs a system call that is not here.
func Pin(pid int, _ []int) error { return missing(fmt.Sprintf("pin process %d", pid)) }
