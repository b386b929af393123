package bench

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/stats/paired"
)

// Seconds is the unit of the time of an operation.
const Seconds = "s/op"

// ID names a benchmark.
type ID struct{ Package, Name string }

// String is the name as a reader knows it.
func (id ID) String() string { return id.Package + "." + id.Name }

// Sample is one run of a benchmark: its figures by unit, and how long a piece of the yardstick's work took beside it, in
// seconds; 0 where there was none.
type Sample struct {
	Values    map[string]float64
	Yardstick float64
}

// Pair is a round of one benchmark; an arm without Values was not measured.
type Pair struct{ Before, After Sample }

// Options says how sure an answer must be. Zero values are the defaults.
type Options struct {
	Alpha float64 // default 0.01
	Seed  uint64  // of the sign vectors that are drawn above 16 rounds; default 1
}

// Least returns how many rounds it takes until anything can be called.
func (o Options) Least() int {
	return int(math.Ceil(1 - math.Log2(o.filled().Alpha)))
}

func (o Options) filled() Options {
	if o.Alpha <= 0 || o.Alpha >= 1 {
		o.Alpha = defaultAlpha
	}
	if o.Seed == 0 {
		o.Seed = 1
	}
	return o
}

// figure is one unit of one benchmark.
type figure struct {
	id            ID
	unit          string
	before, after []float64 // of the rounds that have both, at one speed
	scores        []float64 // by round; 0 where it was not measured
}

// Judge compares benchmarks, by ID in the order of their names, and the effects of each in the order s/op, B/op,
// allocs/op, others. Rounds of all benchmarks stand in the same order: round i of one was next to round i of another.
func Judge(rounds map[ID][]Pair, o Options) []unpark.Benchmark {
	o = o.filled()
	var all []figure
	ids := slices.SortedFunc(maps.Keys(rounds), func(a, b ID) int { return strings.Compare(a.String(), b.String()) })
	for _, id := range ids {
		all = append(all, figures(id, rounds[id])...)
	}
	scores := make([][]float64, len(all))
	for i, f := range all {
		scores[i] = f.scores
	}
	_, adjusted := paired.SignFlip(scores, paired.Guard{}, o.Seed)
	out := []unpark.Benchmark{}
	for i, f := range all {
		if n := len(out); n == 0 || out[n-1].Package != f.id.Package || out[n-1].Name != f.id.Name {
			out = append(out, unpark.Benchmark{Package: f.id.Package, Name: f.id.Name})
		}
		b := &out[len(out)-1]
		b.Effects = append(b.Effects, f.effect(adjusted[i], o.Alpha))
	}
	return out
}

// figures lists what both arms of a benchmark report.
func figures(id ID, pairs []Pair) []figure {
	units := map[string]bool{}
	for _, p := range pairs {
		for unit := range p.Before.Values {
			if _, ok := p.After.Values[unit]; ok {
				units[unit] = true
			}
		}
	}
	order := []string{Seconds, "B/op", "allocs/op"}
	sorted := slices.SortedFunc(maps.Keys(units), func(a, b string) int {
		at := func(unit string) int {
			if i := slices.Index(order, unit); i >= 0 {
				return i
			}
			return len(order)
		}
		if at(a) != at(b) {
			return at(a) - at(b)
		}
		return strings.Compare(a, b)
	})
	var out []figure
	for _, unit := range sorted {
		out = append(out, newFigure(id, unit, pairs))
	}
	return out
}

func newFigure(id ID, unit string, pairs []Pair) figure {
	f := figure{id: id, unit: unit, scores: make([]float64, len(pairs))}
	speed := atOneSpeed(unit, pairs)
	for i, p := range pairs {
		a, okA := p.Before.Values[unit]
		b, okB := p.After.Values[unit]
		if !okA || !okB {
			continue
		}
		if speed != nil {
			a, b = speed[i][0], speed[i][1]
		}
		f.before, f.after = append(f.before, a), append(f.after, b)
		if a+b != 0 {
			f.scores[i] = (b - a) / (a + b) // changes its sign with the arms, and bears a zero in one of them
		}
	}
	return f
}

// atOneSpeed takes the machine's speed out of times; nil for what is no time.
func atOneSpeed(unit string, pairs []Pair) [][2]float64 {
	if unit != Seconds {
		return nil
	}
	const timed = "cpu_per_request" // a time that a slower machine makes longer, as it does an operation
	samples := make([]compare.Pair, len(pairs))
	sample := func(s Sample) compare.Sample {
		if s.Values == nil {
			return nil
		}
		out := compare.Sample{timed: s.Values[unit]}
		if s.Yardstick > 0 {
			out[compare.Yardstick] = s.Yardstick
		}
		return out
	}
	for i, p := range pairs {
		samples[i] = compare.Pair{Before: sample(p.Before), After: sample(p.After)}
	}
	out, _ := compare.AtOneSpeed(timed, samples)
	return out
}

// effect judges a figure.
func (f figure) effect(p, alpha float64) unpark.Effect {
	e := unpark.Effect{Metric: f.unit, Before: f.summary(f.before), After: f.summary(f.after), P: unpark.Num(p), Verdict: "same"}
	var logs []float64
	for i, a := range f.before {
		if b := f.after[i]; a > 0 && b > 0 {
			logs = append(logs, math.Log(b/a))
		}
	}
	n := int64(len(logs))
	change := 0.0
	switch {
	case len(f.before) == 0:
		e.Verdict = "unknown"
		return e
	case len(logs) == len(f.before):
		centre := paired.HodgesLehmann(logs)
		change = math.Expm1(centre)
		e.Ratio = unpark.Measured(math.Exp(centre), "ratio", n)
		if low, high := paired.SignedRankInterval(logs, level); !math.IsNaN(low) && !math.IsNaN(high) {
			e.Ratio = unpark.Between(math.Exp(centre), math.Exp(low), math.Exp(high), "ratio", n)
		}
	case e.After.Value.Or(0) > e.Before.Value.Or(0): // from nothing
		change = 1
	case e.After.Value.Or(0) < e.Before.Value.Or(0):
		change = -1
	}
	if p > alpha || math.Abs(change) < leastChange {
		return e
	}
	if e.Verdict = "worse"; (change > 0) == f.moreIsBetter() {
		e.Verdict = "better"
	}
	return e
}

// moreIsBetter: what is per second is a speed.
func (f figure) moreIsBetter() bool { return strings.HasSuffix(f.unit, "/s") }

// summary is the median of an arm with the interval that benchstat has.
func (f figure) summary(values []float64) unpark.Quantity {
	n := int64(len(values))
	if n == 0 {
		return unpark.Quantity{Unit: f.unit}
	}
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds), summed)
	if math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0) || math.IsNaN(s.Lo) || math.IsNaN(s.Hi) {
		return unpark.Measured(s.Center, f.unit, n)
	}
	return unpark.Between(s.Center, s.Lo, s.Hi, f.unit, n)
}

// TooFew is the notice that so many rounds can call nothing; false when they can.
func TooFew(rounds int, o Options) (unpark.Notice, bool) {
	least := o.Least()
	if rounds >= least {
		return unpark.Notice{}, false
	}
	return unpark.Notice{
		Code:    "too-few-rounds",
		Message: fmt.Sprintf("%s cannot show a change, however large; it takes %d", unpark.Counted(int64(rounds), "round"), least),
		Cure:    fmt.Sprintf("run more: --rounds %d", 2*least),
	}, true
}
