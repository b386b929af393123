package search_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/search"
	"github.com/unpark-go/unpark/internal/rota"
	"github.com/unpark-go/unpark/internal/stats"
)

// TestIntervalCovers searches services whose truth is known, each with capacities
// spread over two decades so that no grid of rates is favoured.
func TestIntervalCovers(t *testing.T) {
	for i, c := range []struct {
		name  string
		make  func(capacity float64) (service, float64)
		width float64 // the median of high ÷ low must be at most
	}{
		{"queue, 5 % noise", func(c float64) (service, float64) { return mm1(c, 0.05), mm1Truth(c, 0.05) }, 1.12},
		{"queue, 15 % noise", func(c float64) (service, float64) { return mm1(c, 0.15), mm1Truth(c, 0.05) }, 1.15},
		{"queue, 60 % noise", func(c float64) (service, float64) { return mm1(c, 0.6), mm1Truth(c, 0.05) }, 1.4},
		{"cliff", func(c float64) (service, float64) { return cliff(c), c }, 1.08},
		{"cliff, flaky", func(c float64) (service, float64) { return flaky(cliff(c), 0.1), c }, 1.15},
		{"queue, flaky", func(c float64) (service, float64) { return flaky(mm1(c, 0.1), 0.1), mm1Truth(c, 0.05) }, 1.2},
	} {
		t.Run(c.name, func(t *testing.T) {
			searches := 40
			if rota.Long(i%2, 2) {
				searches = 200
			}
			inside, probes := 0, 0
			var widths []float64
			for i := range searches {
				random := rand.New(rand.NewPCG(uint64(i), 7))
				s, truth := c.make(200 * math.Pow(100, random.Float64()))
				r := find(t, search.Options{Seed: uint64(i)}, s)
				if r.Rate.Contains(truth) {
					inside++
				}
				if len(r.Probes) > 40 {
					t.Fatalf("%d probes with a budget of 40", len(r.Probes))
				}
				probes += len(r.Probes)
				low, high := r.Rate.Low.Or(math.NaN()), r.Rate.High.Or(math.Inf(1))
				value := r.Rate.Value.Or(math.NaN())
				if !(low <= value && value <= high) {
					t.Fatalf("search %d: %v outside of %v–%v: %s", i, value, low, high, r.Why)
				}
				widths = append(widths, high/low)
			}
			width := stats.Quantile(widths, 0.5)
			t.Logf("covered %d of %d; interval ×%.3f in the median, ×%.3f at p95; %.1f probes", inside, searches, width, stats.Quantile(widths, 0.95), float64(probes)/float64(searches))
			if share := float64(inside) / float64(searches); share < 0.9 {
				t.Errorf("the truth is inside of %.1f %% of the intervals", 100*share)
			}
			if width > c.width {
				t.Errorf("the median interval spans ×%.3f, want at most ×%.3f", width, c.width)
			}
		})
	}
}

// TestEndings: searches that the service's own ceiling does not end.
func TestEndings(t *testing.T) {
	never := func(_ *rand.Rand, rate float64) (unpark.Load, error) { return loadOf(rate, 1e9, 3), nil }
	always := func(_ *rand.Rand, rate float64) (unpark.Load, error) { return loadOf(rate, 1e9, 0.001), nil }
	for _, c := range []struct {
		name             string
		service          service
		options          search.Options
		ceiling          search.Ceiling
		value, low, high float64 // 0: unknown
		why              string
	}{
		{"never holds", never, search.Options{}, search.NeverHeld, 0, 0, 1, "no rate was found that holds: at 1 req/s, the lowest that was tried, p99 was 3 s, wanted < 50 ms"},
		{"always holds", always, search.Options{Max: 1000}, search.OfOptions, 1000, 1000, 0, "at least 1k req/s hold: 1k req/s is the highest rate that may be tried"},
		{"generator", limited(always, 500), search.Options{}, search.OfGenerator, 400, 400, 0, "at least 400 req/s hold: the generator was the limit at 800 req/s, so the ceiling is the generator's, not the service's"},
		{"generator at once", limited(always, 10), search.Options{}, search.OfGenerator, 0, 0, 0, "no rate was found that holds: the generator was the limit at 50 req/s"},
		{"generator while bisecting", func(r *rand.Rand, rate float64) (unpark.Load, error) {
			if rate > 450 && rate < 700 {
				return unpark.Load{}, search.ErrVoid
			}
			return cliff(500)(r, rate)
		}, search.Options{}, search.OfGenerator, 400, 400, 0, "at least 400 req/s hold: the generator was the limit at 566 req/s"},
		{"budget while growing", always, search.Options{Probes: 3}, search.OfBudget, 200, 200, 0, "at least 200 req/s hold: the budget of 3 probes was used up"},
		{"budget while repeating", cliff(500), search.Options{Probes: 14}, search.OfBudget, -1, -1, -1, "the budget of 14 probes was used up"},
		{"slower than the start", cliff(3), search.Options{Start: 1000}, search.OfService, -1, -1, -1, "req/s hold (90 % interval"},
		{"slower than the minimum", cliff(3), search.Options{Start: 1000, Min: 20}, search.NeverHeld, 0, 0, 20, "at 20 req/s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := find(t, c.options, c.service)
			if r.Ceiling != c.ceiling || !strings.Contains(r.Why, c.why) {
				t.Errorf("%s: %s\nwant %s", r.Ceiling, r.Why, c.why)
			}
			for _, f := range []struct {
				name string
				got  unpark.Number
				want float64
			}{{"value", r.Rate.Value, c.value}, {"low", r.Rate.Low, c.low}, {"high", r.Rate.High, c.high}} {
				if f.want >= 0 && (f.got.Known() != (f.want > 0) || f.got.Or(0) != f.want) {
					t.Errorf("%s is %v, want %v", f.name, f.got, f.want)
				}
			}
			if _, err := json.Marshal(r); err != nil {
				t.Errorf("no JSON: %v", err)
			}
		})
	}
}

