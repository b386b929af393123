package selfcheck

import (
	"fmt"
	"math"

	"github.com/unpark-go/unpark"
)

// Verdict is what became of a check.
type Verdict string

// The verdicts.
const (
	Pass Verdict = "pass"
	Fail Verdict = "fail"
	// Busy is no verdict: the figure is off by an amount that the other work on
	// this machine can explain.
	Busy Verdict = "busy"
	Told Verdict = "told" // nothing was asked
)

// Check is one figure beside what is asked of it.
type Check struct {
	Name string `json:"name"`
	// Asked holds the truth and the bounds around it; a bound alone where no truth
	// is known; nothing where the figure is only told.
	Asked    unpark.Quantity `json:"asked"`
	Measured unpark.Quantity `json:"measured"`
	Verdict  Verdict         `json:"verdict"`
	Note     string          `json:"note,omitempty"`
}

const (
	truthShare = 0.03 // DESIGN §6: within 3 %
	// countShare: requests of the first and last instant fall to either side.
	countShare = 0.005
	mostLag    = 50e-6 // s, at p50
	mostRatio  = 1.2   // median response ÷ median time inside the server

	// What other work on the machine can explain: a runnable thread waits for up
	// to a time slice (kernel/sched/fair.c: 0.75 ms times at most 4), and the
	// queue behind a freeze takes as much longer as processors are missing.
	slice       = 3e-3 // s
	busyTruth   = 0.10
	busyShare   = 0.1 // of the processors, used by others: the machine was not idle
	nothingSent = "no request was answered"
)

// surroundings are what a figure was measured in.
type surroundings struct {
	cpus   int
	others unpark.Number // cores used by neither generator nor server, steal included
	broken string        // why the load itself failed; empty when it did not
}

// busy reports whether the machine had other work.
func (s surroundings) busy() bool {
	others, ok := s.others.Get()
	return ok && others > busyShare*float64(s.cpus)
}

// about asks for a value within a share of the truth.
func about(truth, share float64, unit string) unpark.Quantity {
	return unpark.Between(truth, truth*(1-share), truth*(1+share), unit, 0)
}

// atMost asks for a value up to a bound.
func atMost(bound float64, unit string) unpark.Quantity {
	return unpark.Quantity{Unit: unit, High: unpark.Num(bound)}
}

// judge compares a figure with what is asked. excuse is by how much it may miss
// its bounds, in its own unit, before other work on the machine is no excuse.
func judge(name string, asked, measured unpark.Quantity, excuse float64, s surroundings) Check {
	c := Check{Name: name, Asked: asked, Measured: measured, Verdict: Pass}
	v, ok := measured.Value.Get()
	switch {
	case s.broken != "":
		c.Verdict, c.Note = Fail, s.broken
		return c
	case !ok || measured.N == 0:
		c.Verdict, c.Note = Fail, nothingSent
		return c
	case !asked.Low.Known() && !asked.High.Known():
		c.Verdict = Told
		return c
	}
	low, high := asked.Low.Or(math.Inf(-1)), asked.High.Or(math.Inf(1))
	if low <= v && v <= high {
		return c
	}
	c.Verdict = Fail
	if truth, ok := asked.Value.Get(); ok {
		c.Note = fmt.Sprintf("off by %+.1f %%", 100*(v/truth-1))
	} else {
		c.Note = fmt.Sprintf("%.2f times what is asked", v/high)
	}
	if s.busy() {
		c.Note += fmt.Sprintf("; other work used %.2f of %s", s.others.Or(0), unpark.Counted(int64(s.cpus), "core"))
		if low-excuse <= v && v <= high+excuse {
			c.Verdict = Busy
		}
	}
	return c
}
