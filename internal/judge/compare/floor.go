package compare

import (
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
)

// floor estimates the change, as a share, that identical arms show over as many
// rounds as there are pairs: of twenty estimates nineteen stay within it. It rests
// on the log ratios of identical arms, which would be 0 on a silent host, and on
// the rounds of the arm before, each against the next; Student's t carries how few
// they are. False when they are fewer than two.
func (m metric) floor(pairs, identical []Pair, speed pace) (unpark.Quantity, bool) {
	rounds := float64(len(known(speed.logRatios(m, pairs))))
	own := known(speed.logRatios(m, identical))
	between := known(neighbours(m, pairs, speed))
	weight := float64(len(own)) + successive*float64(len(between))
	df := int(weight)
	if df < leastFreedom || rounds == 0 {
		return unpark.Quantity{}, false
	}
	var square float64
	for _, d := range own {
		square += d * d
	}
	for _, d := range between {
		square += successive * d * d
	}
	spread := stats.StudentQuantile(1-floorTail, df) * math.Sqrt(square/weight/rounds)
	// The spread of normal noise is known to ± √(df ÷ χ²).
	scale := func(p float64) float64 { return math.Sqrt(float64(df) / stats.ChiSquareQuantile(p, df)) }
	share := func(log float64) float64 { return max(leastFloor, math.Expm1(log)) }
	n := int64(len(own) + len(between))
	return unpark.Between(share(spread), share(spread*scale(upper)), share(spread*scale(1-upper)), "ratio", n), true
}

// neighbours returns the log ratio of each round of the arm before to the one ahead
// of it.
func neighbours(m metric, pairs []Pair, speed pace) []float64 {
	var out []float64
	for i := 1; i < len(pairs); i++ {
		out = append(out, speed.logRatio(m, pairs[i-1].Before, pairs[i].Before))
	}
	return out
}
