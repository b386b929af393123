package unpark

// Budget is what a run must keep to: the file that `unpark check` reads
// (docs/check.md; its schema is docs/budget.schema.json).
type Budget struct {
	File   string
	Bounds []Bound
}

// Bound is one line of a budget.
type Bound struct {
	// Metric is the line's key: "throughput", "p50", "p90", "p95", "p99", "p999",
	// "cpu_per_request", "bytes_per_request", "mean_waiters", "errors", "waiters",
	// "no_findings", "no_new_findings".
	Metric  string
	At      string  // waiters: the pattern of functions
	Classes []Class // no_findings, no_new_findings: those forbidden; empty: all
	Op      string  // "<", "<=", ">", ">="; empty for findings
	// Value is in Unit. Of a bound against a baseline it is the change, as a share
	// of the baseline's figure (−0.05); of errors, the difference of the shares.
	Value    float64
	Unit     string // "s", "req/s", "s/req", "B/req", "waiters", "ratio"
	Baseline bool   // against a baseline run
	Text     string // as it was written: "< 50ms"
	Line     int    // in the file, from 1; 0 for a bound that stands in no file
}

// BoundState is what became of a bound.
type BoundState string

// The states of a bound.
const (
	BoundKept   BoundState = "kept"
	BoundBroken BoundState = "broken"
	// BoundUnsure: it may be broken, and identical runs differ by as much.
	BoundUnsure BoundState = "cannot tell"
	// BoundUnmeasured: the run does not have the figure, so it is not known whether it
	// was kept. A gate does not hold with it.
	BoundUnmeasured BoundState = "not measured"
)

// Judged is a bound and what became of it.
type Judged struct {
	Bound
	State    BoundState
	Measured Quantity
	Against  Quantity // the baseline's figure; unknown without one
	// Change is Measured ÷ Against − 1, or the difference for errors. Noise is the
	// change for the worse that identical runs may show; a change beyond the bound is
	// called when it exceeds it by Noise.
	Change   Number
	Noise    Number
	Why      string    // a sentence; empty when the figures say all
	Findings []Finding // those that break it
}

// Check is a run held against a budget.
type Check struct {
	Run       string   // where it was read from
	Baselines []string // that it was held against
	Budget    string   // its file; empty for the default one
	Unpark    Version
	Void      []Notice // not empty: nothing was judged, and nothing passed
	Bounds    []Judged
	Findings  []Finding // of the run
	New       []Finding // of them, those that no baseline has
	// False is the share of identical runs that this budget's bounds against a
	// baseline would call broken: Value over all the services that were recorded, Low
	// and High of the best and the worst of them, N draws. Unknown when there are no such bounds.
	False    Quantity
	Warnings []Notice
}

// IsVoid reports that the run cannot be judged.
func (c Check) IsVoid() bool { return len(c.Void) > 0 }

// Count returns how many bounds are in a state.
func (c Check) Count(s BoundState) int {
	n := 0
	for _, b := range c.Bounds {
		if b.State == s {
			n++
		}
	}
	return n
}

// Holds reports that the run is not void, that no bound is broken, and that all
// were measured.
func (c Check) Holds() bool {
	return !c.IsVoid() && c.Count(BoundBroken) == 0 && c.Count(BoundUnmeasured) == 0
}
