//go:build !linux

package rusage

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/unpark-go/unpark"
)

func missing(what string) error {
	return fmt.Errorf("%s: %w on %s: run unpark on Linux for it", what, errors.ErrUnsupported, runtime.GOOS)
}

// ReadProcess needs /proc.
func ReadProcess(pid int) (Process, error) {
	return Process{}, missing(fmt.Sprintf("read the usage of process %d", pid))
}

// ReadMachine needs /proc.
func ReadMachine() (Machine, error) {
	return Machine{}, missing("read the machine's usage")
}

// Host describes this machine as far as the Go runtime knows it.
func Host() unpark.Host {
	return unpark.Host{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU()}
}
