package diagnose

// When the CPU is the limit.
const (
	// mostlyAway is the part of a wait for others in which those wait outside of the process, from which
	// more of them at once is the first remedy.
	// Unit: ratio. Source: the larger part. Test: TestMoreWhereHoldersWait.
	mostlyAway = 0.5
	// leastStolen is the part of a machine from which on it is told that its hypervisor took it.
	// Unit: ratio. Source: what else is printed has three digits. Test: TestOrderOfThought.
	leastStolen = 0.01
	// certainlyFull is the use of the allowed cores above which a lock queue is taken for
	// an effect of the full CPU: holders wait for a processor.
	// Unit: ratio. Source: convention. Test: TestOrderOfThought.
	certainlyFull = 0.95
	// oftenStopped is the share of the periods from which a target is at its quota
	// whenever it wants to run, even if its mean use is below.
	// Unit: ratio. Source: convention. Test: TestQuotaBound.
	oftenStopped = 0.5
	// oftenUsed is the least that such a target uses of its quota: all of it in each of
	// those periods, but for what is left in slices that were handed to processors (1 ms
	// each). One that uses less ran rarely, and the periods in which nothing ran are not
	// counted.
	// Unit: ratio. Source: kernel/sched/fair.c, min_cfs_rq_runtime. Test: TestQuotaBound.
	oftenUsed = 0.4
	// mostlyBusy is the use of the processors from which they are what a closed loop waits
	// for, although they are idle now and then.
	// Unit: ratio. Source: convention: clearly more than half. Test: TestClosedLoopIsAlwaysBound.
	mostlyBusy = 0.6
	// mostlyRequeue is the part of a wait that is spent ready to run again from which the
	// sentence says so.
	// Unit: ratio. Source: convention.
	mostlyRequeue = 0.5
	// observedPart of the used cores is what a reader must know of: half of what a verdict
	// may be wrong by (see model.Saturated).
	// Unit: ratio. Source: convention.
	observedPart = 0.05
	// leastGenerator is the use of a generator on the same cores below which the sentence
	// leaves it out.
	// Unit: cores. Source: convention.
	leastGenerator = 0.05
)

// When the collector is the limit.
const (
	// gcHeavy is the collector's share of the CPU from which it is a cause: its background
	// workers take 25 % of GOMAXPROCS during a cycle. At that share over a whole window it
	// never rests, and assists come on top.
	// Unit: ratio. Source: runtime/mgcpacer.go, gcBackgroundUtilization. Test: TestTwoAccountsOfCollection.
	gcHeavy = 0.25
	// gcAndMalloc is the share of the CPU from which a full CPU is the garbage's doing.
	// Useful services spend 10–20 % on it.
	// Unit: ratio. Source: go.dev/doc/gc-guide. Test: TestFixtures.
	gcAndMalloc = 0.30
	// gcUsed is the use of the allowed cores below which the collector runs on cores that
	// would idle: it starts extra workers there.
	// Unit: ratio. Source: convention; idle workers see runtime/mgc.go.
	gcUsed = 0.3
)

// How far a ceiling reaches that is extrapolated from one window.
const (
	// spread is the relative half-width of its interval: identical runs on a small machine
	// differ by ±3–7 %.
	// Unit: ratio. Source: DESIGN §5.
	spread = 0.07
	// spreadIdle is how much wider it is for a service that is idle, in proportion to the
	// idle part: batching and caches change the cost of a request with the load.
	// Unit: ratio. Source: convention.
	spreadIdle = 0.2
)

// What of a request's time may stay unexplained.
const (
	// restShare is the part of it.
	// Unit: ratio. Source: convention. Test: TestOrderOfThought.
	restShare = 0.5
	// restFloor is what may stay unexplained however short the request is: on a shared
	// machine the way through the kernel and the scheduler costs up to some milliseconds
	// that no profile shows.
	// Unit: s. Source: convention.
	restFloor = 5e-3
	// restClosed is the same for a closed loop, where every connection is always under
	// way: something must hold them, and it should have a name.
	// Unit: s. Source: convention.
	restClosed = 1e-3
	// mostBusy bounds by how much a queue for processors is taken to stretch computing:
	// tenfold.
	// Unit: ratio. Source: the queue M/M/1, 1 ÷ (1 − use).
	mostBusy = 0.9
)

// Whether a wait follows the load.
const (
	// secondDose is how many times the throughput of one level another must have for the
	// two to be compared.
	// Unit: ratio. Source: convention. Test: TestDose.
	secondDose = 1.5
	// responds is the part of the rise in throughput that the mean number of waiters must
	// follow. Of a wait that each request has it rises as much (Little's law), of one
	// behind a queue it rises more, of parked goroutines not at all.
	// Unit: ratio. Source: convention.
	responds = 0.25
	// tracedPart is the part of a wait that traces must find inside requests.
	// Unit: ratio. Source: convention.
	tracedPart = 0.2
)

// How many events say something.
const (
	// leastSightings is the number of goroutines met in dumps from which a wait is known
	// by them: one or two are chance.
	// Unit: goroutines. Source: the Poisson distribution.
	leastSightings = 3
	// fewEvents is the number of recorded waits, or of goroutines met, below which the
	// confidence is low: its standard error is above a third.
	// Unit: waits. Source: the Poisson distribution. Test: TestLockConfidence.
	fewEvents = 10
	// eventsToName is the least number of recorded waits from which a place is named: of
	// three that are all at one place, it has more than half of all with 90 % confidence.
	// Unit: waits. Source: the Wilson interval. Test: TestBlocking.
	eventsToName = 3
	// moreRecorded is how many times more waits a mutex profile must hold than the block
	// profile to be the one that is counted by.
	// Unit: ratio. Source: convention.
	moreRecorded = 2
)

