package compare

import "github.com/unpark-go/unpark"

// The verdicts of an effect.
const (
	better = "better"
	worse  = "worse"
	same   = "same"
	// The arms cannot be compared in this metric.
	unsaid = "unknown"
)

// The metrics that sentences and stopping name.
const (
	throughput = "throughput"
	tail       = "p99"
	cpuEach    = "cpu_per_request"
	bytesEach  = "bytes_per_request"
	waitEach   = "wait_per_request"
	waiters    = "mean_waiters"
)

// metric is one figure of a run.
type metric struct {
	name string
	unit string
	more bool // more is better
	// band is the floor of one round each: the change, as a share, that two identical
	// runs stay within 19 times in 20.
	band float64
	// least is the value below which there is nothing to tell apart.
	least float64
	// speed is the sign of what more time for the same work does to it; 0 for what is
	// not a time.
	speed float64
	read  func(unpark.Run, *unpark.Window) (v float64, n int64, ok bool)
}

// metrics returns what is compared.
func metrics() []metric {
	return []metric{
		{throughput, "req/s", true, bandThroughput, 0, -1, loaded(func(l unpark.Load) float64 { return l.AchievedRPS })},
		{"p50", "s", false, bandP50, 0, 1, timed(func(l unpark.Latency) float64 { return l.P50 })},
		{tail, "s", false, bandP99, 0, 1, timed(func(l unpark.Latency) float64 { return l.P99 })},
		{cpuEach, "s/req", false, bandCPU, 0, 1, cpuPerRequest},
		{bytesEach, "B/req", false, bandBytes, leastBytes, 0, bytesPerRequest},
		{waitEach, "s/req", false, bandWait, leastWait, 0, waitPerRequest},
		{waiters, "waiters", false, bandWait, leastWaiters, 0, meanWaiters},
	}
}

// timing reports whether a metric is of how long something takes.
func (m metric) timing() bool { return m.name != bytesEach }

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

// effect compares one round of each.
func (m metric) effect(before, after unpark.Quantity) (unpark.Effect, bool) {
	a, ok := before.Value.Get()
	b, also := after.Value.Get()
	if !ok || !also {
		return unpark.Effect{}, false
	}
	e := unpark.Effect{Metric: m.name, Before: before, After: after, Verdict: same}
	if a > 0 {
		e.Ratio = unpark.Measured(b/a, "ratio", 1)
	}
	if a, b = max(a, m.least), max(b, m.least); a > 0 {
		e.Verdict = m.beyond(b/a, m.band)
	}
	return e, true
}

// beyond is the verdict on a ratio; up to band it is the same.
func (m metric) beyond(ratio, band float64) string {
	up, down := ratio > 1+band, ratio < 1/(1+band)
	switch {
	case up && m.more, down && !m.more:
		return better
	case up, down:
		return worse
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

// cpuPerRequest sums over processes, without what observing them took; a process whose
// CPU is unknown leaves the sum unknown.
func cpuPerRequest(_ unpark.Run, w *unpark.Window) (float64, int64, bool) {
	v, ok := sum(w, func(p unpark.Process) unpark.Number { return p.Cores })
	if !ok || w.Load == nil || w.Load.AchievedRPS <= 0 {
		return 0, 0, false
	}
	if s := w.Seconds(); s > 0 {
		v = max(0, v-w.Observer.CPU/s)
	}
	return v / w.Load.AchievedRPS, w.Load.Requests, true
}

func bytesPerRequest(_ unpark.Run, w *unpark.Window) (float64, int64, bool) {
	v, ok := sum(w, func(p unpark.Process) unpark.Number { return p.Metrics.AllocBytes })
	if !ok || w.Load == nil || w.Load.Requests == 0 {
		return 0, 0, false
	}
	return max(0, v-w.Observer.Alloc.Or(0)) / float64(w.Load.Requests), w.Load.Requests, true
}

func sum(w *unpark.Window, of func(unpark.Process) unpark.Number) (float64, bool) {
	return w.Total(of).Get()
}

// meanWaiters is all blocking of requests where a block profile was recorded, else
// the waiters of the lock and channel findings: a run whose block profile was
// recorded and that has none of either has none that is reported. How many
// wait grows with the throughput, also where each request waits for less.
func meanWaiters(r unpark.Run, w *unpark.Window) (float64, int64, bool) {
	if r.Blocking != nil && r.Blocking.Waiters.Known() {
		return r.Blocking.Waiters.Value.Or(0), r.Blocking.Waiters.N, true
	}
	return waiting(r, w, func(c unpark.Cost) unpark.Quantity { return c.MeanWaiters })
}

// waitPerRequest is the same for one request, in seconds.
func waitPerRequest(r unpark.Run, w *unpark.Window) (float64, int64, bool) {
	if r.Blocking != nil && r.Blocking.PerRequest.Known() {
		return r.Blocking.PerRequest.Value.Or(0), r.Blocking.PerRequest.N, true
	}
	return waiting(r, w, func(c unpark.Cost) unpark.Quantity { return c.WaitPerRequest })
}

// waiting sums a cost of the lock and channel findings.
func waiting(r unpark.Run, w *unpark.Window, of func(unpark.Cost) unpark.Quantity) (float64, int64, bool) {
	var total float64
	var n int64
	for _, f := range r.Findings {
		if f.Class != unpark.ClassLock && f.Class != unpark.ClassChannel {
			continue
		}
		v, ok := of(f.Cost).Value.Get()
		if !ok {
			return 0, 0, false
		}
		total += v
		n += of(f.Cost).N
	}
	return total, n, n > 0 || total > 0 || recorded(w, unpark.KindBlock)
}

// recorded reports whether any process has a usable profile of the kind.
func recorded(w *unpark.Window, k unpark.Kind) bool {
	if w == nil {
		return false
	}
	for _, p := range w.Profiles {
		if p.Kind == k && p.State == unpark.Present {
			return true
		}
	}
	return false
}
