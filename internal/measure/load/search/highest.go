package search

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/unpark-go/unpark"
)

// ErrVoid is what a measure returns, wrapped or not, when the generator was the
// limit at that rate, so that the figures say nothing about the service.
var ErrVoid = errors.New("the generator was the limit")

// Options says what to search for. Zero values take the defaults.
type Options struct {
	SLO       SLO
	Start     float64 // req/s of the first probe; 50
	Min       float64 // req/s below which nothing is tried; 1, or Start when that is less
	Max       float64 // req/s above which nothing is tried; 1e7
	Probes    int     // budget; 40
	Repeats   int     // on each side of the edge; 5, and at least that
	Tolerance float64 // ratio of the rates on the two sides of the edge − 1; 0.05
	Seed      uint64  // of the order of repeats
	// Report is called with every probe as soon as it is over; it may be nil.
	Report func(Probe)
}

// Ceiling says what ended a search.
type Ceiling string

// The ceilings.
const (
	OfService   Ceiling = "service"   // the promise breaks above the rate
	OfGenerator Ceiling = "generator" // a probe was void
	OfOptions   Ceiling = "options"   // Options.Max holds
	OfBudget    Ceiling = "budget"    // Options.Probes were used up
	NeverHeld   Ceiling = "never"     // the promise breaks at Options.Min as well
	Interrupted Ceiling = "interrupted"
)

// Phase is the part of a search that a probe belongs to.
type Phase string

// The phases.
const (
	Grow   Phase = "grow"
	Bisect Phase = "bisect"
	Repeat Phase = "repeat"
)

// Probe is one rate that was measured.
type Probe struct {
	Rate       float64
	Phase      Phase
	Void       bool // no verdict
	Holds      bool
	Violations []string // what did not hold, in words
	Load       unpark.Load
}

// Result is what a search found.
type Result struct {
	// Rate is the rate at which holding and breaking are equally likely, in req/s,
	// with its 90 % interval; N counts verdicts. Where nothing broke it is the
	// highest rate that held, and High is unknown: "at least". Where nothing held
	// the value is unknown and High is the lowest rate that was tried.
	Rate unpark.Quantity
	// Held is the highest rate up to which no probe broke; unknown when the lowest
	// did.
	Held    unpark.Number
	Ceiling Ceiling
	Why     string // the answer in a sentence
	Knee    *unpark.Knee
	Probes  []Probe // in the order of time
}

// Highest searches the highest rate that holds. measure drives one rate for as
// long as it sees fit and returns the load; it is called for one rate at a time.
//
// An error of measure other than ErrVoid, or the end of ctx, ends the search; the
// result then has what is known so far. Errors of options name the field.
func Highest(ctx context.Context, o Options, measure func(ctx context.Context, rate float64) (unpark.Load, error)) (Result, error) {
	o, err := o.complete()
	if err != nil {
		return Result{}, fmt.Errorf("search for the highest rate: %w", err)
	}
	s := newSearcher(o, measure)
	ceiling, err := s.run(ctx)
	r := s.result(ceiling)
	if err != nil {
		return r, fmt.Errorf("search for the highest rate: %w", err)
	}
	return r, nil
}

func (o Options) complete() (Options, error) {
	if len(o.SLO.Terms) == 0 {
		return o, errors.New("SLO: it has no terms; " + sloExample)
	}
	for _, f := range []struct {
		name  string
		value *float64
		zero  float64
	}{{"Start", &o.Start, defaultStart}, {"Max", &o.Max, defaultMax}, {"Min", &o.Min, defaultMin}, {"Tolerance", &o.Tolerance, defaultTolerance}} {
		if *f.value == 0 {
			*f.value = f.zero
		}
		if !(*f.value > 0) || math.IsInf(*f.value, 0) {
			return o, fmt.Errorf("%s %g: must be a number above 0", f.name, *f.value)
		}
	}
	if o.Start > o.Max {
		return o, fmt.Errorf("start rate %g: must not be above the highest rate that may be tried, %g", o.Start, o.Max)
	}
	o.Min = min(o.Min, o.Start)
	if o.Probes == 0 {
		o.Probes = defaultProbes
	}
	if o.Repeats = max(o.Repeats, leastRepeats); o.Probes < 1 {
		return o, fmt.Errorf("probes %d: must be 1 or more; %d are enough for most services", o.Probes, defaultProbes)
	}
	o.Tolerance = min(max(o.Tolerance, leastTolerance), mostTolerance)
	return o, nil
}
