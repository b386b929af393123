package model

// What binds a service.
const (
	// leastDumps is from how many dumps that agree a number of goroutines is fixed.
	// Unit: dumps. Source: convention. Test: TestLoops.
	leastDumps = 3
	// crowdedLoop is how many requests are under way for each goroutine that serves them, at
	// least, for some to be behind.
	// Unit: ratio. Source: convention. Test: TestLoops.
	crowdedLoop = 1.5
	// mostRequests is the part of the requests that a loop's waits must be for, at least, as a
	// goroutine whose wait never ends serves none; and of its goroutines that dumps must meet
	// in them.
	// Unit: ratio. Source: convention. Test: TestLoops.
	mostRequests = 0.5
	// BindingShare is the part of a request's time that a wait must take to be the limit,
	// and the part of anything else that counts as most of it. Below a half, what is left
	// weighs more than what the fix could remove.
	// Unit: ratio. Source: arithmetic. Test: TestOneLock.
	BindingShare = 0.5
	// Saturated is the busy share of the allowed cores above which CPU is what binds, and
	// of a machine above which generator and target compete for it. It is not 1: above
	// about 85 % a queue for the processor forms before every request, the kernel's own
	// part of the cgroup's time is not all charged, and two cores were never busier than
	// 97 % in trials.
	// Unit: ratio. Source: convention. Test: TestDuring.
	Saturated = 0.85
	// leastThrottled is the share of the periods (100 ms, cfs_period_us) below which
	// throttling is one burst: 5 % is a stall in every twentieth one.
	// Unit: ratio. Source: convention. Test: internal/judge/diagnose.TestQuotaBound.
	leastThrottled = 0.05
)

// When CPU is scarce enough for a saving to be felt.
const (
	// scarce is the use of the allowed cores from which it is.
	// Unit: ratio. Source: convention. Test: internal/judge/diagnose.TestRecomputeOfKeptAnswers.
	scarce = 0.5
	// wantsMore is the use of the allowed cores from which a service on a machine that
	// others fill would plainly take more: its fair share of two sides is a half.
	// Unit: ratio. Source: convention. Test: internal/judge/diagnose.TestOrderOfThought.
	wantsMore = 0.25
	// onlyComputes is the part of the requests' traced time on processors, or in wait of them, from which they wait for nothing
	// else to speak of.
	// Unit: ratio. Source: convention. Test: TestScarce.
	onlyComputes = 0.8
	// tracedEnough is how many traced requests say where time goes.
	// Unit: requests. Source: a part of 0.8 is then known to 0.08 at 95 % (binomial). Test: TestScarce.
	tracedEnough = 100
	// computing is the part of a request's time from which computing is felt by itself,
	// however idle the cores are.
	// Unit: ratio. Source: convention. Test: internal/judge/diagnose.TestFixtures.
	computing = 0.1
)

// Near saturation of a lock: half of a request's time is waiting for it, or it is held
// nearly always and is felt.
const (
	// busyLock is the part of the window in which such a lock is held. With ρ = rate ×
	// hold the mean wait of a queue with constant holds is ρ/(2(1−ρ)) holds: 2 holds at
	// 0.8, 2.8 at 0.85, 9.5 at 0.95.
	// Unit: ratio. Source: convention, by the Pollaczek–Khinchine formula. Test: internal/judge/diagnose.TestOrderOfThought.
	busyLock = 0.85
	// busyLockFelt is the part of a request's time that it must then take.
	// Unit: ratio. Source: convention.
	busyLockFelt = 0.1
	// loneWaiters makes a lock the limit when no load says what a request's time is.
	// Unit: goroutines. Source: convention.
	loneWaiters = 10
	// mostOfHold is the part of the time for which a lock or a place is held that one
	// function must compute to be what keeps it.
	// Unit: ratio. Source: convention. Test: TestKeeper.
	mostOfHold = 0.5
	// partOfHold is the part below which what is computed while a lock is held is not told as what it is held for.
	// Unit: ratio. Source: convention. Test: internal/judge/diagnose.TestBesideTheHold.
	partOfHold = 0.1
	// mostlyBusy is the use of the processors from which a trace that finds the holders of a
	// lock without one is believed: of fewer, a trace's own cost may be why.
	// Unit: ratio. Source: convention. Test: internal/judge/diagnose.TestStarvedLocks.
	mostlyBusy = 0.6
	// alwaysRuns is the part of the time for which one goroutine is in a function that has no
	// more to give.
	// Unit: ratio. Source: convention. Test: TestAlone.
	alwaysRuns = 0.85
	// surelyHeld is how much longer than something is held a function may run that runs
	// meanwhile: both are estimates.
	// Unit: ratio. Source: convention. Test: TestKeeper.
	surelyHeld = 1.2
	// burdenPart is how large the frame that says what a holder does must be beside the
	// heaviest one below it.
	// Unit: ratio. Source: convention. Test: labs/verdict.TestRecordedVerdicts.
	burdenPart = 0.5
)

