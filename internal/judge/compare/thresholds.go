package compare

// How sure an answer must be, and what it may cost.
const (
	// defaultAlpha is the probability that identical arms are called different in any
	// metric.
	// Unit: probability. Source: DESIGN §6 (at most 1 % of A/A runs). Test: TestEnough.
	defaultAlpha = 0.01
	// defaultWidth is how wide the 90 % interval of throughput and CPU per request may
	// be for rounds to end: where they end by it, a change of 5 % is found 19 times in
	// 20.
	// Unit: ratio. Source: the power of recorded rounds, decision 17. Test: TestEnough, TestPower.
	defaultWidth = 0.025
	// defaultRounds is how many rounds are run at most.
	// Unit: rounds. Source: convention; decision 17 asks for 5 % within them. Test: TestEnough.
	defaultRounds = 20
	// spareRounds need not agree with the others for a change to be called.
	// Unit: rounds. Source: convention. Test: TestEnough.
	spareRounds = 3
	// power is how often rounds call a change as large as [Resolution] says, when it is
	// there.
	// Unit: probability. Source: convention. Test: TestFewestRounds.
	power = 0.95
	// level is that of the intervals in a document.
	// Unit: probability. Source: convention. Test: TestResolutionOfFew.
	level = 0.90
	// upper is the quantile at which a two-sided interval of that level ends.
	// Unit: probability. Source: level. Test: TestResolutionOfFew.
	upper = (1 + level) / 2
)

// From how many on figures say something.
const (
	// leastScatter is the number of rounds from which their scatter is known at all: of
	// three to a factor of three.
	// Unit: rounds. Source: the chi-square distribution. Test: TestFewestRounds.
	leastScatter = 3
	// leastIdentical is the number of rounds of identical arms from which the floor is
	// said to rest on them.
	// Unit: rounds. Source: convention. Test: TestFewestRounds.
	leastIdentical = 2
	// leastFreedom is the number of degrees of freedom below which there is no floor: t
	// of one is 12.7.
	// Unit: degrees of freedom. Source: Student's t. Test: TestFewestRounds.
	leastFreedom = 2
	// minTail is the number of answers below which a p99 is not more than the second
	// largest of them.
	// Unit: answers. Source: arithmetic. Test: TestFewestRounds.
	minTail = 200
	// mostFailed is the share of failed answers above which a round's speed is that of
	// its failures.
	// Unit: ratio. Source: convention. Test: TestMeasure.
	mostFailed = 0.01
	// leastWaiters is the mean number of waiting goroutines that counts as none.
	// Unit: goroutines. Source: convention. Test: TestBands.
	leastWaiters = 0.05
	// leastWait is the waiting of a request that counts as none: ten times the largest
	// that was recorded of services without contention, in which identical runs differ
	// by a factor of up to 78.
	// Unit: s. Source: the recorded runs. Test: TestBands.
	leastWait = 20e-6
	// leastBytes is what a request may allocate and still allocate nothing: a few small
	// objects. Identical runs that stay below it differ by a factor of up to 12.
	// Unit: B. Source: the recorded runs. Test: TestBands.
	leastBytes = 128
)

// What identical runs differ by: the floor of one round each is the change, as a share,
// that two identical runs stay within 19 times in 20. The bands come from the recorded
// runs of identical code (testdata: six services and loads, windows of 3 and 5 s on two
// virtual cores, without rounds that other programs disturbed): of any two runs of one
// service, all services counting alike, 19 in 20 differ by less. Half of them differ by
// 2–7 % in throughput and CPU; but p50 near a jump of the distribution and p99 of a few
// milliseconds, which one pause of the machine decides, come and go by factors.
const (
	// recordedRuns is how many undisturbed runs the bands rest on.
	// Unit: runs. Source: testdata/rounds.json, testdata/speed.json. Test: TestOneRoundFloor.
	recordedRuns = 206
	// bandThroughput is the floor of one round in throughput.
	// Unit: ratio. Source: the recorded runs. Test: TestOneRoundFloor.
	bandThroughput = 0.20
	// bandP50 is the floor of one round in the median response.
	// Unit: ratio. Source: the recorded runs. Test: TestOneRoundFloor.
	bandP50 = 1.0
	// bandP99 is the floor of one round in the 99th percentile.
	// Unit: ratio. Source: the recorded runs. Test: TestOneRoundFloor.
	bandP99 = 2.6
	// bandCPU is the floor of one round in CPU per request.
	// Unit: ratio. Source: the recorded runs. Test: TestOneRoundFloor.
	bandCPU = 0.30
	// bandBytes is the floor of one round in bytes per request.
	// Unit: ratio. Source: the recorded runs. Test: TestBands.
	bandBytes = 0.10
	// bandWait is the floor of one round in waiting per request, and in mean waiters.
	// Unit: ratio. Source: the recorded runs. Test: TestBands.
	bandWait = 1.0
	// costBand is the change of a finding's cost that one profiled run of each arm
	// cannot tell from chance. A cost's own interval counts samples and misses what
	// differs from run to run, so a change must leave both.
	// Unit: ratio. Source: convention, as bandThroughput. Test: TestChangeOfCost.
	costBand = 0.20
)

