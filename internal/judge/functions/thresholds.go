package functions

const (
	// defaultAlpha is the probability that identical arms are called different in any
	// function.
	// Unit: probability. Source: DESIGN §6 (at most 1 % of A/A runs). Test: TestIdenticalFunctions.
	defaultAlpha = 0.01
	// level is that of the intervals in a document.
	// Unit: probability. Source: convention, as in package compare. Test: TestChangeHasInterval.
	level = 0.90
	// leastCost is the part of the service's cost from which on a function is looked at, in
	// either arm: at 100 samples a second and processor smaller ones have a handful in a round.
	// Unit: ratio. Source: convention. Test: TestFloorOfCost.
	leastCost = 0.005
	// leastChange is the change below which nothing is called, as a part of the service's cost: where code lies in
	// memory moves functions by as much.
	// Unit: ratio. Source: convention, as compare.leastFloor. Test: TestFloorOfCost.
	leastChange = 0.005
	// leastWait is what a request waits for on average that counts as nothing.
	// Unit: seconds. Source: convention, as compare.leastWait. Test: TestFloorOfCost.
	leastWait = 20e-6
	// ownOnly is how much more inclusive cost than own cost makes a test of its own: below
	// it both are one figure.
	// Unit: ratio. Source: convention. Test: TestRows.
	ownOnly = 1.02
	// explains is the part of a change that changes further inside must make up for it to
	// be theirs.
	// Unit: ratio. Source: convention. Test: TestRows.
	explains = 0.5
	// stayed is how much, beside costs that moved inside it, a function may change and
	// count as unchanged.
	// Unit: ratio. Source: convention. Test: TestRows.
	stayed = 0.5
	// drawn is the part of a function's noise that is taken from what sampling makes of all functions.
	// Unit: ratio. Source: testdata/rounds.json (a half finds most, of 0, 0.5 and 0.8). Test: TestPowerOfFunctions.
	drawn = 0.5
	// slopeSpread is how far what a function feels of the machine's speed is from what the service feels before anything was
	// measured (standard deviation).
	// Unit: ratio. Source: as compare.slopeSpread. Test: TestOwnSpeed.
	slopeSpread = 0.5
	// wanted is the change of one function's CPU that rounds go on for, as a part of the service's.
	// Unit: ratio. Source: DESIGN §6. Test: TestOpen.
	wanted = 0.02
	// mostRounds is how many rounds are made at most for functions; a budget may end them before.
	// Unit: rounds. Source: testdata/rounds.json (2 % of the CPU in main.price, which scatters most, is found four times in five). Test: TestStop.
	mostRounds = 40
	// resolvedBy is how many standard errors a change must have for tests of some dozens of functions to call it four
	// times in five.
	// Unit: standard errors. Source: testdata/rounds.json (2 % of the CPU in main.price is found in 92 % of draws that end by it). Test: TestStop.
	resolvedBy = 4.5
)
