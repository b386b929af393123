package stats

const (
	// Z90 is the normal quantile of a two-sided 90 % interval.
	// Unit: standard deviations. Source: the normal distribution. Test: TestStudentQuantile.
	Z90 = 1.6448536269514722
	// mostInverted is the largest value that a quantile is looked for at.
	// Unit: that of the quantile. Source: convention.
	mostInverted = 1e12
	// halvings is how often the range of a quantile is halved: beyond what the 53 bits
	// of a float64 tell apart.
	// Unit: times. Source: IEEE 754.
	halvings = 100
	// mostFolded is the mean, in standard deviations, beyond which folding changes
	// nothing that can be computed.
	// Unit: standard deviations. Source: foldedRatio, which is 1 − 5e-9 there.
	mostFolded = 1e4
)
