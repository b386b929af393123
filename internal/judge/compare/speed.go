package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
	"github.com/unpark-go/unpark/internal/stats/paired"
)

// Yardstick is the key of a [Sample] under which it holds how long a fixed piece of
// work took beside the load, in seconds of processor time: how fast the machine was.
// It is not a metric. Samples of older experiments have none.
const Yardstick = "yardstick"

// Why nothing is corrected.
const (
	noYardstick  = "the speed of the machine was not measured beside every round"
	movedByArms  = "it differed between the arms, in the same direction from round to round: that is the arms' doing"
	nothingPaced = "no figure follows it"
)

// pace is what the speed of the machine did in some rounds, and what it did to the
// metrics. All of it but moved is the same when the arms of any round are swapped, so
// that a test by flipping signs stays exact: it rests on the means of rounds, and on
// nothing that tells the arms apart.
type pace struct {
	why    string             // nothing is corrected: why
	varied float64            // standard deviation of the log yardstick between samples
	n      int                // samples
	slopes map[string]float64 // by metric: what a log unit of the yardstick adds to its logarithm
	shift  []float64          // by pair, the log ratio of the yardstick; 0 where an arm has none
}

// paced estimates it from the rounds of both arms. Identical ones only have to have
// a yardstick.
func paced(pairs, identical []Pair) pace {
	p := pace{slopes: map[string]float64{}}
	var logs []float64
	missing := false
	for i, pair := range append(append([]Pair{}, pairs...), identical...) {
		if len(pair.Before) == 0 || len(pair.After) == 0 {
			if i < len(pairs) {
				p.shift = append(p.shift, 0)
			}
			continue
		}
		a, b := yard(pair.Before), yard(pair.After)
		missing = missing || math.IsNaN(a) || math.IsNaN(b)
		if i < len(pairs) {
			p.shift, logs = append(p.shift, b-a), append(logs, a, b)
		}
	}
	if missing || len(logs) == 0 {
		p.why = noYardstick
		return p
	}
	p.varied, p.n = stats.StdDev(logs), len(logs)
	if len(logs) < 2*leastPaced {
		p.why = fmt.Sprintf("it takes %d rounds to tell what it does to the figures", leastPaced)
		return p
	}
	for _, m := range metrics() {
		if b, ok := m.slope(pairs); ok {
			p.slopes[m.name] = b
		}
	}
	if len(p.slopes) == 0 {
		p.why = nothingPaced
	}
	return p
}

// yard is the logarithm of a sample's yardstick, NaN when it has none.
func yard(s Sample) float64 {
	if v := s[Yardstick]; v > 0 {
		return math.Log(v)
	}
	return math.NaN()
}

// slope estimates what the machine's speed does to m: a straight line through the
// means of both arms of each round, drawn towards ±1 by as much as the rounds leave
// open. It is a control variate (Lavenberg and Welch, "A Perspective on the Use of
// Control Variables to Increase the Efficiency of Monte Carlo Simulations", 1981) whose
// coefficient is found where the effect cannot be: adding a constant to the arm after
// moves all means alike, and swapping arms moves none. False when m does not follow
// the machine's speed: it is not a time, or its means would differ no less with it.
func (m metric) slope(pairs []Pair) (float64, bool) {
	if m.speed == 0 {
		return 0, false
	}
	var x, y []float64
	for _, p := range pairs {
		speed, value := yard(p.Before)+yard(p.After), m.log(p.Before)+m.log(p.After)
		if !math.IsNaN(speed + value) {
			x, y = append(x, speed/2), append(y, value/2)
		}
	}
	line, se, _ := stats.Line(x, y)
	if len(x) < leastPaced || math.IsNaN(line) {
		return 0, false
	}
	own := slopeSpread * slopeSpread / (slopeSpread*slopeSpread + se*se)
	b := stats.Bound(m.speed*(own*line+(1-own)*m.speed), 0, mostSlope)
	// y − b·x varies less than y for b between 0 and twice the line's slope.
	return m.speed * b, b < 2*m.speed*line
}

