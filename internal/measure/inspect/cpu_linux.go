//go:build linux && (amd64 || arm64)

package inspect

import (
	"context"
	"fmt"
	"time"

	"github.com/unpark-go/unpark/internal/measure/inspect/perf"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// hertz is the rate at which runtime/pprof samples.
const hertz = 100

// CPU samples what the process computes for a while, or until ctx ends.
func (p *Process) CPU(ctx context.Context, length time.Duration) ([]byte, error) {
	if err := p.Alive(); err != nil {
		return nil, err
	}
	began := time.Now()
	s, err := perf.Start(p.PID, hertz)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKind, err)
	}
	t := time.NewTimer(length)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
	all := s.Stop()
	m := profile.Make("cpu", "nanoseconds", int64(all.Interval), "samples", "count", "cpu", "nanoseconds")
	m.Lasted(began, time.Since(began))
	for _, sample := range all.All {
		if len(sample.Stack) == 0 {
			continue
		}
		sample.Stack[0]++ // where it was is no return address
		m.Add(p.sites(sample.Stack), 1, int64(all.Interval))
	}
	return m.Bytes()
}
