package paired

import "math"

// Guard tells a test ([SignFlip]) when to use other scores: when the sum of
// its own leaves the range that chance gives it. The zero value never does.
type Guard struct {
	// Scores are by pair. Like all scores they change their sign when the arms of a
	// pair are swapped.
	Scores []float64
	// Beyond is the end of the range in standard deviations under flipping; it must be
	// more than 0. No sum of n pairs is beyond √n.
	Beyond float64
	// Columns replace those of the test, one for each.
	Columns [][]float64
}

// Left reports whether the signs as they were observed leave the range.
func (g Guard) Left() bool {
	sum, _ := scaled(g.Scores)
	return len(g.Columns) > 0 && math.Abs(sum) > g.Beyond
}
