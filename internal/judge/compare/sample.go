package compare

import (
	"errors"
	"fmt"
	"math"

	"github.com/unpark-go/unpark"
)

// Sample is what one timed round measured of one arm, by metric name: throughput
// (req/s), p50 and p99 (s), cpu_per_request (s/req), bytes_per_request (B/req),
// wait_per_request (s/req), mean_waiters (goroutines). Samples of older experiments
// have no wait_per_request: it is mean_waiters ÷ throughput. A metric that could not be measured is absent. [Yardstick]
// is beside them where the speed of the machine was measured.
type Sample map[string]float64

// Pair is one round: both arms under the same plan, next to each other in time,
// in an order that chance decides. An arm whose run could not be used has no
// sample.
type Pair struct{ Before, After Sample }

// ErrVoid is wrapped by the error of [Measure] for a run that is void.
var ErrVoid = errors.New("void")

// Measure reads a sample from the run of one arm in one round. An error says why
// the run cannot be used, and the cure: it is void, it did not end, no load was driven,
// or its requests failed. mean_waiters and wait_per_request are the wait for locks that the
// runtime counts (runtime/metrics, /sync/mutex/wait/total), which needs no profiling.
func Measure(run unpark.Run) (Sample, error) {
	w := run.Measured()
	switch {
	case run.IsVoid():
		return nil, fmt.Errorf("the run is %w: %s: %s", ErrVoid, run.Void[0].Message, run.Void[0].Cure)
	case run.Partial != "":
		return nil, fmt.Errorf("the run did not end: %s: repeat the round", run.Partial)
	case w == nil || w.Load == nil || w.Load.Requests == 0:
		return nil, errors.New("no request was completed: let unpark drive the load (--connections or --rate)")
	}
	l := w.Load
	if failed := l.FailedShare().Or(0); failed > mostFailed {
		return nil, fmt.Errorf("%.1f %% of the requests failed (%s), so the speed says nothing: "+
			"see why with unpark load, or name the statuses that are right with --expect", 100*failed, l.ErrorSample)
	}
	s := Sample{}
	for _, m := range metrics() {
		read := m.read
		switch m.name {
		case waiters:
			read = lockWaiters
		case waitEach:
			read = lockWait
		}
		v, n, ok := read(run, w)
		if !ok || math.IsNaN(v) || math.IsInf(v, 0) || (m.name == tail && n < minTail) {
			continue
		}
		s[m.name] = v
	}
	if v, ok := w.Machine.Yardstick.Value.Get(); ok && v > 0 {
		s[Yardstick] = v
	}
	return s, nil
}

func lockWaiters(_ unpark.Run, w *unpark.Window) (float64, int64, bool) {
	v, ok := sum(w, func(p unpark.Process) unpark.Number { return p.Metrics.MutexWait })
	if !ok || w.Seconds() <= 0 {
		return 0, 0, false
	}
	return v / w.Seconds(), 0, true
}

func lockWait(_ unpark.Run, w *unpark.Window) (float64, int64, bool) {
	v, ok := sum(w, func(p unpark.Process) unpark.Number { return p.Metrics.MutexWait })
	if !ok || w.Load == nil || w.Load.Requests == 0 {
		return 0, 0, false
	}
	return v / float64(w.Load.Requests), w.Load.Requests, true
}

// logRatio returns log(b ÷ a) of one metric of two samples; NaN when one of them
// does not have it.
func (m metric) logRatio(a, b Sample) float64 { return m.log(b) - m.log(a) }

// log returns the logarithm of a sample's metric, NaN when it is absent.
func (m metric) log(s Sample) float64 {
	v, ok := m.value(s)
	v = max(v, m.least)
	if !ok || v <= 0 {
		return math.NaN()
	}
	return math.Log(v)
}

// value returns a sample's metric, as it was measured.
func (m metric) value(s Sample) (float64, bool) {
	v, ok := s[m.name]
	if !ok && m.name == waitEach && s[throughput] > 0 {
		n, has := s[waiters]
		return n / s[throughput], has
	}
	return v, ok
}

// known returns the values that are no NaN.
func known(v []float64) []float64 {
	out := make([]float64, 0, len(v))
	for _, x := range v {
		if !math.IsNaN(x) {
			out = append(out, x)
		}
	}
	return out
}
