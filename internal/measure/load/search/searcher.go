package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/unpark-go/unpark"
)

// errBudget ends a search; it never leaves the package.
var errBudget = errors.New("the budget of probes is used up")

// searcher is one search under way.
type searcher struct {
	Options
	measure func(ctx context.Context, rate float64) (unpark.Load, error)
	random  *rand.Rand
	probes  []Probe
	tally   map[float64]tally // by rate
	lo, hi  float64           // the bracket: holds, breaks; 0 while unknown
}

// tally counts the verdicts at one rate.
type tally struct{ held, broke int }

func (t *tally) add(holds bool) {
	if holds {
		t.held++
	} else {
		t.broke++
	}
}

func (t tally) n() int      { return t.held + t.broke }
func (t tally) holds() bool { return t.held > t.broke }

func newSearcher(o Options, measure func(context.Context, float64) (unpark.Load, error)) *searcher {
	return &searcher{Options: o, measure: measure, random: rand.New(rand.NewPCG(o.Seed, 0x736c6f)), tally: map[float64]tally{}}
}

// run goes through the phases and says what ended the search.
func (s *searcher) run(ctx context.Context) (Ceiling, error) {
	ceiling, err := s.bracket(ctx)
	if err == nil && ceiling == OfService {
		ceiling, err = s.edge(ctx)
	}
	switch {
	case err == nil:
		return ceiling, nil
	case errors.Is(err, errBudget):
		return OfBudget, nil
	case errors.Is(err, ErrVoid):
		return OfGenerator, nil
	}
	return Interrupted, err
}

// probe measures one rate, and again when that was void.
func (s *searcher) probe(ctx context.Context, rate float64, phase Phase) (holds bool, err error) {
	for range voids {
		if holds, err = s.once(ctx, rate, phase); !errors.Is(err, ErrVoid) {
			break
		}
	}
	return holds, err
}

// once probes a rate one time.
func (s *searcher) once(ctx context.Context, rate float64, phase Phase) (holds bool, err error) {
	if err := context.Cause(ctx); err != nil {
		return false, err
	}
	if len(s.probes) >= s.Probes {
		return false, errBudget
	}
	load, err := s.measure(ctx, rate)
	p := Probe{Rate: rate, Phase: phase, Load: load}
	switch {
	case errors.Is(err, ErrVoid):
		p.Void = true
	case err != nil:
		return false, fmt.Errorf("measure at %g req/s: %w", rate, err)
	default:
		p.Holds, p.Violations = s.SLO.Holds(load)
		t := s.tally[rate]
		t.add(p.Holds)
		s.tally[rate] = t
	}
	s.probes = append(s.probes, p)
	if s.Report != nil {
		s.Report(p)
	}
	return p.Holds, err
}

// decide probes a rate until its verdict stands: once when it holds, by majority
// of up to three when it breaks.
func (s *searcher) decide(ctx context.Context, rate float64, phase Phase) (bool, error) {
	for t := (tally{}); ; {
		holds, err := s.probe(ctx, rate, phase)
		if err != nil {
			return false, err
		}
		t.add(holds)
		switch {
		case t.broke == 0 || t.held == majority:
			return true, nil
		case t.broke == majority:
			return false, nil
		}
	}
}

// bracket finds a rate that holds and one that breaks.
func (s *searcher) bracket(ctx context.Context) (Ceiling, error) {
	rate := round(s.Start)
	holds, err := s.decide(ctx, rate, Grow)
	if err != nil {
		return "", err
	}
	if holds {
		s.lo = rate
		return s.climb(ctx, growth)
	}
	s.hi = rate
	return s.descend(ctx, retreat)
}

// climb raises the rate from lo, which holds, until one breaks. The steps grow,
// for a bracket that hiccups put far from the truth.
func (s *searcher) climb(ctx context.Context, step float64) (Ceiling, error) {
	for ; s.lo < s.Max; step = min(step*step, growth) {
		rate := min(round(s.lo*step), s.Max)
		holds, err := s.decide(ctx, rate, Grow)
		if err != nil {
			return "", err
		}
		if !holds {
			s.hi = rate
			return OfService, nil
		}
		s.lo = rate
	}
	return OfOptions, nil
}

// descend lowers the rate from hi, which breaks, until one holds.
func (s *searcher) descend(ctx context.Context, step float64) (Ceiling, error) {
	for ; s.hi > s.Min; step = min(step*step, retreat) {
		rate := max(round(s.hi/step), s.Min)
		holds, err := s.decide(ctx, rate, Grow)
		if err != nil {
			return "", err
		}
		if holds {
			s.lo = rate
			return OfService, nil
		}
		s.hi = rate
	}
	return NeverHeld, nil
}

// bisect narrows the bracket to the tolerance.
func (s *searcher) bisect(ctx context.Context) error {
	for s.hi > s.lo*(1+s.Tolerance)*rounding {
		mid := round(math.Sqrt(s.lo * s.hi))
		if mid <= s.lo || mid >= s.hi {
			return nil // rounding left nothing between them
		}
		holds, err := s.decide(ctx, mid, Bisect)
		if err != nil {
			return err
		}
		if holds {
			s.lo = mid
		} else {
			s.hi = mid
		}
	}
	return nil
}

// edge repeats both sides of the bracket and looks for another one as long as
// the repeats contradict it.
func (s *searcher) edge(ctx context.Context) (Ceiling, error) {
	for {
		if err := s.bisect(ctx); err != nil {
			return "", err
		}
		low, high, err := s.repeat(ctx)
		if err != nil {
			return "", err
		}
		var ceiling Ceiling
		switch {
		case !low.holds():
			s.lo, s.hi = 0, s.lo
			ceiling, err = s.descend(ctx, 1+s.Tolerance)
		case high.holds():
			s.lo, s.hi = s.hi, 0
			ceiling, err = s.climb(ctx, 1+s.Tolerance)
		default:
			return OfService, nil
		}
		if err != nil || ceiling != OfService {
			return ceiling, err
		}
	}
}

// repeat probes both sides in turns, the first of each turn by chance, and
// returns the new verdicts. Those that led here do not count: a rate became the
// upper side because it broke, be it by a hiccup. It ends early when one side
// contradicts the bracket by clearly more verdicts than not.
func (s *searcher) repeat(ctx context.Context) (low, high tally, err error) {
	for range s.Repeats {
		sides := []struct {
			rate float64
			t    *tally
		}{{s.lo, &low}, {s.hi, &high}}
		if s.random.IntN(2) == 1 {
			slices.Reverse(sides)
		}
		for _, side := range sides {
			holds, err := s.probe(ctx, side.rate, Repeat)
			if err != nil {
				return low, high, err
			}
			side.t.add(holds)
		}
		if low.broke >= low.held+contradiction || high.held >= high.broke+contradiction {
			break
		}
	}
	return low, high, nil
}

// round keeps four digits: rates that a reader can repeat, and equal ones that
// are equal.
func round(rate float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(rate, 'g', rateDigits, 64), 64)
	if err != nil {
		return rate
	}
	return v
}
