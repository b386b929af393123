package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats/paired"
)

// tooFew is the code of the notice that no answer was possible.
const tooFew = "too-few-rounds"

// Rounds judges pairs of rounds. identical are rounds of the same arm twice, which
// give the host's own floor; before and after are the profiled runs of each arm,
// for the verdict per finding, the limits and the forecasts: their zero values say
// that there were none. Identical arms are called different in any metric with a
// probability of at most Options.Alpha, provided that chance decided which arm of
// a round went first, and that rounds were added as [Enough] says or by number.
func Rounds(pairs, identical []Pair, before, after unpark.Run, o Options) unpark.Comparison {
	o = o.filled()
	out := unpark.Comparison{
		Schema: unpark.SchemaAB, Rounds: len(pairs),
		Refused: []unpark.Notice{}, Floor: map[string]unpark.Quantity{}, Effects: []unpark.Effect{},
		Findings: []unpark.Changed{}, Forecast: []unpark.Forecast{}, Warnings: []unpark.Notice{},
	}
	speed := paced(pairs, identical)
	tests := newTests(pairs, speed)
	if tests.left() {
		speed.why = movedByArms
	}
	for _, m := range metrics() {
		if q, ok := m.floor(pairs, identical, speed); ok {
			out.Floor[m.name] = q
		}
	}
	out.Resolution = Resolution(pairs, len(pairs), o)
	out.Effects = append(out.Effects, tests.effects(pairs, speed, out.Floor, o)...)
	atOneThroughput(out.Effects)
	out.Speed = speed.document()
	out.Warnings = append(out.Warnings, doubts(pairs, identical, out, o)...)
	profiled(&out, before, after)
	return out
}

// tests are the metrics that were measured in both arms of a round, with the scores
// of every pair: corrected for the machine's speed, and plain.
type tests struct {
	measured []metric
	scores   [][]float64
	guard    paired.Guard
}

func newTests(pairs []Pair, speed pace) tests {
	var t tests
	var plain [][]float64
	for _, m := range metrics() {
		if d := (pace{}).logRatios(m, pairs); len(known(d)) > 0 {
			t.measured = append(t.measured, m)
			plain = append(plain, paired.SignedRanks(d))
			t.scores = append(t.scores, paired.SignedRanks(speed.logRatios(m, pairs)))
		}
	}
	t.guard = speed.guard(plain)
	return t
}

// left reports whether the arms moved the yardstick, so that plain scores count.
func (t tests) left() bool { return t.guard.Left() }

// effects tests every metric. speed is what ratios are corrected for.
func (t tests) effects(pairs []Pair, speed pace, floor map[string]unpark.Quantity, o Options) []unpark.Effect {
	_, adjusted := paired.SignFlip(t.scores, t.guard, o.Seed)
	var out []unpark.Effect
	for i, m := range t.measured {
		e := unpark.Effect{
			Metric: m.name, Ratio: centre(known(speed.logRatios(m, pairs)), "ratio"), P: unpark.Num(adjusted[i]), Verdict: same,
		}
		if slope, ok := speed.slopes[m.name]; ok && speed.corrects() {
			e.Raw, e.Slope = centre(known((pace{}).logRatios(m, pairs)), "ratio"), unpark.Num(slope)
		}
		if f, ok := floor[m.name].Value.Get(); ok && adjusted[i] <= o.Alpha {
			e.Verdict = m.beyond(e.Ratio.Value.Or(1), f)
		}
		e.Before, e.After, e.Ratio = m.figures(pairs, e.Ratio)
		out = append(out, e)
	}
	return out
}

// figures returns both arms' typical values, so that after ÷ before is the ratio of the
// paired rounds: of rounds that vary it is not the ratio of the centres, nor where it is
// corrected for the machine's speed. What the two differ by is shared between the arms.
// Where an arm has less than there is to tell apart, the figures are as they were
// measured, and the ratio is theirs and has no interval.
func (m metric) figures(pairs []Pair, ratio unpark.Quantity) (before, after, of unpark.Quantity) {
	before, after = m.typical(pairs, Pair.before), m.typical(pairs, Pair.after)
	a, b := before.Value.Or(0), after.Value.Or(0)
	switch {
	case m.least > 0 && min(a, b) < m.least:
		return before, after, unpark.Quantity{Value: unpark.Ratio(b, a), Unit: "ratio", N: ratio.N}
	case a <= 0 || b <= 0 || ratio.Value.Or(0) <= 0:
		return before, after, ratio
	}
	half := math.Sqrt(ratio.Value.Or(1) * a / b)
	return scaled(before, 1/half), scaled(after, half), ratio
}

// scaled is a quantity multiplied with its interval.
func scaled(q unpark.Quantity, by float64) unpark.Quantity {
	for _, n := range []*unpark.Number{&q.Value, &q.Low, &q.High} {
		if v, ok := n.Get(); ok {
			*n = unpark.Num(v * by)
		}
	}
	return q
}

func (p Pair) before() Sample { return p.Before }
func (p Pair) after() Sample  { return p.After }

