package unpark

// SchemaAB names the version of the comparison document. Keys are stable within it.
const SchemaAB = "unpark.ab/v1"

// Comparison is two arms side by side: one round of each, or many in turns.
type Comparison struct {
	Schema string `json:"schema"` // "unpark.ab/v1"
	Rounds int    `json:"rounds"`
	// Refused says why the arms cannot be compared; not empty: there are no effects.
	Refused []Notice `json:"refused"`
	// NotComparable says why times cannot be compared: something else used the machine,
	// or it was another one. Not empty: metrics that depend on time have their figures,
	// no ratio and the verdict "unknown", and no forecast is judged.
	NotComparable []Notice `json:"not_comparable,omitempty"`
	// Floor is, by metric, the change (a ratio, 0.02 is ±2 %) that identical arms
	// show on this host over as many rounds: 19 times in 20 it stays below Value. Low
	// and High say how well that is known. N counts the differences it rests on. Of one
	// round each it is what recorded runs of identical code differ by, on another host.
	Floor map[string]Quantity `json:"floor"`
	// Resolution is, by metric, the change (a ratio) from which on so many rounds that
	// scatter like these call it, 19 times in 20. Left out of one round each, and of too
	// few rounds to call any.
	Resolution map[string]Quantity `json:"resolution,omitempty"`
	Effects    []Effect            `json:"effects"`
	Findings   []Changed           `json:"findings"`
	Forecast   []Forecast          `json:"forecasts"`
	// Why says in a sentence why the throughput did or did not move, or, where the
	// rate is given, the tail.
	Why      string   `json:"why"`
	Limits   *Limits  `json:"limits"` // nil without profiled runs
	Warnings []Notice `json:"warnings"`
	// Functions are those that cost another amount per request, of the rounds in which both arms
	// were profiled, and FunctionsTested what was looked at; nil of one round each.
	Functions       []FunctionChange `json:"functions,omitempty"`
	FunctionsTested *FunctionsTested `json:"functions_tested,omitempty"`
	// Speed is what the machine's speed did meanwhile; nil where it was not asked.
	Speed *MachineSpeed `json:"speed,omitempty"`
}

// MachineSpeed is how the speed of the machine varied from one measurement to the
// next, told by the processor time of a fixed piece of work beside each of them.
type MachineSpeed struct {
	// Varied is the standard deviation of that time between measurements (a ratio,
	// 0.06 is 6 %); unknown when it was not measured.
	Varied Quantity `json:"varied"`
	// Corrected names the metrics whose ratios are what they would be on a machine of
	// one speed.
	Corrected []string `json:"corrected"`
	Why       string   `json:"why,omitempty"` // none is: why
}

// Limits is what bound each arm.
type Limits struct {
	Before Limit `json:"before"`
	After  Limit `json:"after"`
}

// Effect is the change of one metric, after ÷ before.
type Effect struct {
	Metric string   `json:"metric"` // "throughput", "p50", "p99", "cpu_per_request", "bytes_per_request", "wait_per_request", "mean_waiters"
	Before Quantity `json:"before"`
	After  Quantity `json:"after"`
	Ratio  Quantity `json:"ratio"`
	// Raw is the ratio before it was corrected for the machine's speed, and Slope what
	// was made of it: each 1 % more time for the yardstick took Slope % from an arm's
	// figure. Both are unknown where nothing was corrected.
	Raw   Quantity `json:"raw,omitzero"`
	Slope Number   `json:"speed_slope,omitzero"`
	// P is the probability of a change at least as large, in any of the metrics,
	// between arms that do not differ; unknown for one round.
	P Number `json:"p"`
	// Verdict is "better", "worse", "same", or "unknown" where the arms cannot be
	// compared in this metric: mean_waiters at another throughput, times of a run that
	// something else disturbed.
	Verdict string `json:"verdict"`
}

// Primary reports whether the metric decides what a comparison comes to.
func (e Effect) Primary() bool {
	return e.Metric == "throughput" || e.Metric == "p99" || e.Metric == "cpu_per_request"
}

// FunctionChange is what a function costs per request in both arms.
type FunctionChange struct {
	Function string `json:"function"`
	Metric   string `json:"metric"` // "cpu_per_request", "bytes_per_request", "wait_per_request"
	// Inclusive says that the figures are of all stacks that the function is on. Else they are its
	// own: of stacks whose innermost function of the application it is, with what it calls of Go
	// and of other modules.
	Inclusive bool     `json:"inclusive"`
	Before    Quantity `json:"before"`
	After     Quantity `json:"after"`
	Change    Quantity `json:"change"`           // after − before, in the metric's unit
	Share     Quantity `json:"share_of_service"` // Change as a share of what the service costs per request
	// P is the probability of a change at least as large, in any function and metric that was
	// looked at, between arms that do not differ.
	P Number `json:"p"`
	// Verdict is "better", "worse", or "moved": the cost is at Moved in the other arm, and the
	// function that holds both costs what it did.
	Verdict string `json:"verdict"`
	Moved   string `json:"moved,omitempty"`
	Only    string `json:"only,omitempty"` // "before" or "after": the other arm does not have it
}

// FunctionsTested says what was looked at for functions that changed.
type FunctionsTested struct {
	Functions int    `json:"functions"` // that cost at least Floor
	Rounds    int    `json:"rounds"`    // with a profile of both arms
	Floor     Number `json:"floor"`     // share of the service's cost, in either arm
	// Resolution is the change in one function's CPU, as a share of the service's, that such rounds
	// call four times in five, of the function that scatters most.
	Resolution Quantity `json:"resolution"`
	Why        string   `json:"why,omitempty"` // nothing could be said: why
}

// FunctionsWorse reports whether the changes of functions make up for more CPU per request: what
// some cost more is not bought with what others cost less.
func (c Comparison) FunctionsWorse() bool {
	sum := 0.0
	for _, f := range c.Functions {
		if f.Metric == "cpu_per_request" && f.Verdict != "moved" {
			sum += f.Share.Value.Or(0)
		}
	}
	return sum > 0
}

// Changed is what became of one finding, with its cost after; a finding that is
// gone has the cost that it had.
type Changed struct {
	Finding
	Change string `json:"change"`       // "gone", "shrunk", "same", "grown", "new"; "unknown" where times cannot be compared
	Was    Cost   `json:"was,omitzero"` // the cost before; left out for a new finding
}

// Costs returns what the finding cost before and after, without the goroutines that wait on average where their number went the other
// way than waiting per request, as it can with another throughput: a change is judged per request.
func (c Changed) Costs() (was, now Cost) {
	was, now = c.Was, c.Cost
	x, ok1 := was.MeanWaiters.Value.Get()
	y, ok2 := now.MeanWaiters.Value.Get()
	a, ok3 := was.WaitPerRequest.Value.Get()
	b, ok4 := now.WaitPerRequest.Value.Get()
	if ok1 && ok2 && ok3 && ok4 && (y > x) != (b > a) {
		was.MeanWaiters, now.MeanWaiters = Quantity{}, Quantity{}
	}
	return was, now
}

// Forecast is a prediction beside its outcome. Class, Rule and Function name the
// finding whose removal was predicted.
type Forecast struct {
	Metric    string   `json:"metric"`
	Class     Class    `json:"class,omitempty"`
	Rule      string   `json:"rule,omitempty"`
	Function  string   `json:"function,omitempty"`
	Predicted Quantity `json:"predicted"`
	Measured  Quantity `json:"measured"`
	Inside    bool     `json:"inside"`
}
