package bisect

const (
	// alpha is the probability with which equal ends are called different, all looks together.
	// Unit: probability. Source: convention, as compare.Options. Test: TestEqualEnds.
	alpha = 0.01
	// sure is the probability from which a commit is said to be the one: the model's noise is not the machine's.
	// Unit: probability. Source: asked for is 0.95. Test: TestSearches.
	sure = 0.98
	// freedom is the degrees of freedom of the noise of a round.
	// Unit: 1. Source: Lange, Little and Taylor, "Robust Statistical Modeling Using the t Distribution", 1989.
	// Test: TestADisturbedRoundDoesNotDecide.
	freedom = 4.0
	// buildRounds is what a build costs when nothing is known of it.
	// Unit: rounds. Source: convention: half a minute, and a round of 16 s. Test: TestBuildsAreSpared.
	buildRounds = 6.0
	// ahead is how many rounds of one commit are weighed against a build of another.
	// Unit: rounds. Source: convention: a power of two beyond which rounds of 5 % noise tell levels 5 % apart.
	ahead = 32
	// spareBuilds is how many builds a search may take beyond those of a search without noise.
	// Unit: builds. Source: simulated in TestSearches.
	spareBuilds = 4
	// leastBuilds is how many builds a search may take however short its history is.
	// Unit: builds. Source: asked for are 12 of 64 commits, the two ends among them. Test: TestSearches.
	leastBuilds = 10
	// mostRounds is how often one commit is measured.
	// Unit: rounds. Source: convention. Test: TestNextEnds.
	mostRounds = 60
	// leastInformation is what a round must tell for its cost.
	// Unit: bits. Source: convention.
	leastInformation = 1e-6
	// normalMAD is the median distance from the centre of a normal distribution, in standard deviations.
	// Unit: standard deviations. Source: the normal distribution. Test: TestEffectOf.
	normalMAD = 0.6745
	// quietest is the noise of a round that is taken for the least: rounds that are all equal are counted ones.
	// Unit: log ratio. Source: bytes per request of a service without chance. Test: TestQuietRounds.
	quietest = 0.0005
	// grid is how many sizes of the change are tried, and gridWidth how far from the measured one.
	// Unit: 1. Source: the trapezoidal rule is exact to 0.1 % there.
	grid = 11
	// gridWidth is in standard errors of the effect.
	// Unit: standard errors. Source: the normal distribution: 1 in 16,000 beyond.
	gridWidth = 4.0
)

// widths are the scales of the noise that are tried, by the one that was measured: of twelve rounds it may be half of
// the truth.
// Unit: ratio. Source: the distribution of the median deviation of 12. Test: TestSearches.
func widths() []float64 { return []float64{0.5, 0.7, 1, 1.4, 2, 2.8} }

// looks is after how many rounds the ends are compared: each twice the one before.
// Unit: rounds. Source: convention; alpha is divided by their number.
func looks() []int { return []int{12, 24, 48} }
