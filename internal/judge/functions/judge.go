package functions

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
	"github.com/unpark-go/unpark/internal/stats/paired"
)

// Pair is one round: what functions cost in both arms, chance having decided which was first.
type Pair struct{ Before, After Costs }

// Options says how sure an answer must be. Zero values are the defaults.
type Options struct {
	// Alpha is the probability that identical arms are called different in any function
	// and any metric; default 0.01.
	Alpha float64
	// Seed is of the sign vectors that are drawn above 16 rounds; default 1.
	Seed uint64
	// Operations says that costs are of operations of a benchmark, not of requests.
	Operations bool
}

// Judge says which functions cost another amount per request, the largest change first, and what was looked at.
func Judge(pairs []Pair, o Options) ([]unpark.FunctionChange, unpark.FunctionsTested) {
	if o.Alpha <= 0 || o.Alpha >= 1 {
		o.Alpha = defaultAlpha
	}
	if o.Seed == 0 {
		o.Seed = 1
	}
	all := columns(pairs)
	tested := unpark.FunctionsTested{Floor: unpark.Num(leastCost)}
	names := map[string]bool{}
	scores := make([][]float64, len(all))
	for i, c := range all {
		names[c.function] = true
		scores[i] = c.differences
		tested.Rounds = max(tested.Rounds, len(c.rounds()))
	}
	tested.Functions = len(names)
	switch {
	case len(all) == 0:
		tested.Why = "no round has a profile of both arms"
		return []unpark.FunctionChange{}, tested
	case math.Pow(2, float64(1-tested.Rounds)) > o.Alpha:
		tested.Why = "that takes " + unpark.Counted(int64(math.Ceil(1-math.Log2(o.Alpha))), "round") + " with a profile of both arms"
		return []unpark.FunctionChange{}, tested
	}
	_, adjusted := paired.SignFlipIn(scores, noise(all), o.Seed)
	for i := range all {
		all[i].p = adjusted[i]
		all[i].called = adjusted[i] <= o.Alpha && math.Abs(all[i].centre()) >= leastChange
	}
	tested.Resolution = resolution(all)
	out := newAttribution(pairs, all).changes()
	if o.Operations {
		perOperation(out)
	}
	return out, tested
}

// column is one function in one metric, inclusive or its own cost.
type column struct {
	metric, function string
	inclusive        bool
	before, after    []float64 // per request, by round; NaN where it was not measured
	// differences are after − before, by round, as a share of what the service costs per
	// request; 0 where they were not measured.
	differences []float64
	service     float64 // the total per request, of both arms in all rounds
	first       float64 // the same of the arm before: what a reader takes a change as a part of
	p           float64
	called      bool
}

// rounds returns the differences of the rounds in which it was measured.
func (c column) rounds() []float64 {
	var out []float64
	for i, d := range c.differences {
		if !math.IsNaN(c.before[i]) {
			out = append(out, d)
		}
	}
	return out
}

// centre is the change as a share of the service's cost.
func (c column) centre() float64 { return stats.Mean(c.rounds()) }

// columns lists what is looked at: functions that cost more than the floor, of both arms and all rounds together. The
// sum of both arms is the same when they are swapped, so that the choice knows nothing of the effect.
func columns(pairs []Pair) []column {
	var out []column
	for _, metric := range []string{CPU, Bytes, Wait} {
		both := measured(pairs, metric)
		var service, first, n float64
		sums := map[string]Cost{}
		for i, p := range pairs {
			if !both[i] {
				continue
			}
			first += p.Before[metric].Each
			for _, t := range []Table{p.Before[metric], p.After[metric]} {
				service, n = service+t.Each, n+1
				for f, c := range t.By {
					s := sums[f]
					sums[f] = Cost{Self: s.Self + c.Self*t.Each, All: s.All + c.All*t.Each}
				}
			}
		}
		if service <= 0 || metric == Wait && service/n < leastWait {
			continue
		}
		from := len(out)
		for _, f := range slices.Sorted(maps.Keys(sums)) {
			// A function that one arm alone has is on average of both half of what it costs.
			if sums[f].Self >= leastCost/2*service {
				out = append(out, newColumn(pairs, both, metric, f, false, service/n))
			}
			if sums[f].All >= leastCost/2*service && sums[f].All > ownOnly*sums[f].Self {
				out = append(out, newColumn(pairs, both, metric, f, true, service/n))
			}
		}
		for i := range out[from:] {
			out[from+i].first = first / (n / 2)
		}
	}
	return out
}

