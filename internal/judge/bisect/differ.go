package bisect

import (
	"math"

	"github.com/unpark-go/unpark/internal/stats"
	"github.com/unpark-go/unpark/internal/stats/paired"
)

// Answer is what rounds of the two ends say so far.
type Answer int

// The answers of [Differ].
const (
	More      Answer = iota // rounds are needed
	Different               // the ends differ
	Same                    // no difference was found with as many rounds as are worth it
)

// Differ says whether rounds of the last commit against the first show a difference: log ratios of the metric, in
// the order of the rounds. It looks a few times and no more, so that all looks together call equal ends different one time in a hundred.
func Differ(rounds []float64) Answer {
	for _, n := range looks() {
		if len(rounds) < n {
			return More
		}
		p, _ := paired.SignFlip([][]float64{paired.SignedRanks(rounds[:n])}, paired.Guard{}, 1)
		if p[0] <= alpha/float64(len(looks())) {
			return Different
		}
	}
	return Same
}

// Looks is after how many rounds Differ can answer.
func Looks() []int { return looks() }

// Effect is what rounds of the two ends say of the change: log ratios.
type Effect struct {
	Ratio     float64 // the change, as log ratio
	Low, High float64 // its interval of 90 %
	Error     float64 // standard error of Ratio
	Noise     float64 // scale of a single round
}

// EffectOf measures the change by rounds of the two ends.
func EffectOf(rounds []float64) Effect {
	e := Effect{Ratio: paired.HodgesLehmann(rounds)}
	e.Low, e.High = paired.SignedRankInterval(rounds, 0.9)
	far := make([]float64, len(rounds))
	for i, r := range rounds {
		far[i] = math.Abs(r - e.Ratio)
	}
	// The median distance from the centre, as the standard deviation that a normal distribution with it has.
	e.Noise = max(stats.Quantile(far, 0.5)/normalMAD, quietest)
	e.Error = e.Noise / math.Sqrt(float64(len(rounds)))
	return e
}
