package guard

import (
	"regexp"
	"time"

	"github.com/unpark-go/unpark"
)

// Condition is one thing that a guard waits for.
type Condition struct {
	Text string // as it was written

	metric  metric
	op      string
	value   float64       // in the metric's unit
	share   bool          // of cpu: value is a part of the processors that the target may use
	hold    time.Duration // how long it must hold
	pattern *regexp.Regexp
}

// metric is what a condition is about.
type metric string

// The metrics. Those of requests are of the probe's middleware.
const (
	p99        metric = "p99"
	p50        metric = "p50"
	slowest    metric = "max"
	inFlight   metric = "inflight"
	cpu        metric = "cpu"
	gc         metric = "gc"
	goroutines metric = "goroutines"
	heap       metric = "heap"
	rss        metric = "rss"
	logLine    metric = "log"
	signalled  metric = "signal"
)

// metrics are all of them, in the order of the manual.
var metrics = []metric{p99, p50, slowest, inFlight, cpu, gc, goroutines, heap, rss, logLine, signalled}

// unit is what a metric's value is in.
func (m metric) unit() string {
	switch m {
	case p99, p50, slowest:
		return "s"
	case cpu:
		return "cores"
	case gc:
		return "ratio"
	case heap, rss:
		return "B"
	case goroutines:
		return "goroutines"
	}
	return "count"
}

// ofRequests reports whether a metric needs the probe's middleware.
func (m metric) ofRequests() bool { return m == p99 || m == p50 || m == slowest || m == inFlight }

// event reports whether a metric happens, and has no value.
func (m metric) event() bool { return m == logLine || m == signalled }

// Metric names what the condition is about.
func (c Condition) Metric() string { return string(c.metric) }

// holds judges one reading; known is false where the metric was not measured.
func (c Condition) holds(r reading) (v unpark.Quantity, holds, known bool) {
	v = r.values[c.metric]
	x, known := v.Value.Get()
	if !known {
		return v, false, false
	}
	limit := c.value
	if c.share {
		all, ok := r.allowed.Get()
		if !ok {
			return v, false, false
		}
		limit *= all
	}
	switch c.op {
	case ">":
		holds = x > limit
	case ">=":
		holds = x >= limit
	case "<":
		holds = x < limit
	default:
		holds = x <= limit
	}
	return v, holds, true
}
