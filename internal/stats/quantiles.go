package stats

import "math"

// StudentQuantile returns the p-quantile (0 < p < 1) of Student's t with df degrees
// of freedom; NaN below one. It inverts the finite series of Abramowitz and Stegun,
// Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
func StudentQuantile(p float64, df int) float64 {
	if df < 1 || !(p > 0 && p < 1) {
		return math.NaN()
	}
	if p < 1-p {
		return -StudentQuantile(1-p, df)
	}
	return invert(2*p-1, func(t float64) float64 { return studentWithin(t, df) })
}

// studentWithin returns P(−t ≤ T ≤ t).
func studentWithin(t float64, df int) float64 {
	angle := math.Atan(t / math.Sqrt(float64(df)))
	sin, cos := math.Sin(angle), math.Cos(angle)
	term, sum := 1.0, 0.0
	if df%2 == 1 {
		term = cos
		for k := 3; k <= df; k += 2 {
			sum += term
			term *= cos * cos * float64(k-1) / float64(k)
		}
		return 2 / math.Pi * (angle + sin*sum)
	}
	for k := 2; k <= df; k += 2 {
		sum += term
		term *= cos * cos * float64(k-1) / float64(k)
	}
	return sin * sum
}

// ChiSquareQuantile returns the p-quantile (0 < p < 1) of chi-square with df degrees
// of freedom; NaN below one. It inverts the finite series of Abramowitz and Stegun,
// 26.4.4 and 26.4.5.
func ChiSquareQuantile(p float64, df int) float64 {
	if df < 1 || !(p > 0 && p < 1) {
		return math.NaN()
	}
	return invert(p, func(x float64) float64 { return chiSquareBelow(x, df) })
}

func chiSquareBelow(x float64, df int) float64 {
	above, term, from := math.Exp(-x/2), math.Exp(-x/2), 2
	if df%2 == 1 {
		above, term, from = math.Erfc(math.Sqrt(x/2)), math.Sqrt(2*x/math.Pi)*math.Exp(-x/2), 1
	}
	for k := from; k < df; k += 2 {
		if df%2 == 1 && k == 1 {
			above += term
			continue
		}
		term *= x / float64(k)
		above += term
	}
	return 1 - above
}

// invert returns x ≥ 0 at which the ascending f is y.
func invert(y float64, f func(float64) float64) float64 {
	low, high := 0.0, 1.0
	for f(high) < y && high < mostInverted {
		low, high = high, 2*high
	}
	for range halvings {
		if middle := low/2 + high/2; f(middle) < y {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
