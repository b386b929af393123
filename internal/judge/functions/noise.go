package functions

import (
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
)

// noise is what each column's differences scatter by when nothing changed, in units of their sum. It is told by what does
// not change when arms are swapped: how the sums of both arms vary from round to round, and the absolute differences
// about their centre. So few rounds leave that open by a sixth, and among many functions those would stand out whose
// noise came out too small. So it is drawn towards what the sampling of a profile makes of a function of its share, as
// it is over all functions of the metric (as Smyth does for genes, "Linear Models and Empirical Bayes Methods", 2004).
func noise(all []column) []float64 {
	own, sampled := make([]float64, len(all)), make([]float64, len(all))
	ratios := map[string][]float64{}
	for i, c := range all {
		own[i], sampled[i] = c.variance(), c.share()*(1-c.share())
		if own[i] > 0 && sampled[i] > 0 {
			ratios[c.metric] = append(ratios[c.metric], own[i]/sampled[i])
		}
	}
	out := make([]float64, len(all))
	for i, c := range all {
		out[i] = 1
		if v := (1-drawn)*own[i] + drawn*sampled[i]*stats.Quantile(ratios[c.metric], 0.5); v > 0 {
			out[i] = math.Sqrt(v * float64(len(c.rounds())))
		}
	}
	return out
}

// share is the part of the service's cost, of both arms.
func (c column) share() float64 {
	a, b := known(c.before), known(c.after)
	return min(0.99, max(leastCost/2, (stats.Mean(a)+stats.Mean(b))/2/c.service))
}

// variance is that of a round's difference, as far as swapping arms leaves it alone.
func (c column) variance() float64 {
	var sums []float64
	for i, a := range c.before {
		if !math.IsNaN(a) {
			sums = append(sums, (a+c.after[i])/c.service)
		}
	}
	s, d := stats.StdDev(sums), stats.FoldedSpread(c.rounds())
	return (s*s + d*d) / 2
}

// resolution is the change of one function's CPU, as a share of the service's, that such rounds call four times in
// five: of the function that scatters most.
func resolution(all []column) unpark.Quantity {
	widest, n := 0.0, 0
	for i, unit := range noise(all) {
		if rounds := len(all[i].rounds()); all[i].metric == CPU && !all[i].inclusive && rounds > 1 {
			widest, n = max(widest, resolvedBy*unit/float64(rounds)), rounds
		}
	}
	if n == 0 {
		return unpark.Quantity{}
	}
	return unpark.Measured(max(leastChange, widest), "ratio", int64(n))
}

// Open reports whether further rounds are worth it for functions: whether there are any whose CPU could change by more than
// wanted and not be called, and by how much. It goes by what swapping the arms of rounds leaves alone, so that asking after
// every round cannot turn noise into a change. After mostRounds it is not, whatever they show.
func Open(pairs []Pair) (wide float64, open bool) {
	wide = resolution(columns(pairs)).Value.Or(0)
	return wide, wide > wanted && len(pairs) < mostRounds
}