// TestSearchOfCliff looks into one search: what was probed, and what is said.
func TestSearchOfCliff(t *testing.T) {
	var reported []search.Probe
	r := find(t, search.Options{Report: func(p search.Probe) { reported = append(reported, p) }}, cliff(1000))
	if !reflect.DeepEqual(reported, r.Probes) {
		t.Error("what was reported is not what is in the result")
	}
	if !r.Rate.Contains(1000) || r.Ceiling != search.OfService || r.Held.Or(0) > 1000 || r.Held.Or(0) < 950 {
		t.Errorf("%s; held %v", r.Why, r.Held)
	}
	sides := map[float64]int{}
	for _, p := range r.Probes {
		if p.Phase == search.Repeat {
			sides[p.Rate]++
		}
		if p.Holds != (p.Rate <= 1000) || p.Holds != (len(p.Violations) == 0) {
			t.Errorf("at %g: holds %v, %v", p.Rate, p.Holds, p.Violations)
		}
	}
	if len(sides) != 2 {
		t.Errorf("repeats at %v, want two rates", sides)
	}
	for rate, n := range sides {
		if n < 5 {
			t.Errorf("%d repeats at %g", n, rate)
		}
	}
	if r.Knee == nil || r.Knee.Level.RateRPS > 1000 || r.Knee.Level.RateRPS < 900 {
		t.Errorf("knee %v", r.Knee)
	}
	if again := find(t, search.Options{}, cliff(1000)); !reflect.DeepEqual(again, r) {
		t.Error("the same search found something else")
	}
}

// TestNoSense: verdicts by chance alone, at every rate, end within the budget
// with an interval that is wide or with none.
func TestNoSense(t *testing.T) {
	for seed := range uint64(60) {
		chance := 0.05 + 0.9*float64(seed%10)/9
		coin := func(r *rand.Rand, rate float64) (unpark.Load, error) {
			if r.Float64() < chance {
				return loadOf(rate, 1e9, 0.001), nil
			}
			return loadOf(rate, 1e9, 1), nil
		}
		r := find(t, search.Options{Seed: seed, Max: 1e5, Probes: 60}, coin)
		if len(r.Probes) > 60 || r.Why == "" {
			t.Fatalf("%d probes: %q", len(r.Probes), r.Why)
		}
		low, okLow := r.Rate.Low.Get()
		high, okHigh := r.Rate.High.Get()
		if v, ok := r.Rate.Value.Get(); ok && (okLow && v < low || okHigh && v > high || math.IsNaN(v)) {
			t.Errorf("seed %d: %v outside of %v–%v", seed, v, r.Rate.Low, r.Rate.High)
		}
	}
}

var errGone = errors.New("gone")

func TestHighestErrors(t *testing.T) {
	calls := 0
	failing := func(_ context.Context, rate float64) (unpark.Load, error) {
		if calls++; calls > 2 {
			return unpark.Load{}, errGone
		}
		return loadOf(rate, 1e9, 0.001), nil
	}
	promise := slo(t, "p99<50ms")
	r, err := search.Highest(context.Background(), search.Options{SLO: promise}, failing)
	if !errors.Is(err, errGone) || !strings.Contains(err.Error(), "measure at 200 req/s") || r.Ceiling != search.Interrupted || len(r.Probes) != 2 || r.Rate.Value.Or(0) != 100 {
		t.Errorf("%v, %s", err, r.Why)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errGone)
	calls = 0
	if r, err = search.Highest(ctx, search.Options{SLO: promise}, failing); !errors.Is(err, errGone) || calls != 0 || r.Rate.Known() {
		t.Errorf("after %d probes: %v", calls, err)
	}
	for _, c := range []struct {
		o    search.Options
		want string
	}{
		{search.Options{}, "SLO: it has no terms; write p99<50ms"},
		{search.Options{SLO: promise, Start: -1}, "Start -1: must be a number above 0"},
		{search.Options{SLO: promise, Max: math.Inf(1)}, "Max +Inf"},
		{search.Options{SLO: promise, Min: math.NaN()}, "Min NaN"},
		{search.Options{SLO: promise, Max: 10}, "start rate 50: must not be above"},
		{search.Options{SLO: promise, Probes: -1}, "probes -1"},
	} {
		if _, err := search.Highest(context.Background(), c.o, failing); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}
