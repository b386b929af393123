package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/stats"
)

const (
	// leastRounds is what unpark ab needs to call a change of one metric
	// (compare, Options).
	leastRounds = 14
	// mostRounds is more than anybody waits for.
	mostRounds = 100
	// surely is how many standard errors from the bound a change is found 95 times in
	// 100 at alpha 0.01: the normal quantiles 2.576 and 1.645 together.
	surely = 4.221
)

// rounds says how many rounds of unpark ab would tell a change from a bound, at the
// noise of the recorded rounds.
func (m metric) rounds(change, bound float64) string {
	away := math.Abs(math.Log1p(change) - math.Log1p(bound))
	spread := m.spread()
	if spread == 0 {
		return "unpark ab would tell"
	}
	n := math.Ceil(math.Pow(surely*spread/away, 2))
	switch {
	case away == 0, n > mostRounds:
		return fmt.Sprintf("this close to the limit not even %d rounds of unpark ab would tell", mostRounds)
	default:
		return fmt.Sprintf("about %.0f rounds of unpark ab would tell", max(leastRounds, n))
	}
}

// spread is the standard deviation of the log ratio of two identical runs next to
// each other: of the services that were recorded, the median.
func (m metric) spread() float64 {
	var all []float64
	for _, s := range recorded() {
		var square []float64
		for i := 0; i+1 < len(s.Runs); i += 2 {
			a, ok := s.Runs[i][m.recordedAs()]
			b, also := s.Runs[i+1][m.recordedAs()]
			if ok && also {
				d := m.worse(a) - m.worse(b)
				square = append(square, d*d)
			}
		}
		// The median of squares: a round that somebody disturbed is left out by
		// unpark ab's signed ranks, too. Of normal noise it is 0.4549 of the variance.
		if len(square) > 0 {
			all = append(all, math.Sqrt(stats.Quantile(square, 0.5)/0.4549))
		}
	}
	if len(all) == 0 {
		return 0
	}
	return stats.Quantile(all, 0.5)
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
		out.Why = fmt.Sprintf("after %d rounds the change is %s to %s: more rounds would tell", e.Ratio.N, signed(low-1), signed(high-1))
	}
}