// typical is the centre of one arm's rounds, of those in which both arms were
// measured.
func (m metric) typical(pairs []Pair, arm func(Pair) Sample) unpark.Quantity {
	var values, logs []float64
	for _, p := range pairs {
		if !math.IsNaN(m.logRatio(p.Before, p.After)) {
			v, _ := m.value(arm(p))
			values, logs = append(values, v), append(logs, m.log(arm(p)))
		}
	}
	if m.least > 0 && slices.Min(append(values, m.least)) < m.least { // shown as it is
		low, high := paired.SignedRankInterval(values, level)
		return unpark.Between(paired.HodgesLehmann(values), low, high, m.unit, int64(len(values)))
	}
	return centre(logs, m.unit)
}

// centre is the Hodges–Lehmann centre of logarithms with its 90 % interval, as
// plain values. Fewer than five have no interval.
func centre(logs []float64, unit string) unpark.Quantity {
	low, high := paired.SignedRankInterval(logs, level)
	return unpark.Between(math.Exp(paired.HodgesLehmann(logs)), math.Exp(low), math.Exp(high), unit, int64(len(logs)))
}

// doubts says what the reader must know of the rounds themselves.
func doubts(pairs, identical []Pair, c unpark.Comparison, o Options) []unpark.Notice {
	var out []unpark.Notice
	add := func(code, cure, format string, a ...any) {
		out = append(out, unpark.Notice{Code: code, Message: fmt.Sprintf(format, a...), Cure: cure})
	}
	n, most := 0, 0
	var gaps []string
	for _, e := range c.Effects {
		most = max(most, int(e.Ratio.N))
	}
	for _, e := range c.Effects {
		if n = int(e.Ratio.N); n < len(pairs) {
			gaps = append(gaps, fmt.Sprintf("%s in %d", plain(e.Metric), n))
		}
	}
	alone, least := roundsFor(o.Alpha, max(1, len(c.Effects))), roundsFor(o.Alpha, 1)
	switch {
	case most == 0:
		add(tooFew, fmt.Sprintf("run %s or more", rounds(alone)), "no round counts, so nothing is known of a change")
	case most < least:
		add(tooFew, fmt.Sprintf("run %s or more", rounds(alone)),
			"%s cannot show a change, however large: chance alone makes all of them agree with a probability of %.2g, and %.2g is asked for; it takes %d, and %d for a change of one metric alone",
			rounds(most), math.Exp2(1-float64(most)), o.Alpha, least, alone)
	case most < alone:
		add("few-rounds", fmt.Sprintf("run %s or more", rounds(alone)),
			"%s can show a change of several metrics at once; a change of one metric alone takes %d", rounds(most), alone)
	}
	if len(gaps) > 0 {
		add("unmeasured-rounds", "see why rounds could not be used: void ones repeat with a lower rate or more processors for the generator",
			"of %s some were not measured in both arms: %s", rounds(len(pairs)), strings.Join(gaps, ", "))
	}
	if len(identical) < leastIdentical && len(pairs) > 0 {
		add("floor-from-rounds", "run three or more rounds of identical arms",
			"too few rounds of identical arms: the floor rests on the rounds of the arm before, one against the next")
	}
	return out
}

func rounds(n int) string { return unpark.Counted(int64(n), "round") }

// profiled fills in what the profiled runs of both arms say.
func profiled(c *unpark.Comparison, before, after unpark.Run) {
	if len(before.Windows) > 0 && len(after.Windows) > 0 {
		found, unseen := changes(before, after)
		c.Findings = append(c.Findings, found...)
		c.Warnings = append(c.Warnings, unseen...)
		c.Warnings = append(c.Warnings, doubtful(before, after)...)
		c.Limits = &unpark.Limits{Before: limit(before), After: limit(after)}
		effects := c.Effects
		if len(c.NotComparable) > 0 {
			effects = nil
			undecided(c.Findings)
		}
		judged, notices := forecasts(before, c.Findings, effects)
		c.Forecast = append(c.Forecast, judged...)
		c.Warnings = append(c.Warnings, notices...)
	}
	c.Why = why(*c, before, after)
}

// doubtful warns of profiled runs whose figures are not to be trusted.
func doubtful(before, after unpark.Run) []unpark.Notice {
	var out []unpark.Notice
	for _, arm := range arms(before, after) {
		if arm.run.IsVoid() {
			out = append(out, unpark.Notice{
				Code:    "void-run",
				Message: fmt.Sprintf("the profiled run %s is void, so what it says of findings is not to be trusted: %s", arm.name, arm.run.Void[0].Message),
				Cure:    arm.run.Void[0].Cure,
			})
		}
	}
	if text := processors(before, after); text != "" {
		out = append(out, unpark.Notice{
			Code: "different-processes", Message: "the arms do not use the machine alike: " + text,
			Cure: "give both the same GOMAXPROCS and workers, unless that is what is compared",
		})
	}
	return out
}

// limit is what bound a run; one that says nothing is unknown.
func limit(r unpark.Run) unpark.Limit {
	if r.Limit.Kind == "" {
		r.Limit.Kind = unpark.LimitUnknown
	}
	return r.Limit
}
