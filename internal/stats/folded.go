package stats

import "math"

// FoldedSpread returns the standard deviation of normal values of which only the
// absolute values are known, whatever their mean; NaN of fewer than two. It matches
// the first two moments of the folded normal distribution (Leone, Nelson and
// Nottingham, "The Folded Normal Distribution", 1961).
//
// It is for stopping rules: a test by flipping signs (package paired) conditions on absolute values, so
// that a decision to go on which uses nothing else cannot bias it.
func FoldedSpread(v []float64) float64 {
	if len(v) < 2 {
		return math.NaN()
	}
	var first, second float64
	for _, x := range v {
		first += math.Abs(x) / float64(len(v))
		second += x * x / float64(len(v))
	}
	if second == 0 {
		return 0
	}
	// With mean θ in units of the standard deviation s: E|x| ÷ √E x² =
	// (√(2/π) e^(−θ²/2) + θ erf(θ/√2)) ÷ √(1+θ²), ascending from √(2/π) to 1.
	ratio := first / math.Sqrt(second)
	if ratio <= foldedRatio(0) {
		return math.Sqrt(second)
	}
	if ratio >= foldedRatio(mostFolded) {
		return 0
	}
	theta := invert(ratio, foldedRatio)
	// Two moments spend two degrees of freedom where θ is large.
	return math.Sqrt(second/(1+theta*theta)) * math.Sqrt(float64(len(v))/float64(len(v)-1))
}

func foldedRatio(theta float64) float64 {
	mean := math.Sqrt(2/math.Pi)*math.Exp(-theta*theta/2) + theta*math.Erf(theta/math.Sqrt2)
	return mean / math.Sqrt(1+theta*theta)
}
