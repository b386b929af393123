package check

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
)

// subject is a run with its figures.
type subject struct {
	Run    unpark.Run
	sample compare.Sample
	why    string // there is no sample
	window *unpark.Window
}

func read(r unpark.Run) subject {
	s := subject{Run: r}
	var err error
	if s.sample, err = compare.Measure(r); err != nil {
		s.why = err.Error()
	}
	s.window = r.Measured()
	return s
}

// busy reports that something else used the machine.
func (s subject) busy() bool {
	if _, disturbed := compare.Disturbed(s.Run); disturbed {
		return true
	}
	return slices.ContainsFunc(s.Run.Warnings, func(n unpark.Notice) bool { return n.Code == "busy-host" })
}

// figure returns a metric of the run; unknown, and why, when it was not measured.
func (s subject) figure(m metric, pattern string) (unpark.Quantity, string) {
	none := func(format string, a ...any) (unpark.Quantity, string) {
		return unpark.Quantity{Unit: m.unit}, fmt.Sprintf(format, a...)
	}
	if s.window == nil || s.window.Load == nil {
		return none("the run drove no load: let unpark drive it, with --connections or --rate")
	}
	load := *s.window.Load
	switch m.key {
	case keyErrors:
		share, ok := load.FailedShare().Get()
		if !ok {
			return none("no request was sent")
		}
		return unpark.Measured(share, "ratio", load.Attempts()), ""
	case keyWaiters:
		return s.waiters(pattern)
	}
	if s.why != "" {
		return none("%s", s.why)
	}
	for key, p := range map[string]struct {
		v     float64
		least int64
	}{"p90": {load.Response.P90, leastP90}, "p95": {load.Response.P95, leastP95}, "p999": {load.Response.P999, leastP999}} {
		switch {
		case key != m.key:
		case load.Response.N < p.least:
			return none("%s %s too few for it: run longer", unpark.Counted(load.Response.N, "answer"), map[bool]string{true: "is", false: "are"}[load.Response.N == 1])
		default:
			return unpark.Measured(p.v, m.unit, load.Response.N), ""
		}
	}
	v, ok := s.sample[m.key]
	if !ok {
		return none("%s", unmeasured(m.key))
	}
	return unpark.Measured(v, m.unit, load.Requests), ""
}

// unmeasured says why a run may not have a metric, and the cure.
func unmeasured(key string) string {
	switch key {
	case "p99":
		return "too few answers for it: run longer"
	case "bytes_per_request", "mean_waiters":
		return "the runtime's own counters are needed: build with the probe, --pkg"
	case "cpu_per_request":
		return "the CPU of some process is unknown: let unpark start the service"
	default:
		return "the run does not have it"
	}
}

// waiters returns the mean number of goroutines of requests that waited below the
// functions of a pattern: from the block profile, where it was read, else from the
// findings, which have the places that matter.
func (s subject) waiters(pattern string) (unpark.Quantity, string) {
	i := slices.IndexFunc(s.Run.Flames, func(f unpark.Flame) bool { return f.Kind == unpark.KindBlock })
	if i >= 0 && s.window.Seconds() > 0 {
		delay, n := below(s.Run.Flames[i], pattern)
		return unpark.Measured(delay/s.window.Seconds(), "waiters", n), ""
	}
	var total float64
	var n int64
	for _, f := range at(pattern, s.Run.Findings) {
		if v, ok := f.Cost.MeanWaiters.Value.Get(); ok {
			total += v
			n++
		}
	}
	if n == 0 {
		return unpark.Quantity{Unit: "waiters"}, "the run has no block profile: let unpark set its rate, with the probe (--pkg) or by importing it"
	}
	return unpark.Measured(total, "waiters", n), ""
}

// below sums what requests waited below the outermost frames of a pattern.
func below(f unpark.Flame, pattern string) (delay float64, n int64) {
	under := -1 // depth of the frame that matched
	for i := range min(len(f.Name), len(f.Depth), len(f.Value), len(f.Side)) {
		if under >= 0 && f.Depth[i] > under {
			continue
		}
		under = -1
		if f.Side[i] == 'q' && f.Name[i] >= 0 && f.Name[i] < len(f.Names) && matches(pattern, function(f.Names[f.Name[i]])) {
			under = f.Depth[i]
			delay += f.Value[i]
			n++
		}
	}
	return delay, n
}
