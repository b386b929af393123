package bench

const (
	// defaultAlpha is the probability that identical revisions are called different in any
	// figure of any benchmark.
	// Unit: probability. Source: DESIGN §6 (at most 1 % of A/A runs). Test: TestIdenticalBenchmarks.
	defaultAlpha = 0.01
	// leastChange is the change of a figure below which nothing is called: where code lies in memory moves
	// tight loops by as much.
	// Unit: ratio. Source: convention, as compare.leastFloor. Test: TestJudge.
	leastChange = 0.005
	// level is that of the interval of a change.
	// Unit: probability. Source: convention, as in package compare. Test: TestJudge.
	level = 0.90
	// summed is the confidence of the interval of an arm's median, as benchstat prints it.
	// Unit: probability. Source: golang.org/x/perf/cmd/benchstat (-confidence). Test: TestJudge.
	summed = 0.95
)
