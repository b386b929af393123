package diagnose

// Rule cpu.
const (
	// dominant is the cumulative share at the first diverging application frame that makes
	// one cause; about 20 % and flat is balanced.
	// Unit: ratio. Source: DESIGN §5.
	dominant = 0.7
	// hotBelow is the part of the CPU that one function must hold itself below the
	// dominant frame: with less the frame is a router over equal parts.
	// Unit: ratio. Source: convention.
	hotBelow = 0.35
	// hotAlone is the part of the CPU that makes it a cause without such a frame.
	// Unit: ratio. Source: convention.
	hotAlone = 0.5
	// hotWeak is the part from which it is named with low confidence.
	// Unit: ratio. Source: convention. Test: TestCosts.
	hotWeak = 0.3
	// hotKnown is the part from which a call is named that by its documentation need not be
	// made for each request.
	// Unit: ratio. Source: convention: what is left is four times as much. Test: TestNeedless.
	hotKnown = 0.2
	// maxSaid is how many functions the general advice about one names.
	// Unit: functions. Source: convention.
	maxSaid = 2
	// stopShare is the part of the time from which stopping the world is a cause.
	// Unit: ratio. Source: DESIGN §5, what two runs differ by. Test: TestStop.
	stopShare = 0.03
	// recordShare is the part of the CPU from which recording allocations is a cause.
	// Unit: ratio. Source: one in 512 KiB is recorded unless a program changes that (runtime/mprof.go), which takes less than a hundredth. Test: TestRecord.
	recordShare = 0.05
	// yieldShare is the part of the CPU from which goroutines that yield are a cause.
	// Unit: ratio. Source: convention: a fifth, as of what need not be. Test: TestYield.
	yieldShare = 0.2
	// handoffShare is the part of the CPU from which operations of channels are a cause.
	// Unit: ratio. Source: hotWeak. Test: TestHandoff.
	handoffShare = 0.3
	// mostHanded is the part of a function's CPU from which it does little but hand over.
	// Unit: ratio. Source: convention: half. Test: TestHandoff.
	mostHanded = 0.5
	// askedPart is the part of the time in which a goroutine waits for collections that it asked
	// for, from which these are what the collector does.
	// Unit: ratio. Source: convention. Test: TestCollectionsThatAreAskedFor.
	askedPart = 0.1
	// foreignWork is the part of a function's time under read and write calls, in the
	// allocator or in set-up, above which another rule is the one to speak.
	// Unit: ratio. Source: convention. Test: TestFixtures.
	foreignWork = 0.6
	// hotTime is the CPU of a request that is reported even in an idle process.
	// Unit: s. Source: convention.
	hotTime = 1e-3
)

// Rule recompute.
const (
	// repeats is the share of repeated answers from which a cache would nearly always hit;
	// below it misses decide.
	// Unit: ratio. Source: convention. Test: TestRecomputeOfKeptAnswers.
	repeats = 0.95
	// encodeShare is the share of the CPU above which encoding dominates the sending,
	// which a cache does not save.
	// Unit: ratio. Source: convention. Test: TestRecomputeTakesTheWhole.
	encodeShare = 0.25
	// computeShare is the same for computing.
	// Unit: ratio. Source: convention. Test: TestLockFixture.
	computeShare = 0.40
	// sendingPart is the part of such a function's time under read and write calls from
	// which it sends rather than makes.
	// Unit: ratio. Source: convention.
	sendingPart = 0.2
	// leastBody is the size below which answers repeat by chance: a status or a number
	// says little about what was computed for it.
	// Unit: B. Source: convention.
	leastBody = 512
	// readyPart is the part of the computing that most requests must lack, and the few that
	// compute must have, for the answers of most to be ready.
	// Unit: ratio. Source: convention.
	readyPart = 0.5
	// heavyRequests is the part of the requests that those few may be.
	// Unit: ratio. Source: convention.
	heavyRequests = 0.25
	// tooMany is how many answers are computed for each that had to be where most requests
	// find theirs ready: with fewer, a third of the computing at most can be saved, and how
	// long one takes is not known much better.
	// Unit: ratio. Source: convention. Test: TestRecomputeOfKeptAnswers.
	tooMany = 1.5
	// recomputeTime is the CPU of a request that is reported even in an idle process, also
	// by rule setup.
	// Unit: s. Source: convention.
	recomputeTime = 100e-6
)

