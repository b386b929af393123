package stats

import "math"

// Line returns the slope of the straight line through points by least squares, and
// its standard error. Both are NaN of fewer than three points, or when all x are
// equal.
func Line(x, y []float64) (slope, se float64) {
	if len(x) != len(y) || len(x) < 3 {
		return math.NaN(), math.NaN()
	}
	mx, my := Mean(x), Mean(y)
	var xx, xy, left float64
	for i := range x {
		xx += (x[i] - mx) * (x[i] - mx)
		xy += (x[i] - mx) * (y[i] - my)
	}
	if xx == 0 {
		return math.NaN(), math.NaN()
	}
	slope = xy / xx
	for i := range x {
		r := y[i] - my - slope*(x[i]-mx)
		left += r * r
	}
	return slope, math.Sqrt(left / float64(len(x)-2) / xx)
}