// Whether two measurements of one wait agree.
const (
	// agreeLow is the least mutex delay ÷ block delay at which both profiles saw the same
	// lock: 6 goroutines on a 20 ms hold for 3 s give 15 s in both.
	// Unit: ratio. Source: DESIGN §5. Test: TestDose.
	agreeLow = 0.7
	// agreeHigh is the largest.
	// Unit: ratio. Source: DESIGN §5. Test: TestDose.
	agreeHigh = 1.5
	// dumpsAgree is the factor within which the waiters of the profiles and those met in
	// dumps are as many.
	// Unit: ratio. Source: convention.
	dumpsAgree = 2
	// dumpsDiffer is the factor from which they contradict each other.
	// Unit: ratio. Source: convention.
	dumpsDiffer = 4
)

// What is listed.
const (
	// maxOfRule bounds the findings of one rule; the rest is in the profiles.
	// Unit: findings. Source: convention.
	maxOfRule = 5
	// maxCosts bounds the functions that are listed where CPU is the limit.
	// Unit: findings. Source: convention. Test: TestCosts.
	maxCosts = 6
	// leastCost is the share of the target's CPU from which such a function is listed:
	// without it throughput would be a twentieth higher, about what two runs differ by.
	// Unit: ratio. Source: DESIGN §5 (3–7 %). Test: TestCostsBesideSetup.
	leastCost = 0.05
	// maxTable bounds the rows of a table.
	// Unit: rows. Source: convention.
	maxTable = 10
	// leastRow is the share below which a row is left to the profiles.
	// Unit: ratio. Source: convention.
	leastRow = 0.005
	// maxPath is the length of a finding's path.
	// Unit: frames. Source: finding.go.
	maxPath = 32
	// keepsPlace is the part of the time for which some holder of a pool's place waits for a disk, from which on
	// that is what keeps the places.
	// Unit: ratio. Source: convention. Test: TestKeptPlace.
	keepsPlace = 0.3
	// nearLock is how many frames of a lock's waiter are asked what is known of them.
	// Unit: frames. Source: convention. Test: TestAdviceOfLockIsNear.
	nearLock = 12
	// maxInto is how many of the frames that a function calls, or is called by, are listed.
	// Unit: frames. Source: finding.go.
	maxInto = 3
	// maxKnown is how much of the catalogue's advice one finding gets.
	// Unit: remedies. Source: convention.
	maxKnown = 2
	// maxOffered is how many settings, or calls, of a module are told together: each place on a finding's way may have as many.
	// Unit: settings. Source: convention. Test: TestWidening.
	maxOffered = 3
	// hoped is how much of what is only hoped for, what holds for all of a class and a later version, comes before settings that
	// only have fitting names, where something is computed.
	// Unit: remedies. Source: docs/wild.md. Test: TestOrder.
	hoped = 2
	// looksAgain is how many waits for a timer each request has from which they are looks at whether something is there.
	// Unit: waits a request. Source: a wait that times out ends once. Test: TestLooksSeveralTimes.
	looksAgain = 2
	// manyGivenUp is the part of the waits for another service that end because their context is done, from which that is why connections
	// are not reused: a call over HTTP/1.1 waits twice, until it is sent and for its answer, so that it is up to half of the calls.
	// Unit: ratio. Source: net/http/transport.go, (*persistConn).roundTrip. Test: TestConnectionsOfCallsGivenUp.
	manyGivenUp = 0.25
	// partsSent is how many writes to its client a handler makes for each wait for a timer from which it sends its answer in parts.
	// Unit: writes a wait. Source: a part is one write, or more; a header alone is one for all of them. Test: TestPartsOfAnAnswer.
	partsSent = 0.5
	// tightGrowth is the part of what is alive by which the heap may grow, below which collections
	// come often because of their pace, and not because there is much garbage: half of what
	// GOGC=100 gives.
	// Unit: ratio. Source: go.dev/doc/gc-guide, GOGC. Test: TestTightPace.
	tightGrowth = 0.5
	// usualPace is GOGC where it is not set: from there on it is not what makes collections come often.
	// Unit: %. Source: go.dev/doc/gc-guide, GOGC. Test: TestPaceIsSet.
	usualPace = 100
	// atPercent is the part of the growth that GOGC allows, below which it is not GOGC that ends it. Globals and stacks count
	// for GOGC too, and make the goal higher, never lower.
	// Unit: ratio. Source: runtime/mgcpacer.go, commit. Test: TestPaceIsSet.
	atPercent = 0.8
	// leastBelow is the part of the culprit's cost from which calls below it are advised on that
	// need not be made for each request.
	// Unit: ratio. Source: convention. Test: TestNeedlessBelow.
	leastBelow = 1.0 / 3
	// leastInto is the part of its cost from which a function that it calls is a fact.
	// Unit: ratio. Source: convention.
	leastInto = 0.1
	// mostInto is the part of its cost from which advice is about a function that it calls.
	// Unit: ratio. Source: convention.
	mostInto = 0.5
	// maxHeld is how many things that holders did are facts of a wait.
	// Unit: facts. Source: convention.
	maxHeld = 3
	// leastShare is the part of the time from which such a thing is a fact.
	// Unit: ratio. Source: convention. Test: TestTailFacts.
	leastShare = 0.1
)
