package stats

import (
	"math/rand/v2"
	"slices"
)

// DifferenceOfMeans returns mean(a) − mean(b) with the bounds of its 90 % interval
// by the percentile bootstrap (Efron & Tibshirani, An Introduction to the
// Bootstrap, ch. 13): both samples are drawn again with replacement, rounds times.
// The same seed gives the same bounds. Without values in a or b all are 0.
func DifferenceOfMeans(a, b []float64, rounds int, seed uint64) (diff, low, high float64) {
	if len(a) == 0 || len(b) == 0 {
		return 0, 0, 0
	}
	random := rand.New(rand.NewPCG(seed, 0))
	draws := make([]float64, max(1, rounds))
	for i := range draws {
		draws[i] = redrawn(random, a) - redrawn(random, b)
	}
	slices.Sort(draws)
	return Mean(a) - Mean(b), Quantile(draws, 0.05), Quantile(draws, 0.95)
}

// redrawn returns the mean of as many values as v has, drawn from it.
func redrawn(random *rand.Rand, v []float64) float64 {
	var sum float64
	for range v {
		sum += v[random.IntN(len(v))]
	}
	return sum / float64(len(v))
}
