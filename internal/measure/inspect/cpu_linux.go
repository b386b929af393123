//go:build linux && (amd64 || arm64)

package inspect

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/inspect/perf"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/roles"
)

// hertz is the rate at which runtime/pprof samples.
const hertz = 100

// Sampling says how to sample CPU.
type Sampling struct {
	Hertz  int  // for each second that a thread computes; 0: as runtime/pprof does
	Kernel bool // not without time inside of the kernel
}

// CPU samples what the process computes for a while, or until ctx ends.
func (p *Process) CPU(ctx context.Context, length time.Duration, o Sampling) ([]byte, error) {
	if err := p.Alive(); err != nil {
		return nil, err
	}
	began := time.Now()
	s, err := perf.Start(p.PID, cmp.Or(o.Hertz, hertz))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKind, err)
	}
	if o.Kernel && s.UserOnly() {
		s.Stop()
		return nil, fmt.Errorf("%w: time inside of the kernel may not be sampled: run unpark as root or with CAP_PERFMON, or sysctl kernel.perf_event_paranoid=1", ErrKind)
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
	if all.Lost > 0 {
		m.Drawn(len(all.All), len(all.All)+int(all.Lost), 0)
	}
	if all.UserOnly {
		m.UserOnly()
	}
	known := map[uint64][]unpark.Site{} // by return address: thousands of samples share some hundreds
	for _, sample := range all.All {
		var sites []unpark.Site
		for _, ret := range p.calls(sample) {
			some, ok := known[ret]
			if !ok {
				some = p.sites([]uint64{ret})
				known[ret] = some
			}
			sites = append(sites, some...)
		}
		if n := len(sites) - 1; n > 0 && sites[n].Function == roles.Exit { // runtime/pprof leaves it out (proto.go, emitLocation)
			sites = sites[:n]
		}
		if len(sites) > 0 {
			m.Add(sites, 1, int64(sample.Time))
		}
	}
	return m.Bytes()
}

// calls are the return addresses of a sample, the innermost first. A function without a frame, as most in assembly are
// and small ones that call nothing, leaves its caller out of the walk along the frame pointers.
func (p *Process) calls(sample perf.Sample) []uint64 {
	out := sample.Stack
	if len(out) == 0 {
		return nil
	}
	at := out[0]
	if sample.Return != 0 && p.Image.Functions.Frameless(at) {
		out = slices.Insert(out, 1, sample.Return)
	}
	out[0] = at + 1 // where it was is no return address
	return out
}