// recordedNoise is the standard deviation of a round's log ratio in recorded rounds of
// identical arms of 5 s with a yardstick: the noisiest of three services in throughput
// and CPU, the middle one in p50 and p99.
// Unit: log ratio. Source: testdata/speed.json. Test: TestRecordedNoise.
func recordedNoise() map[string]float64 {
	return map[string]float64{throughput: 0.043, cpuEach: 0.050, "p50": 0.32, tail: 0.22}
}

// The floor of many rounds.
const (
	// leastFloor is the change below which nothing is called, however quiet the host:
	// the instruments agree to 0.1–0.2 %.
	// Unit: ratio. Source: histograms, and CPU ticks over a few seconds. Test: TestResolutionOfFew.
	leastFloor = 0.005
	// floorTail leaves one estimate in twenty outside of the floor, both sides together.
	// Unit: probability. Source: convention. Test: TestFloorHolds.
	floorTail = 0.025
	// successive is what a difference of neighbours is worth: they overlap, so n of
	// them tell as much of the spread as two thirds of n separate ones.
	// Unit: ratio. Source: von Neumann, "Distribution of the Ratio of the Mean Square Successive Difference to the Variance", 1941. Test: TestFloorHolds.
	successive = 2.0 / 3
)

// The machine, and what else uses it.
const (
	// maxOtherShare is the part of a machine that processes other than the target and
	// the generator may use, what the hypervisor took among it, before the times of a
	// run tell of them. In the recorded rounds they used less than 7 % of it or more than
	// 25 %; with more, throughput fell by up to 47 % and p99 rose by a factor of up to
	// 200.
	// Unit: ratio. Source: testdata/rounds.json; load/selfcheck (busyShare) takes a machine for busy from there on. Test: TestDisturbed.
	maxOtherShare = 0.10
	// leastPaced is the number of rounds below which the slopes are not worth their
	// uncertainty; no test can call a change with fewer either.
	// Unit: rounds. Source: roundsFor. Test: TestSpeedUnknown.
	leastPaced = 8
	// mostSlope bounds what is believed of a slope: the work that is hit hardest was
	// twice as sensitive as the yardstick.
	// Unit: ratio. Source: decision 17 (a service that decodes JSON). Test: TestRecordedNoise.
	mostSlope = 2
	// slopeSpread is how far slopes are from 1 before anything was measured (standard
	// deviation). A service that is made of the same kinds of work as the yardstick
	// slows down with it.
	// Unit: ratio. Source: decision 17.
	slopeSpread = 0.5
	// movedBeyond ends the range, in standard deviations, in which the yardstick of two
	// arms may differ by chance, which leaves it once in 80 experiments.
	// Unit: standard deviations. Source: decision 17, by the normal distribution. Test: TestSpeedLargeEffects, TestPowerWithSpeed.
	movedBeyond = 2.5
)

// What one run of each says.
const (
	// sameRate is how far the rates of two plans may differ and be one: those that
	// follow a calibration of each arm do a little.
	// Unit: ratio. Source: convention. Test: TestRefusals.
	sameRate = 0.01
	// mostLeft is the part of a cost that may be left for its removal to be judged: the
	// forecast is for all of it.
	// Unit: ratio. Source: convention. Test: TestForecast.
	mostLeft = 0.25
)