// Rule setup.
const (
	// setupShare is the share of the target's CPU from which it is reported: such calls
	// need not be there at all.
	// Unit: ratio. Source: convention.
	setupShare = 0.03
	// setupSamples of the CPU profile tell calls that many requests make from one that was
	// made in the window.
	// Unit: samples. Source: convention.
	setupSamples = 10
	// setupRequests is the number of requests from which that can be told.
	// Unit: requests. Source: convention.
	setupRequests = 10
)

// When two findings are one cause.
const (
	// mostOfCause is the part of one cost that must lie below the other.
	// Unit: ratio. Source: convention. Test: TestOneCause.
	mostOfCause = 0.7
)

// oneGoroutine is the mean number of goroutines of one kind in snapshots below which there is one of them and no more: a
// single one is in each snapshot once, and counts between two of a few are means of more.
// Unit: goroutines. Source: convention. Test: TestOtherSide.
const oneGoroutine = 1.5

// Rule alloc.
const (
	// allocFloor is the allocation of a request below which nothing is reported: net/http
	// itself allocates 1–2 kB for a small one, which no change of the application removes.
	// Unit: B. Source: net/http.
	allocFloor = 1 << 10
	// allocCPU is the least share of the CPU that a site must cause by malloc and
	// collection: the smallest gain that is worth a change and that two runs on a shared
	// machine tell apart (identical ones differ by 3–7 %).
	// Unit: ratio. Source: DESIGN §5.
	allocCPU = 0.1
	// allocLarge is the allocation of a request that is reported whatever the CPU: it sets
	// how the heap and the collector grow with the load.
	// Unit: B. Source: convention. Test: TestLockFixture.
	allocLarge = 16 << 10
	// allocPart of all bytes is the least a site must have: a fifth and flat is a balanced
	// profile.
	// Unit: ratio. Source: convention.
	allocPart = 0.2
	// maxAllocs bounds the findings: a third one has less than a third of the bytes.
	// Unit: findings. Source: convention.
	maxAllocs = 2
)

// Rule gc: a collector that runs too often, because the heap is so small that each cycle
// frees little.
const (
	// gcBusy is the share of the CPU that it then takes.
	// Unit: ratio. Source: convention. Test: TestFixtures.
	gcBusy = 0.15
	// gcCycles is the number of cycles in a second of one process.
	// Unit: 1/s. Source: convention.
	gcCycles = 5.0
	// gcSmall is the live heap of all processes below which the heap is small.
	// Unit: B. Source: convention.
	gcSmall = 256 << 20
	// gcAgrees is the factor within which profile and runtime agree on its CPU.
	// Unit: ratio. Source: convention. Test: TestTwoAccountsOfCollection.
	gcAgrees = 2.0
)

// Rules serving and wire.
const (
	// servingShare is the part of the CPU from which the server around the handlers is named where
	// nothing else is: as of a function that is named with low confidence.
	// Unit: ratio. Source: hotWeak. Test: TestServing.
	servingShare = 0.3
	// manyWrites is how many write calls a request has where its answer goes out in more than one: an
	// answer needs one, and a log line may be another of some requests.
	// Unit: calls. Source: convention: half way to two. Test: TestServing.
	manyWrites = 1.5
	// wireShare is the part of the CPU from which calls on connections of a service to itself are a
	// cause: they go when it asks in memory, and what goes with them is as much again.
	// Unit: ratio. Source: convention: twice what two runs differ by. Test: TestWire.
	wireShare = 0.1
)

// Rule syscall.
const (
	// syscallShare is the share of the CPU from which one sort of call is reported.
	// Unit: ratio. Source: convention. Test: TestFixtures.
	syscallShare = 0.3
	// syscallSmallShare is the same for small answers.
	// Unit: ratio. Source: convention. Test: TestFixtures.
	syscallSmallShare = 0.5
	// smallBody is the size below which the call costs, not the copying.
	// Unit: B. Source: convention.
	smallBody = 1 << 10
)

// When a lock is held seldom and for long.
const (
	// longHold is the mean wait of those that meet it held. The runtime takes a goroutine from its processor after 10 ms
	// so that others run (runtime/proc.go, forcePreemptNS); nothing takes a lock from it.
	// Unit: s. Source: runtime/proc.go. Test: TestSeldomHeld.
	longHold = 0.010
	// seldomMet is the part of requests that meet it held: of requests that come at any time it is the part of the time
	// for which it is held or queued for, and with most of them it is more than seldom.
	// Unit: ratio. Source: PASTA. Test: TestSeldomHeld.
	seldomMet = 0.5
)
