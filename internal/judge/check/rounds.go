package check

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/stats"
)

// rounds says how many rounds of unpark ab would tell a change from a bound, at the
// noise of the recorded rounds. They tell it when they call the change worse, and
// their interval is beyond the bound (byRounds).
func (m metric) rounds(change, bound float64) string {
	away := math.Abs(math.Log1p(change) - math.Log1p(bound))
	spread := m.spread()
	if spread == 0 {
		return "unpark ab would tell"
	}
	fewest, _ := compare.Options{}.Bounds()
	n := math.Ceil(math.Pow(spread*max(surely/away, called/math.Abs(math.Log1p(change))), 2))
	switch {
	case away == 0, n > mostRounds:
		return fmt.Sprintf("this close to the limit not even %d rounds of unpark ab would tell", mostRounds)
	default:
		return fmt.Sprintf("about %.0f rounds of unpark ab would tell", max(float64(fewest), n))
	}
}

// correctedSpreads are those of rounds of identical arms that unpark ab recorded with
// a yardstick and corrected for the speed of the machine: rounds of five seconds of
// three services, fresh processes, two cores shared with the generator. They hold the
// metrics that were corrected in one of them. A test makes them anew.
//
//go:embed corrected.json
var correctedSpreads []byte

// corrected are the spreads of one service, by metric (see metric.spread).
type corrected struct {
	Name    string             `json:"service"`
	Rounds  int                `json:"rounds"`
	Spreads map[string]float64 `json:"spreads"`
}

// spread is the standard deviation of the log ratio of two identical runs next to
// each other, as unpark ab sees it: corrected for the speed of the machine where
// that was recorded, else plain. Of several services, the median.
func (m metric) spread() float64 {
	var all []float64
	var known []corrected
	if json.Unmarshal(correctedSpreads, &known) == nil { // which a test reads
		for _, s := range known {
			if v, ok := s.Spreads[m.recordedAs()]; ok {
				all = append(all, v)
			}
		}
	}
	if len(all) == 0 {
		all = m.plainSpreads()
	}
	if len(all) == 0 {
		return 0
	}
	return stats.Quantile(all, 0.5)
}

// plainSpreads are those of the services whose identical runs were recorded.
func (m metric) plainSpreads() []float64 {
	var out []float64
	for _, s := range recorded() {
		var ratios []float64
		for i := 0; i+1 < len(s.Runs); i += 2 {
			a, ok := s.Runs[i][m.recordedAs()]
			b, also := s.Runs[i+1][m.recordedAs()]
			if ok && also {
				ratios = append(ratios, m.worse(a)-m.worse(b))
			}
		}
		if len(ratios) > 0 {
			out = append(out, spreadOf(ratios))
		}
	}
	return out
}

// spreadOf is the standard deviation of log ratios around 0, from the median of their
// squares: unpark ab's signed ranks leave a round out, too, that something else
// disturbed.
func spreadOf(ratios []float64) float64 {
	square := make([]float64, len(ratios))
	for i, d := range ratios {
		square[i] = d * d
	}
	return math.Sqrt(stats.Quantile(square, 0.5) / stats.ChiSquareQuantile(0.5, 1))
}

// recordedAs is the metric's name among what was recorded.
func (m metric) recordedAs() string {
	if m.key == keyWaiters {
		return "mean_waiters"
	}
	return m.key
}

// byRounds judges a bound against a baseline by the effect of many rounds: it is
// broken when the comparison calls the change worse and its interval lies beyond
// the bound.
func (j *judge) byRounds(out *unpark.Judged, m metric) {
	i := slices.IndexFunc(j.rounds.Effects, func(e unpark.Effect) bool { return e.Metric == m.key })
	if i < 0 {
		out.State, out.Why = unpark.BoundUnmeasured, "the rounds do not have it"
		return
	}
	e := j.rounds.Effects[i]
	ratio, ok := e.Ratio.Value.Get()
	low, okLow := e.Ratio.Low.Get()
	high, okHigh := e.Ratio.High.Get()
	out.Measured, out.Against = e.After, e.Before
	if !ok || !okLow || !okHigh {
		out.State, out.Why = unpark.BoundUnmeasured, "too few rounds have it: see the warnings of unpark ab"
		return
	}
	limit := 1 + out.Value
	out.Change, out.Noise = unpark.Num(ratio-1), unpark.Num(high/ratio-1)
	beyond := low > limit
	if m.more {
		out.Noise = unpark.Num(low/ratio - 1)
		beyond = high < limit
	}
	switch {
	case beyond && e.Verdict == "worse":
		out.State = unpark.BoundBroken
	case within(out.Op, ratio, limit):
		out.State = unpark.BoundKept
	default:
		out.State = unpark.BoundUnsure
		out.Why = fmt.Sprintf("after %s the change is %s to %s: more rounds would tell", unpark.Counted(e.Ratio.N, "round"), change(low), change(high))
	}
}
