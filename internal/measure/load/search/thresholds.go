package search

// What holds for every promise that does not name it. A service that refuses requests
// at once has a fine p99 of the rest, and one that falls behind by a tenth has, in a
// short probe, a fine p50: neither keeps up with the rate.
const (
	// assumedErrors is the share of failed requests that a promise stands: one in a
	// hundred is where an error cannot be missed in a p99.
	// Unit: ratio. Source: convention. Test: TestHolds.
	assumedErrors = 0.01
	// assumedRate is the share of the offered rate that must be achieved. It leaves room
	// for requests that cross the ends of a short probe.
	// Unit: ratio. Source: convention. Test: TestHolds.
	assumedRate = 0.95
)

// The defaults and bounds of Options.
const (
	// defaultStart is the rate of the first probe: below what nearly any service takes.
	// Unit: req/s. Source: convention. Test: TestOptionBounds.
	defaultStart = 50.0
	// defaultMin is the rate below which nothing is tried.
	// Unit: req/s. Source: convention. Test: TestOptionBounds.
	defaultMin = 1.0
	// defaultMax is the rate above which nothing is tried: more than one machine sends.
	// Unit: req/s. Source: convention. Test: TestOptionBounds.
	defaultMax = 1e7
	// defaultProbes is how many probes a search may take; most services need fewer.
	// Unit: probes. Source: convention. Test: TestOptionBounds.
	defaultProbes = 40
	// leastRepeats is how often each side of the edge is probed again.
	// Unit: probes. Source: convention. Test: TestOptionBounds.
	leastRepeats = 5
	// defaultTolerance is the ratio of the rates on the two sides of the edge, − 1: what
	// identical runs differ by.
	// Unit: ratio. Source: DESIGN §5 (3–7 %). Test: TestOptionBounds.
	defaultTolerance = 0.05
	// leastTolerance is the smallest tolerance: two rates that are closer cannot be told
	// apart by any number of probes that a user would wait for.
	// Unit: ratio. Source: convention. Test: TestOptionBounds.
	leastTolerance = 0.005
	// mostTolerance is the largest tolerance: the rate doubles.
	// Unit: ratio. Source: growth. Test: TestOptionBounds.
	mostTolerance = growth - 1
)

// How a search goes on.
const (
	// growth is by how much the rate grows while it holds.
	// Unit: ratio. Source: convention. Test: TestSteps.
	growth = 2.0
	// retreat is by how much the rate falls while none has held.
	// Unit: ratio. Source: growth, twice. Test: TestSteps.
	retreat = growth * growth
	// majority is how many of three verdicts decide on a rate that broke once.
	// Unit: verdicts. Source: arithmetic. Test: TestVerdictsThatDecide.
	majority = 2
	// contradiction is by how many verdicts a repeated side must disagree to end the
	// repeats: two more than not.
	// Unit: verdicts. Source: convention. Test: TestVerdictsThatDecide.
	contradiction = 2
	// voids is how many probes of one rate must be void for the generator to be the
	// limit: one that lost its processor once is not at its ceiling.
	// Unit: probes. Source: convention. Test: TestVerdictsThatDecide.
	voids = 3
	// rounding lets two rates of so many digits be called the tolerance apart.
	// Unit: ratio. Source: rateDigits. Test: TestEndings.
	rounding = 1.001
	// rateDigits is how many digits of a rate are kept, so that a reader can repeat it.
	// Unit: digits. Source: convention. Test: TestSteps.
	rateDigits = 4
)

// Where a sweep bends.
const (
	// halfGain is the part of the throughput per added connection at the start below
	// which a sweep no longer pays.
	// Unit: ratio. Source: convention. Test: TestKnee.
	halfGain = 0.5
	// kneeLevels is the number of levels from which there can be a bend.
	// Unit: levels. Source: arithmetic. Test: TestKnee.
	kneeLevels = 3
	// moreThan is by how much the response must have grown for a bend to be a knee:
	// identical runs differ by 3–7 %.
	// Unit: ratio. Source: DESIGN §5. Test: TestKnee.
	moreThan = 1.05
)

// What is plausible of an edge before any probe (see edgeOf).
const (
	// edgePoints is the number of points of the grid on which the edge is looked for.
	// Unit: points. Source: convention. Test: TestEdgeOf.
	edgePoints = 241
	// guess is the chance that a probe far above the edge holds, the guess rate.
	// Unit: probability. Source: convention. Test: TestEdgeOf.
	guess = 0.01
	// tail is what a 90 % interval leaves out on each side.
	// Unit: probability. Source: the level of the intervals. Test: TestEdgeOf.
	tail = 0.05
	// blurPoints is the number of values of the blur, equally plausible.
	// Unit: points. Source: convention. Test: TestEdgeOf.
	blurPoints = 13
	// leastBlur is the smallest blur of an edge, as a part of the rate.
	// Unit: ratio. Source: convention. Test: TestEdgeOf.
	leastBlur = 0.002
	// mostBlur is the largest blur of an edge.
	// Unit: ratio. Source: convention. Test: TestEdgeOf.
	mostBlur = 1
)

// lapses are chances of a hiccup, which breaks a probe at any rate, with their weights:
// most services have few.
// Unit: probability. Source: convention; Wichmann and Hill, "The psychometric function: I", 2001, say why there must be some. Test: TestEdgeOf.
func lapses() [][2]float64 {
	return [][2]float64{{0.005, 0.3}, {0.02, 0.25}, {0.05, 0.2}, {0.1, 0.12}, {0.2, 0.08}, {0.35, 0.05}}
}
