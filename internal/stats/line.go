package stats

import "math"

// Line returns the slope of the straight line through points by least squares, its
// standard error, and the standard deviation of y about the line. The 90 % interval of
// the slope is ± StudentQuantile(0.95, n−2) standard errors. All are NaN of fewer than
// three points, or when all x are equal.
func Line(x, y []float64) (slope, se, noise float64) {
	if len(x) != len(y) || len(x) < 3 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	mx, my := Mean(x), Mean(y)
	var xx, xy, left float64
	for i := range x {
		xx += (x[i] - mx) * (x[i] - mx)
		xy += (x[i] - mx) * (y[i] - my)
	}
	if xx == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	slope = xy / xx
	for i := range x {
		r := y[i] - my - slope*(x[i]-mx)
		left += r * r
	}
	square := left / float64(len(x)-2)
	return slope, math.Sqrt(square / xx), math.Sqrt(square)
}
