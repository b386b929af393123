package check

import "github.com/unpark-go/unpark"

// The keys of a budget that are no plain metric.
const (
	keyErrors   = "errors"
	keyWaiters  = "waiters"
	keyFindings = "no_findings"
	keyNew      = "no_new_findings"
)

// metric is one figure that a budget can bound.
type metric struct {
	key  string
	unit string
	what string // for an error: "a time"
	like string // an example of a limit
	more bool   // more is better
	// band is the change, as a share, that is added to the noise of the baselines. 0 for
	// what is bounded in absolute terms alone: nothing was recorded of how identical runs
	// differ in it.
	band float64
	// least is the value below which there is nothing to tell apart.
	least float64
	// timed figures depend on the machine.
	timed bool
}

// metrics returns the plain metrics, in the order of reports.
func metrics() []metric {
	return []metric{
		{key: "throughput", unit: "req/s", what: "a rate", like: `">= 400 req/s" or ">= -5%"`, more: true, band: bandThroughput, timed: true},
		{key: "p50", unit: "s", what: "a time", like: "< 10ms or <= +10%", band: bandP50, timed: true},
		{key: "p90", unit: "s", what: "a time", like: "< 20ms", timed: true},
		{key: "p95", unit: "s", what: "a time", like: "< 30ms", timed: true},
		{key: "p99", unit: "s", what: "a time", like: "< 50ms or <= +10%", band: bandP99, timed: true},
		{key: "p999", unit: "s", what: "a time", like: "< 100ms", timed: true},
		{key: "cpu_per_request", unit: "s/req", what: "a time", like: "< 2ms or <= +5%", band: bandCPU, timed: true},
		{key: "bytes_per_request", unit: "B/req", what: "a size", like: "< 64kB or <= +5%", band: bandBytes},
		{key: "mean_waiters", unit: "waiters", what: "a number of goroutines", like: "< 2 or <= +10%", band: bandWaiters, least: leastWaiters, timed: true},
	}
}

// errorsMetric and waitersMetric are the metrics that take a rule of their own.
func errorsMetric() metric {
	return metric{key: keyErrors, unit: "ratio", what: "a share", like: "< 0.1% or <= +0.1%"}
}

func waitersMetric() metric {
	return metric{key: keyWaiters, unit: "waiters", what: "a number of goroutines", like: "< 2 or <= +10%", band: bandWaiters, least: leastWaiters, timed: true}
}

// find returns the metric of a key.
func find(key string) (metric, bool) {
	for _, m := range append(metrics(), errorsMetric(), waitersMetric()) {
		if m.key == key {
			return m, true
		}
	}
	return metric{}, false
}

// keys lists every key of a budget.
func keys() []string {
	var out []string
	for _, m := range metrics() {
		out = append(out, m.key)
	}
	return append(out, keyErrors, keyWaiters, keyFindings, keyNew)
}

// Default is the budget where none is given: nothing that matters may be worse
// than the baseline, and there is no new finding.
func Default() unpark.Budget {
	var out unpark.Budget
	for _, key := range []string{"throughput", "p99", "cpu_per_request", "bytes_per_request"} {
		m, _ := find(key)
		b := unpark.Bound{Metric: key, Unit: m.unit, Baseline: true, Op: "<=", Text: "<= +0%"}
		if m.more {
			b.Op, b.Text = ">=", ">= -0%"
		}
		out.Bounds = append(out.Bounds, b)
	}
	return unpark.Budget{Bounds: append(out.Bounds,
		unpark.Bound{Metric: keyErrors, Unit: "ratio", Baseline: true, Op: "<=", Value: 0, Text: "<= +0%"},
		unpark.Bound{Metric: keyNew, Baseline: true, Text: "any"})}
}
