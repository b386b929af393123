package paired

const (
	// maxExact is the most pairs whose sign vectors are all visited: 2^15 of them,
	// since a vector and its negative give the same statistics.
	// Unit: pairs. Source: convention (some milliseconds). Test: TestSignFlipAgainstEveryVector.
	maxExact = 16
	// flipDraws is how many sign vectors are drawn when there are more pairs; a p of
	// 0.01 is then right to ± 0.0005.
	// Unit: draws. Source: the binomial distribution.
	flipDraws = 1 << 15
	// atLeast keeps rounding from telling apart sums that are equal on paper.
	// Unit: ratio. Source: the error of some operations in float64. Test: TestSignFlipDarwin.
	atLeast = 1 - 1e-9
	// atMost is the same for a sum of probabilities.
	// Unit: ratio. Source: the error of some operations in float64. Test: TestSignedRankCriticalValues.
	atMost = 1 + 1e-12
)
