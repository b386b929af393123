//go:build !linux

package proc

import (
	"errors"
	"fmt"
	"runtime"
	"syscall"

	"github.com/unpark-go/unpark"
)

// What only Linux can do, said as such.

func missing(what string) error {
	return fmt.Errorf("%s: %w on %s: run unpark on Linux for it", what, errors.ErrUnsupported, runtime.GOOS)
}

// Read needs /proc.
func Read(pid int) (Process, error) {
	return Process{}, missing(fmt.Sprintf("read process %d", pid))
}

// PIDs needs /proc.
func PIDs() ([]int, error) { return nil, missing("list processes") }

// Threads needs /proc.
func Threads(pid int) ([]int, error) {
	return nil, missing(fmt.Sprintf("list the threads of process %d", pid))
}

// Command is not known here.
func (p Process) Command() string { return "" }

// family is the process group of the command; only the command itself can be
// listed.
type family struct{ root int }

func newFamily(root int, _ string, _ func() ([]int, error)) *family { return &family{root} }

func (f *family) members() ([]Process, error) {
	if !alive(f.root) {
		return nil, nil
	}
	return []Process{{PID: f.root, Name: "process group", State: '?'}}, nil
}

func (f *family) broadcast(members []Process, sig syscall.Signal) {
	for _, p := range members {
		_ = p.signal(sig)
	}
}

func used([]Process) unpark.Number { return unpark.Number{} }

// Guard is for systems whose processes can be searched by their environment.
type Guard struct{}

// StartGuard needs /proc; the nil that it returns can be dismissed.
func StartGuard(Script) *Guard { return nil }

// Dismiss does nothing.
func (*Guard) Dismiss() {}

func guardCommand(Spec) *Guard { return nil }
