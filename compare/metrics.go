package compare

import "github.com/unpark-go/unpark"

// The verdicts of an effect.
const (
	better = "better"
	worse  = "worse"
	same   = "same"
)

// metric is one figure of a run. Band is the change, as a share, that identical
// runs can show in one round and that is therefore no change.
type metric struct {
	name string
	unit string
	more bool // more is better
	band float64
	read func(unpark.Run, *unpark.Window) (v float64, n int64, ok bool)
}

// metrics returns what is compared. The bands are about twice what identical
// arms differed by in interleaved trials (throughput and CPU ±3–7 %); p99 rests
// on a hundredth of the requests.
func metrics() []metric {
	return []metric{
		{"throughput", "req/s", true, 0.10, loaded(func(l unpark.Load) float64 { return l.AchievedRPS })},
		{"p50", "s", false, 0.20, timed(func(l unpark.Latency) float64 { return l.P50 })},
		{"p99", "s", false, 0.30, timed(func(l unpark.Latency) float64 { return l.P99 })},
		{"cpu_per_request", "s/req", false, 0.10, cpuPerRequest},
		{"bytes_per_request", "B/req", false, 0.10, bytesPerRequest},
		{"mean_waiters", "waiters", false, 0.20, meanWaiters},
	}
}

func (m metric) of(r unpark.Run, w *unpark.Window) unpark.Quantity {
	if w == nil {
		return unpark.Quantity{}
	}
	v, n, ok := m.read(r, w)
	if !ok {
		return unpark.Quantity{}
	}
	return unpark.Measured(v, m.unit, n)
}

func (m metric) effect(before, after unpark.Quantity) (unpark.Effect, bool) {
	a, ok := before.Value.Get()
	b, also := after.Value.Get()
	if !ok || !also {
		return unpark.Effect{}, false
	}
	e := unpark.Effect{Metric: m.name, Before: before, After: after, Verdict: same}
	if a == 0 {
		// Nothing to divide by: only more of it than nothing can be told.
		if b > 0 {
			e.Verdict = m.verdict(2)
		}
		return e, true
	}
	e.Ratio = unpark.Measured(b/a, "ratio", 1)
	e.Verdict = m.verdict(b / a)
	return e, true
}

func (m metric) verdict(ratio float64) string {
	switch {
	case ratio > 1+m.band:
		if m.more {
			return better
		}
		return worse
	case ratio < 1/(1+m.band):
		if m.more {
			return worse
		}
		return better
	default:
		return same
	}
}

func loaded(of func(unpark.Load) float64) func(unpark.Run, *unpark.Window) (float64, int64, bool) {
	return func(_ unpark.Run, w *unpark.Window) (float64, int64, bool) {
		if w.Load == nil || w.Load.Requests == 0 {
			return 0, 0, false
		}
		return of(*w.Load), w.Load.Requests, true
	}
}

func timed(of func(unpark.Latency) float64) func(unpark.Run, *unpark.Window) (float64, int64, bool) {
	return func(_ unpark.Run, w *unpark.Window) (float64, int64, bool) {
		if w.Load == nil || w.Load.Response.N == 0 {
			return 0, 0, false
		}
		return of(w.Load.Response), w.Load.Response.N, true
	}
}

// cpuPerRequest sums over processes; a process whose CPU is unknown leaves the
// sum unknown.
func cpuPerRequest(_ unpark.Run, w *unpark.Window) (float64, int64, bool) {
	v, ok := sum(w, func(p unpark.Process) unpark.Number { return p.Cores })
	if !ok || w.Load == nil || w.Load.AchievedRPS <= 0 {
		return 0, 0, false
	}
	return v / w.Load.AchievedRPS, w.Load.Requests, true
}

func bytesPerRequest(_ unpark.Run, w *unpark.Window) (float64, int64, bool) {
	v, ok := sum(w, func(p unpark.Process) unpark.Number { return p.Metrics.AllocBytes })
	if !ok || w.Load == nil || w.Load.Requests == 0 {
		return 0, 0, false
	}
	return v / float64(w.Load.Requests), w.Load.Requests, true
}

func sum(w *unpark.Window, of func(unpark.Process) unpark.Number) (float64, bool) {
	var total float64
	for _, p := range w.Processes {
		v, ok := of(p).Get()
		if !ok {
			return 0, false
		}
		total += v
	}
	return total, len(w.Processes) > 0
}

// meanWaiters sums the waiters of lock and channel findings. A run whose block
// profile was measured and that has no such finding has none above the floor.
func meanWaiters(r unpark.Run, w *unpark.Window) (float64, int64, bool) {
	var total float64
	var n int64
	for _, f := range r.Findings {
		if f.Class != unpark.ClassLock && f.Class != unpark.ClassChannel {
			continue
		}
		v, _ := f.Cost.MeanWaiters.Value.Get()
		total += v
		n += f.Cost.MeanWaiters.N
	}
	for _, p := range w.Profiles {
		if p.Kind == unpark.KindBlock && p.State == unpark.Present {
			return total, n, true
		}
	}
	return total, n, total > 0
}
