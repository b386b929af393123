package window

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
)

const (
	// maxTrace is DESIGN's bound on one execution trace; traceRoom is what the files
	// of one stretch are planned to have together when the user does not say how long
	// it lasts: some 60,000 requests, read in less than two seconds on one core.
	maxTrace  = 64 << 20
	traceRoom = 24 << 20
	// shortestTrace still has a thousand requests of a service that fills traceRoom
	// in it.
	shortestTrace = 100 * time.Millisecond
	// requestsWanted have twenty requests in their slowest 1 %, the fewest from which
	// one can be told from another.
	requestsWanted = 2000
	// mostTraced bounds how many of many workers are traced.
	mostTraced = 8

	// What a trace grows by. A request was seen to have 67 bytes (a handler that
	// waits for nothing) to 340 (DESIGN §5). One change from runnable to running had
	// 9 bytes (a hundred goroutines handing each other values) to 28 (a sleeping
	// handler behind net/http) with all the events around it.
	bytesPerRequest    = 350
	bytesPerTransition = 30
	// transitionsPerSample: the runtime times one in so many of them
	// (runtime/runtime2.go, gTrackingPeriod).
	transitionsPerSample = 8
)

// tracer takes the execution traces of one window, in a stretch after it.
type tracer struct {
	o       Options
	members members
	window  time.Duration // its length
	notes   []unpark.Notice
}

// activity is how busy the traced processes are, as far as it tells how fast a
// trace grows and how soon it has seen enough.
type activity struct {
	requests unpark.Number // answered per second; unknown when unpark drives no load
	bytes    unpark.Number // per second of trace, rather too many than too few
}

// activity judges by the window that has just ended.
func (t *tracer) activity() activity {
	var a activity
	for _, g := range []*load.Generator{t.o.Beside, t.o.Generator} {
		if g != nil {
			a.requests = rate(g.Ticks())
		}
	}
	var samples float64
	seconds := t.window.Seconds()
	for _, m := range t.members {
		if n, ok := m.transitions().Get(); ok && seconds > 0 {
			samples += n / seconds
			a.bytes = unpark.Num(samples * transitionsPerSample * bytesPerTransition)
		}
	}
	if v, ok := a.requests.Get(); ok {
		// Requests are spread over all workers, and only some of those are traced.
		v *= float64(len(t.traced())) / float64(len(t.members))
		a.requests = unpark.Num(v)
		a.bytes = unpark.Num(max(a.bytes.Or(0), v*bytesPerRequest))
	}
	return a
}

// rate is the mean of the answers per second in the window's ticks.
func rate(ticks []unpark.Tick) unpark.Number {
	var sum, n float64
	for _, t := range ticks {
		if t.Phase == "window" {
			sum, n = sum+t.RPS, n+1
		}
	}
	return unpark.Ratio(sum, n)
}

// transitions is how many changes from runnable to running the runtime timed in the
// window; unknown without a probe.
func (m *member) transitions() unpark.Number {
	const name = "/sched/latencies:seconds"
	first, last := m.pages[0].metrics[name], m.pages[1].metrics[name]
	if len(last.Counts) == 0 || len(first.Counts) != len(last.Counts) {
		return unpark.Number{}
	}
	n := 0.0
	for i := range last.Counts {
		n += last.Counts[i] - first.Counts[i]
	}
	return unpark.Num(math.Max(n, 0))
}

// length returns how long to trace: from first, until there are enough requests, at
// most for most, and shorter than all that when the files would outgrow their room.
func (a activity) length(first, most time.Duration) time.Duration {
	d := first
	if v, ok := a.requests.Get(); ok && v > 0 {
		d = seconds(requestsWanted / v)
	} else if v, ok := a.bytes.Get(); ok && v > 0 {
		d = seconds(requestsWanted * bytesPerRequest / v) // at least: not all of it is requests
	}
	d = min(max(d, first), max(first, most))
	if v := a.bytes.Or(0); v > 0 {
		d = min(d, seconds(traceRoom/v))
	}
	return max(d, shortestTrace).Round(10 * time.Millisecond)
}

// seconds converts, and keeps what is longer than any window from wrapping.
func seconds(s float64) time.Duration {
	return time.Duration(min(s, float64(24*60*60)) * float64(time.Second))
}

// traced lists the members of which traces are taken.
func (t *tracer) traced() []*member {
	all := slices.DeleteFunc(slices.Clone(t.members), func(m *member) bool {
		_, crowded := m.crowded()
		return crowded || m.endpoint.attached()
	})
	most := mostTraced
	if t.o.Traced > 0 {
		most = t.o.Traced
	}
	return all[:min(most, len(all))]
}