// Waits for goroutines that wait for a processor themselves.
const (
	// fewTraced is how many traced waits say what the goroutines did that ended them: of
	// ten that are alike none is chance. To blame a chain of waits takes more.
	// Unit: waits. Source: convention. Test: internal/judge/diagnose.TestStarvedLocks.
	fewTraced = 10
	// ownWork is the part of a lock's delay that the work done under it must be able to
	// make, before the rest is the doing of processors that holders wait for.
	// Unit: ratio. Source: convention. Test: labs/verdict.TestRecordedVerdicts.
	ownWork = 0.1
)

// Waits of requests for other goroutines.
const (
	// explainedBy is the part of a join that other goroutines' own waits must fill before
	// the join is only how a request learns that they are done.
	// Unit: ratio. Source: convention. Test: internal/judge/diagnose.TestGroupCommitIsOneFinding.
	explainedBy = 0.7
	// overlap is the sum of two parts of a request's time above which they do not fit one
	// after the other into it and happen at the same time: a tenth more than all of it,
	// for the ends of the window.
	// Unit: ratio. Source: convention. Test: internal/judge/diagnose.TestJoins.
	overlap = 1.1
	// fitsRequests is how much longer than the requests themselves their waits for other
	// goroutines can be measured, by the two ends of the window not matching.
	// Unit: ratio. Source: convention. Test: internal/judge/diagnose.TestFixtures.
	fitsRequests = 1.5
)

// Waits between tries.
const (
	// fewTry is the largest part of the requests that come to a wait between tries: those to which chance gave two such
	// waits would be a hundredth of these.
	// Unit: ratio. Source: convention. Test: TestAgain.
	fewTry = 0.1
	// triesOfOne is how many times as long as one wait the slowest request takes that waited more than once.
	// Unit: ratio. Source: arithmetic. Test: TestAgain.
	triesOfOne = 2
)

// Waits of goroutines beside requests.
const (
	// tracedShare is the part of a lock's waits that a trace must show for what it says of the holders to be taken for all of them.
	// Unit: ratio. Source: convention, as for the warning that trace and profile differ (evidence, tracedLow).
	tracedShare = 0.5
	// leastTraced is how many requests a trace must have for it to say which of such waits they wait for.
	// Unit: requests. Source: convention. Test: TestBeside.
	leastTraced = 100
	// hardlyBehind is the part of such a wait, as the profile has it, that requests wait for by the trace, below which it
	// is none of theirs: both are measured within a factor of a few.
	// Unit: ratio. Source: convention. Test: TestBeside.
	hardlyBehind = 0.1
)

// Chains of waits in a trace.
const (
	// chainLinks bounds how far a chain of waits is followed.
	// Unit: waits. Source: convention.
	chainLinks = 8
	// mostLinks is how many functions of modules are named along a chain of waits: as many as goroutines are followed.
	// Unit: functions. Source: convention. Test: TestLinks.
	mostLinks = 8
	// chainLeast is the part of the first wait that is followed further: there are at most
	// a hundred such parts in each link, however many wait for one another.
	// Unit: ratio. Source: arithmetic.
	chainLeast = 0.01
	// chainAway is the part of the first wait that calls at the end of a chain must fill at
	// the least; they must be most of what is not spent wanting a processor as well.
	// Unit: ratio. Source: convention. Test: internal/judge/diagnose.TestJoinsBehindAnswers.
	chainAway = 0.3
	// ChainWaits is how many waits make an edge of a trace worth following.
	// Unit: waits. Source: convention. Test: labs/verdict.TestRecordedVerdicts.
	ChainWaits = 20
	// noneByChance is how many waits a trace has to have on average for it to have none of them by chance seldom: once in
	// 150 times.
	// Unit: waits. Source: arithmetic, e⁻⁵ (Poisson). Test: TestByTimer.
	noneByChance = 5
)

// A ramp that became too much for the service.
const (
	// leastStretch is how many seconds of the timeline a service must be behind: one may
	// be a pause.
	// Unit: s. Source: convention. Test: internal/judge/diagnose.TestRampIsJudgedWhereItIsTooMuch.
	leastStretch = 2
	// slower is how much longer responses must get when a service falls behind. Requests
	// that are not answered wait, so a shortfall without a queue is a rounding of counts.
	// Unit: ratio. Source: convention. Test: internal/judge/diagnose.TestRampIsJudgedWhereItIsTooMuch.
	slower = 2
)

// waitsAnew is how many times each request waits for a condition that all are woken by, from which they are woken in vain: one that
// takes a few places in turn waits for each of them once.
// Unit: count. Source: convention. Test: internal/judge/diagnose.TestPoolOfACondition.
const waitsAnew = 4
