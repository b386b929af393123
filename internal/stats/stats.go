// Package stats is the numeric leaf: the few estimators that the stages need,
// over plain slices and counts. It imports the standard library only, for reasons that
// docs/decisions/0027-statistics.md gives with figures, and keeps no state. The tests of
// pairs are in paired, the scalability law in usl.
package stats

import (
	"math"
	"slices"
)

// Mean returns the arithmetic mean; NaN of nothing.
func Mean(v []float64) float64 {
	var sum float64
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// StdDev returns the sample standard deviation (n − 1); NaN of fewer than two.
func StdDev(v []float64) float64 {
	if len(v) < 2 {
		return math.NaN()
	}
	m := Mean(v)
	var sum float64
	for _, x := range v {
		sum += (x - m) * (x - m)
	}
	return math.Sqrt(sum / float64(len(v)-1))
}

// MeanInterval returns the arithmetic mean, and half the width of its 90 % interval by
// Student's t; half is NaN of fewer than two.
func MeanInterval(v []float64) (mean, half float64) {
	return Mean(v), StudentQuantile(0.95, len(v)-1) * StdDev(v) / math.Sqrt(float64(len(v)))
}

// Quantile returns the p-quantile (0–1) by linear interpolation between order
// statistics (definition 7 of Hyndman and Fan, "Sample Quantiles in Statistical
// Packages", 1996); NaN of nothing. The argument is not changed.
func Quantile(v []float64, p float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(v))
	at := min(max(p, 0), 1) * float64(len(s)-1)
	i := int(at)
	if i+1 == len(s) {
		return s[i]
	}
	return s[i] + (at-float64(i))*(s[i+1]-s[i])
}

// Binomial returns the 90 % Wilson interval of a proportion of which k of n
// trials were seen. It stays within 0–1 and holds at k = 0 and k = n, where the
// normal interval has no width (Brown, Cai and DasGupta, "Interval Estimation
// for a Binomial Proportion", 2001). Without trials it is all of 0–1.
func Binomial(k, n float64) (low, high float64) { return wilson(k, n, Z90) }

// wilson is the interval of the normal quantile z.
func wilson(k, n, z float64) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	k = min(max(k, 0), n)
	p, z2 := k/n, z*z
	centre := (p + z2/(2*n)) / (1 + z2/n)
	half := z / (1 + z2/n) * math.Sqrt(p*(1-p)/n+z2/(4*n*n))
	return max(0, centre-half), min(1, centre+half)
}

// Bound returns v, or the nearer end of [low, high].
func Bound(v, low, high float64) float64 { return max(low, min(v, high)) }
