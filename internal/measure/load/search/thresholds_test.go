package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestOptionBounds: what is not asked for, and what is asked for beyond bounds.
func TestOptionBounds(t *testing.T) {
	slo, err := ParseSLO("p99<50ms")
	if err != nil {
		t.Fatal(err)
	}
	o, err := Options{SLO: slo}.complete()
	if err != nil || o.Start != 50 || o.Min != 1 || o.Max != 1e7 || o.Probes != 40 || o.Repeats != 5 || o.Tolerance != 0.05 {
		t.Errorf("%+v, %v", o, err)
	}
	for asked, want := range map[float64]float64{1e-9: 0.005, 0.006: 0.006, 0.9: 0.9, 7: 1} {
		if o, err := (Options{SLO: slo, Tolerance: asked}).complete(); err != nil || o.Tolerance != want {
			t.Errorf("tolerance %v: %v, %v, want %v", asked, o.Tolerance, err, want)
		}
	}
}

// verdicts is a searcher whose probes have the verdicts in turn: held, broke or void.
func verdicts(all string) *searcher {
	slo := SLO{Terms: []Term{{Metric: "p99", Op: "<", Bound: 1, Unit: "s"}}}
	return newSearcher(Options{SLO: slo, Start: 50, Min: 1, Max: 1e7, Probes: 100, Repeats: 5, Tolerance: 0.05}, func(context.Context, float64) (unpark.Load, error) {
		v := all[0]
		all = all[1:]
		l := unpark.Load{Response: unpark.Latency{P99: 0.5, N: 1}}
		switch v {
		case 'b':
			l.Response.P99 = 2
		case 'v':
			return l, ErrVoid
		}
		return l, nil
	})
}

// TestVerdictsThatDecide: how many verdicts it takes at one rate, at both sides of an
// edge, and of void probes.
func TestVerdictsThatDecide(t *testing.T) {
	for _, c := range []struct {
		all    string // each has more than it may take
		holds  bool
		probes int
		err    error
	}{
		{"hb", true, 1, nil},
		{"bhhb", true, 3, nil},
		{"bhbh", false, 3, nil},
		{"bbhh", false, 2, nil},
		{"vvhv", true, 3, nil},
		{"vvvh", false, 3, ErrVoid},
	} {
		s := verdicts(c.all)
		holds, err := s.decide(t.Context(), 50, Grow)
		if holds != c.holds || len(s.probes) != c.probes || !errors.Is(err, c.err) {
			t.Errorf("%s: %v after %d probes, %v", c.all, holds, len(s.probes), err)
		}
	}
	s := verdicts("bbbbbbbbbb") // the side that held breaks twice, the other as often
	s.lo, s.hi = 100, 105
	if low, high, err := s.repeat(t.Context()); err != nil || low.broke != 2 || high.broke != 2 {
		t.Errorf("repeats end after %+v, %+v, %v", low, high, err)
	}
}

// TestSteps: the rates that are tried on the way up and down, with the digits that are
// kept.
func TestSteps(t *testing.T) {
	for all, want := range map[string][]float64{"hhhv": {50, 100, 200, 400}, "bbbbv": {50, 50, 12.5, 12.5, 3.125}} {
		s := verdicts(all + "vv")
		_, err := s.bracket(t.Context())
		var rates []float64
		for _, p := range s.probes[:len(want)] {
			rates = append(rates, p.Rate)
		}
		if !slices.Equal(rates, want) || !errors.Is(err, ErrVoid) {
			t.Errorf("%s: %v, %v, want %v", all, rates, err, want)
		}
	}
	if got := round(1234567); got != 1235000 {
		t.Errorf("%v", got)
	}
}

// TestEdgeOf: the edge of some verdicts, as it was computed once. What is plausible
// before any probe moves it.
func TestEdgeOf(t *testing.T) {
	low, value, high := edgeOf(map[float64]tally{100: {held: 5}, 105: {held: 4, broke: 2}, 110: {held: 1, broke: 5}, 200: {broke: 1}})
	if got := fmt.Sprintf("%.2f %.2f %.2f", low, value, high); got != "102.92 107.46 164.27" {
		t.Errorf("%s, want 102.92 107.46 164.27", got)
	}
}
