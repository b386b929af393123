package window

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/unpark-go/unpark"
)

// reading is one answer of the probe's metrics page: numbers and histograms by
// runtime/metrics name.
type reading map[string]metric

type metric struct {
	number  unpark.Number
	Counts  []float64
	Buckets []float64 // len(Counts)+1 edges; infinities at the ends
}

// UnmarshalJSON reads a number or a histogram; a null edge is infinite.
func (m *metric) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] != '{' {
		return json.Unmarshal(b, &m.number)
	}
	var h struct {
		Counts  []float64       `json:"counts"`
		Buckets []unpark.Number `json:"buckets"`
	}
	if err := json.Unmarshal(b, &h); err != nil {
		return err
	}
	m.Counts = h.Counts
	for i, edge := range h.Buckets {
		infinite := math.Inf(1)
		if i == 0 {
			infinite = math.Inf(-1)
		}
		m.Buckets = append(m.Buckets, edge.Or(infinite))
	}
	return nil
}

// page is what the probe says of its process at one instant; the zero page is none.
type page struct {
	At      time.Time       `json:"at"` // by the clock of its machine
	Raw     json.RawMessage `json:"metrics"`
	metrics reading
	cost    unpark.Number // CPU seconds that the page itself took

	// What the process has used since it started; unknown with a probe that does not say.
	CPU         unpark.Number `json:"cpu_s"`
	System      unpark.Number `json:"system_s"`
	Faults      unpark.Number `json:"minor_faults"`
	Voluntary   unpark.Number `json:"voluntary_switches"`
	Involuntary unpark.Number `json:"involuntary_switches"`
}

// metrics asks the probe for its page; without a probe it is the zero page.
func (e *Endpoint) metrics(ctx context.Context) (page, error) {
	if e.Info == nil {
		return page{}, nil
	}
	body, cost, err := priced(ctx, e, e.root+"/debug/unpark/metrics", 8<<20)
	p := page{cost: cost}
	if err == nil {
		err = json.Unmarshal(body, &p)
	}
	if err == nil && len(p.Raw) > 0 {
		err = json.Unmarshal(p.Raw, &p.metrics)
	}
	if err != nil {
		return page{}, fmt.Errorf("read runtime metrics from %s: %w", e.Address, err)
	}
	return p, nil
}

func (r reading) at(name string) unpark.Number { return r[name].number }

func (r reading) since(first reading, name string) unpark.Number {
	b, okB := r.at(name).Get()
	a, okA := first.at(name).Get()
	if !okA || !okB || b < a {
		return unpark.Number{}
	}
	return unpark.Num(b - a)
}

// difference reduces two readings to the figures that the stages use.
//
// The /cpu/classes metrics are only brought up to date when a collection ends
// (runtime/metrics: "estimates … updated at the end of each GC cycle"), so they
// lag in a window with few collections; evidence prefers the CPU profile there.
func difference(first, last reading) unpark.Metrics {
	if first == nil || last == nil {
		return unpark.Metrics{}
	}
	m := unpark.Metrics{
		GCCycles:       last.since(first, "/gc/cycles/total:gc-cycles"),
		GCCPU:          last.since(first, "/cpu/classes/gc/total:cpu-seconds"),
		GCAssist:       last.since(first, "/cpu/classes/gc/mark/assist:cpu-seconds"),
		TotalCPU:       last.since(first, "/cpu/classes/total:cpu-seconds"),
		AllocBytes:     last.since(first, "/gc/heap/allocs:bytes"),
		AllocObjects:   last.since(first, "/gc/heap/allocs:objects"),
		HeapLive:       last.at("/gc/heap/live:bytes"),
		HeapGoal:       last.at("/gc/heap/goal:bytes"),
		GOGC:           percent(last.at("/gc/gogc:percent")),
		MemoryLimit:    limit(last.at("/gc/gomemlimit:bytes")),
		MutexWait:      last.since(first, "/sync/mutex/wait/total:seconds"),
		GoroutineStart: first.at("/sched/goroutines:goroutines"),
		GoroutineEnd:   last.at("/sched/goroutines:goroutines"),
	}
	m.SchedP99, m.SchedWait = latencies(first["/sched/latencies:seconds"], last["/sched/latencies:seconds"])
	return m
}

// percent is GOGC as debug.SetGCPercent takes it. The metric is an int32 made unsigned (runtime/metrics.go), so that -1, off, is beyond
// all that it can be set to.
func percent(n unpark.Number) unpark.Number {
	if v, ok := n.Get(); ok && v > math.MaxInt32 {
		return unpark.Num(-1)
	}
	return n
}

// limit is GOMEMLIMIT; math.MaxInt64, the default, is none (runtime/debug.SetMemoryLimit).
func limit(n unpark.Number) unpark.Number {
	if v, ok := n.Get(); ok && v >= math.MaxInt64 {
		return unpark.Number{}
	}
	return n
}

// latencies returns the 99th percentile and the estimated sum of a histogram's
// growth, both in seconds. A bucket's values count as its middle, and as many as the
// runtime leaves out (transitionsPerSample).
func latencies(first, last metric) (p99, sum unpark.Number) {
	if len(last.Counts) == 0 || len(first.Counts) != len(last.Counts) || len(last.Buckets) != len(last.Counts)+1 {
		return unpark.Number{}, unpark.Number{}
	}
	grown := make([]float64, len(last.Counts))
	total, seconds := 0.0, 0.0
	for i := range grown {
		grown[i] = last.Counts[i] - first.Counts[i]
		low, high := math.Max(last.Buckets[i], 0), last.Buckets[i+1]
		if math.IsInf(high, 1) {
			high = low
		}
		total += grown[i]
		seconds += transitionsPerSample * grown[i] * (low + high) / 2
	}
	if total <= 0 {
		return unpark.Number{}, unpark.Num(0)
	}
	seen := 0.0
	for i, n := range grown {
		seen += n
		if seen >= 0.99*total {
			return unpark.Num(math.Max(last.Buckets[i], 0)), unpark.Num(seconds)
		}
	}
	return unpark.Number{}, unpark.Num(seconds)
}
