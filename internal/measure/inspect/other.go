//go:build !linux || (!amd64 && !arm64)

package inspect

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/unpark-go/unpark"
)

// Process cannot be read on this system.
type Process struct{}

// Open needs Linux.
func Open(int) (*Process, error) {
	return nil, fmt.Errorf("read the memory of another process: %w on %s/%s", errors.ErrUnsupported, runtime.GOOS, runtime.GOARCH)
}

// Goroutines is never called: nothing could be opened.
func (*Process) Goroutines() (int, error) { return 0, errors.ErrUnsupported }

// Profile is never called.
func (*Process) Profile(unpark.Kind) ([]byte, error) { return nil, errors.ErrUnsupported }

// Sampling says how to sample CPU.
type Sampling struct {
	Hertz  int
	Kernel bool
}

// CPU is never called.
func (*Process) CPU(context.Context, time.Duration, Sampling) ([]byte, error) {
	return nil, errors.ErrUnsupported
}
