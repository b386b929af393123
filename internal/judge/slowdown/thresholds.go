package slowdown

import "time"

// What calls for an experiment.
const (
	// DefaultWidth is the width of a prediction's throughput interval, high ÷ low, from
	// which an experiment is worth its time: a prediction that is narrower than that has
	// reached what it should, and few rounds would not improve on it.
	// Unit: ratio. Source: DESIGN §6. Test: TestSubjects.
	DefaultWidth = 1.5
	// LeastRounds is the number of rounds from which an interval is printed: with three
	// the widening for few rounds is more than twofold.
	// Unit: rounds. Source: fewRounds, by Hesterberg, "What Teachers Should Know About the Bootstrap", 2015. Test: TestConcludeTooLittle.
	LeastRounds = 4
)

// How large the doses are.
const (
	// effect is the change of the time between two answers that the larger dose is
	// meant to have: well above what identical rounds differ by (3–7 %), and small
	// against the service, so that what binds stays what binds.
	// Unit: ratio. Source: DESIGN §5. Test: TestDoses.
	effect = 0.2
	// leastPart is the smallest larger dose, as a part of the site's own time: what a
	// site that is all of the service's time needs for the effect.
	// Unit: ratio. Source: effect. Test: TestDoses.
	leastPart = effect
	// mostPart is the largest larger dose, as a part of the site's own time: beyond it
	// the slowed service is another one.
	// Unit: ratio. Source: convention. Test: TestDoses.
	mostPart = 0.6
	// leastSpin is the shortest delay of a call: five readings of the clock, 40 ns each.
	// Unit: duration. Source: runtime.nanotime, which Delay.Source calls. Test: TestDoses.
	leastSpin = 200 * time.Nanosecond
	// callCost is what the inserted call takes by itself.
	// Unit: s. Source: an atomic add, by Delay.Source. Test: TestDoses.
	callCost = 20e-9
	// mostCalls is the part of the site's time that all calls of a request may take
	// before the call alone changes the service.
	// Unit: ratio. Source: convention. Test: TestDoses.
	mostCalls = 0.1
	// leastCalls is how many calls a request must make on average for the place to be
	// one that requests pass at all.
	// Unit: calls/req. Source: convention. Test: TestDoses.
	leastCalls = 0.01
)

// What the line is drawn on to.
const (
	// redraws is the number of bootstrap samples: 100 lie beyond each end of a 90 %
	// interval, whose ends are then known to 2 % of its width.
	// Unit: samples. Source: the binomial error of a quantile.
	redraws = 2000
	// reached is the least part of a ceiling that a service gets to: where two bounds
	// meet it stays below both.
	// Unit: ratio. Source: convention. Test: TestConcludeLock.
	reached = 0.75
	// beyondEnds widens the even draw of how near a service gets to a ceiling, at both
	// ends, so that a 90 % interval has the ends in it: 0.06 ÷ 1.12 of the draws are
	// beyond each, more than the 5 % that an interval cuts.
	// Unit: ratio. Source: the level of the intervals.
	beyondEnds = 0.06
	// vanished is what is left of the time between two answers when a line without a
	// ceiling has reached nothing: a ratio of twenty says that, and no more.
	// Unit: ratio. Source: convention. Test: TestVanished.
	vanished = 0.05
	// leastCPU is the part of its CPU that no fix takes from a request.
	// Unit: ratio. Source: convention. Test: TestVanished.
	leastCPU = 0.02
	// straight is the bend below which a line counts as straight, however certain the
	// bend is: far inside of what identical runs differ by.
	// Unit: ratio. Source: DESIGN §5 (3–7 %). Test: TestStraight.
	straight = 0.01
)

// mostLines bounds the log of a delay: a day at twenty lines a second.
// Unit: lines. Source: the interval at which Delay.Source logs.
const mostLines = 24 * 3600 * 20
