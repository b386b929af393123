package across

// What a join rests on.
const (
	// exclusive is the share of a service's connections that must be the caller's for what the
	// service does to be done for it: what others ask then hides in the noise.
	// Unit: ratio. Source: half of what two identical runs differ by (±3–7 %). Test: TestJoin.
	exclusive = 0.95
	// overlapping is how many times the wait for answers the answers may take: a caller that waits
	// for several at once, or for none of them, waits less than their sum.
	// Unit: ratio. Source: convention, above what traces of two moments differ by. Test: TestJoin.
	overlapping = 1.5
	// enough is the requests of a trace from which their rate and mean are known well enough.
	// Unit: requests. Source: 100 give a mean to 20 % where times are exponential. Test: TestJoin.
	enough = 100
	// enoughMatched is the requests of the run that must be found in both traces.
	// Unit: requests. Source: as enough. Test: TestMatch.
	enoughMatched = 100
	// slowestPart is the part of the matched requests that are the slowest: one in a hundred, or
	// fewestSlow where those are fewer.
	// Unit: ratio. Source: a p99. Test: TestMatch.
	slowestPart = 0.01
	// fewestSlow is the requests below which a mean of the slowest is one of chance.
	// Unit: requests. Source: as evidence's cohorts. Test: TestMatch.
	fewestSlow = 20
	// leastCause is the share from which a state of a service is told as a cause.
	// Unit: ratio. Source: convention. Test: TestMatch.
	leastCause = 0.05
	// mostCauses is how many of them are told.
	// Unit: causes. Source: convention. Test: TestMatch.
	mostCauses = 5
	// mine is the share of a service's matched requests that must be the run's.
	// Unit: ratio. Source: as exclusive. Test: TestMatch.
	mine = 0.95
	// wider is the relative half-width of a figure that two traces of nearby moments give.
	// Unit: ratio. Source: ±3–7 % between identical runs, twice. Test: TestJoin.
	wider = 0.15
)