// measured tells in which rounds both arms have a metric. Profiles of different rates are of different samplers, whose
// stacks differ a little.
func measured(pairs []Pair, metric string) []bool {
	out := make([]bool, len(pairs))
	for i, p := range pairs {
		a, okA := p.Before[metric]
		b, okB := p.After[metric]
		out[i] = okA && okB && a.Each > 0 && b.Each > 0 && a.Rate == b.Rate
	}
	return out
}

func newColumn(pairs []Pair, both []bool, metric, function string, inclusive bool, service float64) column {
	c := column{metric: metric, function: function, inclusive: inclusive, service: service}
	of := func(t Table) float64 {
		if inclusive {
			return t.By[function].All * t.Each
		}
		return t.By[function].Self * t.Each
	}
	for i, p := range pairs {
		a, b := math.NaN(), math.NaN()
		if both[i] {
			a, b = of(p.Before[metric]), of(p.After[metric])
		}
		c.before, c.after = append(c.before, a), append(c.after, b)
	}
	c.steady(pairs)
	for i, a := range c.before {
		d := 0.0
		if both[i] {
			d = (c.after[i] - a) / service
		}
		c.differences = append(c.differences, d)
	}
	return c
}

// change makes the row of a column.
func (c column) change() unpark.FunctionChange {
	unit := map[string]string{CPU: "s/req", Bytes: "B/req", Wait: "s/req"}[c.metric]
	d := c.rounds()
	n := int64(len(d))
	low, high := paired.SignedRankInterval(d, level)
	quantity := func(by float64, unit string) unpark.Quantity {
		v := stats.Mean(d) * by
		if math.IsNaN(low) || math.IsNaN(high) {
			return unpark.Measured(v, unit, n)
		}
		return unpark.Between(v, min(v, low*by), max(v, high*by), unit, n)
	}
	before, after := stats.Mean(known(c.before)), stats.Mean(known(c.after))
	out := unpark.FunctionChange{
		Function: c.function, Metric: c.metric, Inclusive: c.inclusive,
		Before: unpark.Measured(before, unit, n), After: unpark.Measured(after, unit, n),
		Change: quantity(c.service, unit), Share: quantity(c.service/c.first, "ratio"), P: unpark.Num(c.p), Verdict: worse,
	}
	switch {
	case before == 0:
		out.Only = "after"
	case after == 0:
		out.Only = "before"
	}
	if out.Share.Value.Or(0) < 0 {
		out.Verdict = better
	}
	return out
}

func known(v []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(v), math.IsNaN)
}

// The verdicts on a function.
const (
	better = "better"
	worse  = "worse"
	moved  = "moved"
)

// bySize orders changes: those that count first, the largest first.
func bySize(a, b unpark.FunctionChange) int {
	rank := func(c unpark.FunctionChange) int {
		if c.Verdict == moved {
			return 1
		}
		return 0
	}
	size := func(c unpark.FunctionChange) float64 { return math.Round(1e4 * math.Abs(c.Share.Value.Or(0))) } // what is printed
	return cmp.Or(cmp.Compare(rank(a), rank(b)), slices.Index([]string{CPU, Wait, Bytes}, a.Metric)-slices.Index([]string{CPU, Wait, Bytes}, b.Metric),
		cmp.Compare(size(b), size(a)), cmp.Compare(a.Share.Value.Or(0), b.Share.Value.Or(0)), cmp.Compare(a.Function, b.Function))
}

// perOperation renames metrics and units.
func perOperation(all []unpark.FunctionChange) {
	for i := range all {
		c := &all[i]
		c.Metric = strings.TrimSuffix(c.Metric, "request") + "op"
		for _, q := range []*unpark.Quantity{&c.Before, &c.After, &c.Change} {
			q.Unit = strings.TrimSuffix(q.Unit, "req") + "op"
		}
	}
}
