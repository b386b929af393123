package functions

import (
	"math"

	"github.com/unpark-go/unpark/internal/stats"
)

// steady gives back what was taken from a function for the machine's speed and is not its own. A slow second is one in which
// memory and caches are shared with others: a function that computes in registers feels less of it than the service does,
// and what is right for the total would put the yardstick's noise into its differences.
//
// How much is learnt where the effect cannot be, as for the service (compare.AtOneSpeed): a straight line through the sums of
// both arms of each round, drawn towards none by as much as the rounds leave open. Swapping arms leaves the sums alone.
// It is never more than the service feels: sums follow how the machine drifts over minutes, and of two arms' yardsticks
// within one round more is noise, so that for what reads memory the line of the sums is too steep.
func (c *column) steady(pairs []Pair) {
	var x, y []float64
	for i, a := range c.before {
		if !math.IsNaN(a) {
			x, y = append(x, pairs[i].Before[c.metric].Slow+pairs[i].After[c.metric].Slow), append(y, a+c.after[i])
		}
	}
	mean := stats.Mean(y) / 2
	line, se, _ := stats.Line(x, y)
	if !(line < 0) || mean <= 0 {
		return
	}
	line, se = line/mean, se/mean
	slope := line * slopeSpread * slopeSpread / (slopeSpread*slopeSpread + se*se)
	for i := range c.before {
		c.before[i] *= math.Exp(-slope * pairs[i].Before[c.metric].Slow)
		c.after[i] *= math.Exp(-slope * pairs[i].After[c.metric].Slow)
	}
}
