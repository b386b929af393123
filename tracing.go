package unpark

import (
	"fmt"
	"math"
	"slices"
)

// Tracing is what the execution traces of a window say of requests: where each
// one's time went, and who kept the slowest waiting. It needs no sampling rate.
type Tracing struct {
	Seconds    float64 `json:"seconds"`    // traced, the longest of the processes
	Processes  int     `json:"processes"`  // whose trace was read
	Events     int64   `json:"events"`     // in all traces
	Lost       Number  `json:"lost_share"` // of the traces' bytes, that could not be read
	LostWhy    string  `json:"lost,omitempty"`
	Requests   int64   `json:"requests"`          // that began and ended inside the trace
	Unfinished int64   `json:"unfinished"`        // that were under way when it ended
	Inferred   bool    `json:"inferred"`          // told from the life of goroutines; else marked by the probe's middleware
	Wall       Latency `json:"wall_s"`            // of a request, inside the process
	Before     Latency `json:"before_s,omitzero"` // from the client's intended start to the handler, of marked requests that carried it
	Heavy      Heavy   `json:"heavy,omitzero"`    // that ran many times as long as the median one
	Tail       Cohort  `json:"tail"`              // the slowest
	Middle     Cohort  `json:"middle"`            // those about the median
	// Explained is the share of the tail's time whose state is known, and the stack
	// of every wait with it.
	Explained Number `json:"explained_share"`
	// States says where the time of requests went; the means of all states add up
	// to the mean wall time of each cohort.
	States []StateTime `json:"states"`
	// Excess is what the tail has more of than the middle, by state and stack,
	// largest first.
	Excess []Excess `json:"excess"`
	// Edges says who waits on whom, the largest delay first.
	Edges []Edge `json:"edges"`
}

// longerTrace is how many seconds of trace are asked for at least where there were too few.
const longerTrace = 10

// Longer is the flag of a trace that tells more: twice as long as this one at least.
func (t Tracing) Longer() string {
	return fmt.Sprintf("--trace %.0fs", math.Ceil(max(longerTrace, 2*math.Round(t.Seconds))))
}

// WaitClass values that only a trace tells.
const (
	Running WaitClass = "running" // no wait: on a processor
	WaitGC  WaitClass = "gc"      // ready to run while processors collected garbage
	WaitSTW WaitClass = "stop-the-world"
)

// Cohort is the requests between two quantiles of wall time.
type Cohort struct {
	From float64 `json:"from"` // quantile, 0.99 for the slowest 1 %
	To   float64 `json:"to"`
	N    int64   `json:"n"`      // requests looked at
	Mean float64 `json:"mean_s"` // wall time
}

// HeavyTimes is how many times as long as the median request one runs that is heavy.
const HeavyTimes = 10

// Heavy is the requests that ran on a processor for HeavyTimes as long as the median
// one, or longer: where most answers are ready, they are those that make one.
type Heavy struct {
	N int64 `json:"n"`
	// Running is how long one of them runs that is met at a random moment at which one
	// runs. A thread that the kernel takes its processor from still runs in a trace.
	Running float64 `json:"running_s"`
	Share   Number  `json:"share"` // of the running time of all requests
}

// StateTime is the mean time per request in one state.
type StateTime struct {
	Class  WaitClass `json:"class"`
	All    float64   `json:"all_s"`    // of any request
	Tail   float64   `json:"tail_s"`   // of one of the slowest
	Middle float64   `json:"middle_s"` // of one about the median
}

// Excess is one state at one place, per request of each cohort.
type Excess struct {
	Class  WaitClass `json:"class"`
	Site   Site      `json:"site"`            // zero for a state without a place
	Stack  []Site    `json:"stack,omitempty"` // leaf first, at most 32
	Tail   float64   `json:"tail_s"`
	Middle float64   `json:"middle_s"`
	More   Quantity  `json:"more"`  // s/req: Tail − Middle with its bootstrap interval
	Share  Number    `json:"share"` // of what the tail's mean is above the middle's
}

// Edge is one place that waits and one that makes it wait: the stack that
// blocked, and the stack that woke it.
type Edge struct {
	Class       WaitClass `json:"class"`
	Waiter      Site      `json:"waiter"`
	Holder      Site      `json:"holder"`
	WaiterStack []Site    `json:"waiter_stack,omitempty"` // leaf first, at most 32
	HolderStack []Site    `json:"holder_stack,omitempty"`
	Delay       float64   `json:"delay_s"`   // inside requests
	Chained     float64   `json:"chained_s"` // in which requests were blocked behind such a wait of another goroutine
	Outside     float64   `json:"outside_s"` // that delayed no request that is known
	// Served is the part of Delay in which the holder worked for the one that waited,
	// who had set it to work: no queue, whatever it did meanwhile.
	Served float64 `json:"served_s,omitzero"`
	Count  int64   `json:"count"`          // waits inside requests
	Again  int64   `json:"again,omitzero"` // of these, ended right after another one, by one that did not stop in between
	Tail   float64 `json:"tail_s"`         // per request of the tail
	Share  Number  `json:"share"`          // of the tail's time
	// Held is what the holder did in that time, largest first.
	Held []Held `json:"held,omitempty"`
	// Hold is how long the holder held a lock; nil where no hold was measured.
	Hold *Hold `json:"hold,omitempty"`
}

// Spent is the part of the time in which those that ended the waits were in some states.
func (e Edge) Spent(states ...WaitClass) float64 {
	var sum float64
	for _, h := range e.Held {
		if slices.Contains(states, h.Class) {
			sum += h.Share
		}
	}
	return sum
}

// Unready is the part in which they were ready to run and had no processor.
func (e Edge) Unready() float64 {
	var sum float64
	for _, h := range e.Held {
		if h.Class == WaitScheduler || h.Class.Collects() {
			sum += h.Share
		}
	}
	return sum
}

// Hold is the time from when a lock was handed to a holder, by whoever held it
// before, to when the holder let it go. It is of holds during all of which
// another goroutine waited: of these, both ends are known, and which they are does not
// depend on how long they took.
type Hold struct {
	N    int64   `json:"n"`      // holds
	Mean float64 `json:"mean_s"` // of one
	SCV  Number  `json:"scv"`    // squared coefficient of variation: 0 constant, 1 exponential; unknown of one hold
}

// Held is a part of the time in which one goroutine held up another.
type Held struct {
	Class WaitClass `json:"class"`
	Site  Site      `json:"site"` // zero for a state without a place, as on a processor
	// Call is what Site's function called there: os.(*File).Sync, time.Sleep.
	Call  Site    `json:"call,omitzero"`
	Share float64 `json:"share"`
}
