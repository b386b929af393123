package check

// How certain a broken bound is.
const (
	// alpha is the probability with which a budget calls identical runs broken, where
	// the noise between baselines is normal; its bounds share it.
	// Unit: probability. Source: convention, as compare.Options. Test: TestGolden.
	alpha = 0.01
	// enough is how many baselines tell the noise of their host: with two, Student's t
	// for one in a hundred is 32 times their difference.
	// Unit: runs. Source: Student's t. Test: TestAgainstSeveral.
	enough = 3
	// unknownHost is how many bands a change must exceed where nothing is known of the
	// host's noise. Of the recorded identical runs one band calls 31–63 % broken by the
	// four bounds of Default, and three 6–38 %.
	// Unit: bands. Source: identical.json. Test: TestAgainstOne.
	unknownHost = 3
	// manyErrors is the normal quantile of alpha, one-sided.
	// Unit: standard errors. Source: the normal distribution. Test: TestAgainstOne.
	manyErrors = 2.326
	// drawn is how many times each service is drawn for the share of identical runs that
	// a budget calls broken, which is then known to one percentage point.
	// Unit: draws. Source: the binomial distribution. Test: TestGolden.
	drawn = 2000
	// rounding is by how much two log ratios may differ that are equal on paper.
	// Unit: log ratio. Source: the error of a few operations in float64.
	rounding = 1e-12
)

// How many rounds of unpark ab would tell a change from a bound.
const (
	// mostRounds is the number of rounds beyond which the text says that they would not
	// tell.
	// Unit: rounds. Source: convention. Test: TestRoundsToTell.
	mostRounds = 100
	// surely is how many standard errors from the bound a change is found 95 times in
	// 100 at alpha 0.01: the normal quantiles 2.576 and 1.645 together.
	// Unit: standard errors. Source: the normal distribution. Test: TestRoundsKeepTheirWord.
	surely = 4.221
	// called is how many standard errors from no change a change is called worse as
	// often: more than of normal noise and one metric, as it is tested together with
	// the others, and by few signs.
	// Unit: standard errors. Source: the recorded rounds of compare. Test: TestRoundsKeepTheirWord.
	called = 7
)

// The change of a metric that is added to the noise of the baselines, as a share; a
// comparison of two runs, which knows nothing of the host, takes more (unknownHost).
const (
	// bandThroughput is what is added in throughput.
	// Unit: ratio. Source: convention, by identical.json. Test: TestAgainstOne.
	bandThroughput = 0.10
	// bandP50 is what is added in the median response.
	// Unit: ratio. Source: convention, by identical.json. Test: TestAgainstOne.
	bandP50 = 0.20
	// bandP99 is what is added in the 99th percentile.
	// Unit: ratio. Source: convention, by identical.json. Test: TestAgainstOne.
	bandP99 = 0.30
	// bandCPU is what is added in CPU per request.
	// Unit: ratio. Source: convention, by identical.json. Test: TestAgainstOne.
	bandCPU = 0.10
	// bandBytes is what is added in bytes per request.
	// Unit: ratio. Source: convention, by identical.json. Test: TestAgainstOne.
	bandBytes = 0.10
	// bandWaiters is what is added in mean waiters.
	// Unit: ratio. Source: convention, by identical.json. Test: TestAgainstOne.
	bandWaiters = 0.20
	// leastWaiters is the mean number of waiting goroutines that counts as none.
	// Unit: goroutines. Source: convention, as in compare. Test: TestAgainstOne.
	leastWaiters = 0.05
)

// A percentile is a figure when two answers or more are slower than it.
const (
	// leastP90 is the number of answers from which a p90 is a figure.
	// Unit: answers. Source: arithmetic. Test: TestPercentilesTake.
	leastP90 = 20
	// leastP95 is the number of answers from which a p95 is a figure.
	// Unit: answers. Source: arithmetic. Test: TestPercentilesTake.
	leastP95 = 40
	// leastP999 is the number of answers from which a p99.9 is a figure.
	// Unit: answers. Source: arithmetic. Test: TestPercentilesTake.
	leastP999 = 2000
)

// What a budget file may hold.
const (
	// maxBudget bounds the size of a budget file; real ones have a few hundred bytes.
	// Unit: B. Source: convention. Test: TestReadErrors.
	maxBudget = 1 << 20
	// maxBounds is how many limits one file may have.
	// Unit: limits. Source: convention. Test: TestReadErrors.
	maxBounds = 200
	// mostChange is the largest change that a bound may allow.
	// Unit: ratio. Source: convention. Test: TestReadErrors.
	mostChange = 1000
)

// columns is the width of the text.
// Unit: characters. Source: convention. Test: TestGolden.
const columns = 100