// trace takes the execution traces in a stretch of its own, so that their cost is in
// no figure, and returns that stretch.
func (t *tracer) trace(ctx context.Context) *load.Stretch {
	if t.o.Trace <= 0 {
		return nil
	}
	left := 0
	for _, m := range t.members {
		if n, crowded := m.crowded(); crowded {
			left++
			t.notes = append(t.notes, unpark.Notice{
				Code: "trace-crowd", Message: fmt.Sprintf("No execution trace was taken of process %d: it has %.0f goroutines, and a trace names each of them once a second, which takes the process seconds of CPU.", m.endpoint.PID, n),
				Cure: "what the profiles and dumps say holds; a process with fewer is traced",
			})
		}
	}
	if left > 0 && len(t.traced()) == 0 {
		return nil
	}
	length := t.o.Trace
	a := t.activity()
	if t.o.TraceMost > 0 {
		length = a.length(t.o.Trace, t.o.TraceMost)
	}
	stretch := t.o.begin("trace", length)
	query := "?seconds=" + strconv.FormatFloat(length.Seconds(), 'f', -1, 64)
	end := profiled(ctx, t.traced(), length)
	keep := t.record(ctx, t.traced(), "trace.out", length+patience, func(e *Endpoint) string {
		return e.base + unpark.KindTrace.Endpoint() + query
	})
	end()
	t.o.closeStretch()
	keep()
	if t.o.TraceMost > t.o.Trace && t.o.Beside == nil {
		if v := t.written(length).Or(0); v > 0 {
			a.bytes = unpark.Num(v)
		}
		t.fly(ctx, a, length)
	}
	return stretch
}

// written is how fast the largest of the traces that were just taken grew, in bytes
// per second; unknown without one. The estimate of activity can be 16 times as much:
// goroutines of the runtime that yield on a full machine are counted there, and are in
// no trace.
func (t *tracer) written(traced time.Duration) unpark.Number {
	var most int64
	for _, m := range t.traced() {
		if n := len(m.traces); n > 0 {
			most = max(most, m.traces[n-1].bytes)
		}
	}
	return unpark.Ratio(float64(most), traced.Seconds())
}

// record takes one trace of each of the members at once. The function that it
// returns makes the files durable, which takes its time.
func (t *tracer) record(ctx context.Context, members []*member, name string, patience time.Duration, address func(*Endpoint) string) (keep func()) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var wg sync.WaitGroup
	var all []*recording
	for _, m := range members {
		file := t.o.file(m, name)
		r := &recording{name: file, file: lateFile{create: t.o.Create, name: file}}
		m.traces, all = append(m.traces, r), append(all, r)
		wg.Go(func() { m.endpoint.record(ctx, address(m.endpoint), maxTrace, r) })
	}
	wg.Wait()
	return func() {
		for _, r := range all {
			_ = r.file.Close() // the file remembers the error: settleTrace tells it
		}
	}
}

// settleTrace turns a recording into its record.
func (m *member) settleTrace(r *recording) unpark.ProfileFile {
	f := unpark.ProfileFile{Kind: unpark.KindTrace, File: r.name, PID: m.endpoint.PID, Start: r.start, End: r.end, State: unpark.Present, Note: r.note()}
	switch {
	case r.file.err != nil:
		f.State, f.Note = unpark.Bad, r.file.err.Error()
	case r.bytes > 0:
	case absent(r.err):
		f.State, f.File, f.Note = unpark.Absent, "", r.err.Error()
	default:
		f.State, f.File, f.Note = unpark.Bad, "", fmt.Sprintf("read trace profile from %s: %v", m.endpoint.Address, r.err)
	}
	return f
}

const (
	// fewest requests of a stretch from which a median is compared.
	fewest = 100
	// likeness is how far the two unprofiled stretches may be apart: what differs
	// between them would be taken for the cost of the trace.
	likeness = 0.1
)

// traceCost compares the traced stretch with the unprofiled ones on both sides of it.
func traceCost(o *unpark.Observer, traced unpark.Load, beside []unpark.Load) {
	if len(beside) < 2 || traced.Response.N < fewest {
		return
	}
	a, b := beside[0], beside[1]
	if min(a.Response.N, b.Response.N) < fewest {
		return
	}
	o.TraceLatency = against(traced.Response.P50, a.Response.P50, b.Response.P50)
	if traced.Mode == unpark.Closed {
		o.TraceThroughput = against(traced.AchievedRPS, a.AchievedRPS, b.AchievedRPS)
	}
}

// against divides a figure by what it is on either side; unknown where those two are
// not alike.
func against(v, before, after float64) unpark.Number {
	mean := (before + after) / 2
	if math.Abs(before-after) > likeness*mean {
		return unpark.Number{}
	}
	return unpark.Ratio(v, mean)
}