// corrects reports whether anything is corrected; the zero value corrects nothing.
func (p pace) corrects() bool { return p.why == "" && len(p.slopes) > 0 }

// logRatio is m's log ratio of two samples had the machine been as fast beside both.
func (p pace) logRatio(m metric, a, b Sample) float64 {
	d := m.logRatio(a, b)
	if slope := p.slopes[m.name]; p.corrects() && slope != 0 {
		d -= slope * (yard(b) - yard(a))
	}
	return d
}

func (p pace) logRatios(m metric, pairs []Pair) []float64 {
	out := make([]float64, len(pairs))
	for i, pair := range pairs {
		out[i] = p.logRatio(m, pair.Before, pair.After)
	}
	return out
}

// guard makes a test of corrected scores take those that are not where the yardstick
// differs between the arms by more than chance: then an arm itself made the machine
// slower or faster, which is part of its effect.
func (p pace) guard(plain [][]float64) paired.Guard {
	if !p.corrects() {
		return paired.Guard{}
	}
	return paired.Guard{Scores: p.shift, Beyond: movedBeyond, Columns: plain}
}

// document is what a document says of it; nil when no arm ran.
func (p pace) document() *unpark.MachineSpeed {
	if len(p.shift) == 0 {
		return nil
	}
	out := &unpark.MachineSpeed{Corrected: []string{}, Why: p.why}
	if p.n > 1 {
		out.Varied = unpark.Measured(p.varied, "ratio", int64(p.n))
	}
	for _, m := range metrics() {
		if _, ok := p.slopes[m.name]; ok && p.corrects() {
			out.Corrected = append(out.Corrected, m.name)
		}
	}
	return out
}

// Ratios are the log ratios of a metric, after ÷ before, in rounds of a service whose versions may differ from round to
// round; corrected for the machine's speed where that can be told; NaN for a round without it. False for a name that is no metric.
func Ratios(name string, pairs []Pair) ([]float64, bool) {
	for _, m := range metrics() {
		if m.name == name {
			return paced(pairs, nil).logRatios(m, pairs), true
		}
	}
	return nil, false
}

// AtOneSpeed returns a metric of both arms by pair, before and after, as it would be on a machine that is always as fast
// as it was on average; as it was measured where that cannot be told, or where the arms themselves moved the yardstick.
// Nil for a name that is no metric; 0 where it was not measured. With it comes how slow the machine was beside each: the
// logarithm of the yardstick less its mean over all rounds; nil where values are as they were measured.
func AtOneSpeed(name string, pairs []Pair) (values, slow [][2]float64) {
	i := slices.IndexFunc(metrics(), func(m metric) bool { return m.name == name })
	if i < 0 {
		return nil, nil
	}
	m, speed := metrics()[i], paced(pairs, nil)
	if speed.corrects() && !newTests(pairs, speed).left() {
		slow = slowness(pairs)
	}
	values = make([][2]float64, len(pairs))
	for i, p := range pairs {
		for arm, s := range []Sample{p.Before, p.After} {
			values[i][arm], _ = m.value(s)
			if slow != nil {
				values[i][arm] *= math.Exp(-speed.slopes[name] * slow[i][arm])
			}
		}
	}
	return values, slow
}

// slowness is the logarithm of the yardstick in both arms of each pair, less its mean; 0 for an arm without one.
func slowness(pairs []Pair) [][2]float64 {
	out := make([][2]float64, len(pairs))
	var mean, n float64
	for _, p := range pairs {
		if d := yard(p.Before) + yard(p.After); !math.IsNaN(d) {
			mean, n = mean+d, n+2
		}
	}
	for i, p := range pairs {
		for arm, s := range []Sample{p.Before, p.After} {
			if y := yard(s); !math.IsNaN(y) {
				out[i][arm] = y - mean/n
			}
		}
	}
	return out
}
