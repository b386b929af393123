package evidence

// Whether the two ends of a lock are one. The mutex profile charges an unlocker with the
// delay of those it let in, the block profile charges the waiters: over one lock the two
// sums agree (runtime/sema.go). Sampling and the window's edges leave this much room.
const (
	// agreeLow is the least mutex delay ÷ block delay of one lock.
	// Unit: ratio. Source: DESIGN §5.
	agreeLow = 0.7
	// agreeHigh is the largest.
	// Unit: ratio. Source: DESIGN §5.
	agreeHigh = 1.5
	// looseLow is the least for a pair that the names alone already make: one waiting and
	// one unlocking function of the same owner.
	// Unit: ratio. Source: convention.
	looseLow = 0.2
	// looseHigh is the largest for such a pair.
	// Unit: ratio. Source: convention.
	looseHigh = 5
	// mainHolder is the share of a lock's delay that one unlocker must have to be named as
	// its holder.
	// Unit: ratio. Source: convention.
	mainHolder = 0.6
)

// How long a lock is held.
const (
	// minUtilization is how many dumps make a share: with fewer its standard error is
	// above 0.2.
	// Unit: dumps. Source: the binomial distribution.
	minUtilization = 8
	// minInside is how many goroutines must have been met inside.
	// Unit: goroutines. Source: the Poisson distribution.
	minInside = 3
	// mostlyHeld is the part of the dumps which meet a queue that must meet a goroutine in the lock as well for it to be the
	// holder: one that runs has no stack in memory, and is not met.
	// Unit: ratio. Source: convention. Test: TestHolderByExclusion.
	mostlyHeld = 0.5
	// countedHolds is how many traced holds make a mean: known to a tenth if they are
	// exponential.
	// Unit: holds. Source: 1 ÷ √n.
	countedHolds = 100
	// countedWaits is how many contended acquisitions make a share.
	// Unit: waits. Source: 1 ÷ √n.
	countedWaits = 100
	// dumpsDiffer is how many standard errors dumps and counting may be apart before they
	// are about different things: locks that share a line, say. Dumps within one busy
	// stretch are not independent, so it takes more than the usual three.
	// Unit: standard errors. Source: convention.
	dumpsDiffer = 4
	// leastHeld bounds the share that the standard error is computed with, at both ends:
	// at 0 and at 1 it would be nothing.
	// Unit: ratio. Source: convention.
	leastHeld = 0.05
	// handedUnseen is the part of a hold in which dumps may show no goroutine inside: the
	// one that has the lock now still stands at it, and waits for a processor.
	// Unit: ratio. Source: convention.
	handedUnseen = 0.25
)

// Waits of which the block profile holds nothing, or less than dumps show.
const (
	// minSnapshots is how many dumps a wait that only dumps show needs: one or two may be
	// chance.
	// Unit: dumps. Source: convention.
	minSnapshots = 3
	// unfinishedFactor is how many times more a dump must show than the block profile
	// recorded before the wait is taken from the dumps: a wait enters the block profile
	// when it ends, so one that does not end within the window is missing.
	// Unit: ratio. Source: convention.
	unfinishedFactor = 2
	// endsOften is how many times a wait must have ended in the window to be one that does
	// end: that dumps meet more of it is the dump's doing, which stops the world while
	// goroutines gather there.
	// Unit: waits. Source: convention.
	endsOften = 30
	// endsSoon is how many times shorter than the window they must be on average.
	// Unit: ratio. Source: convention.
	endsSoon = 20
)

// Whether profiles and traces agree.
const (
	// comparableWaits is how many waits make a mean that can be compared: with fewer its
	// relative error is above a quarter.
	// Unit: waits. Source: √(2 ÷ n).
	comparableWaits = 30
	// tracedLow is the least that traces may show of what profiles do: the two are not of
	// the same seconds.
	// Unit: ratio. Source: convention.
	tracedLow = 0.5
	// tracedHigh is the most.
	// Unit: ratio. Source: convention.
	tracedHigh = 2
	// leastCompared is the part of a request's time below which a difference does not
	// matter.
	// Unit: ratio. Source: convention.
	leastCompared = 0.01
	// minContention is the delay below which block and mutex profile need not agree, as a
	// share of the window: a few events are sampled differently by the two.
	// Unit: ratio. Source: convention.
	minContention = 0.05
	// besidePart is the part of a wait that may lie inside requests, or block one, while it
	// counts as beside them: requests under way at the ends of a trace are not recognised.
	// Unit: ratio. Source: convention.
	besidePart = 0.05
	// mostlyBeside is the part of a wait that may be in requests while the rest is taken for what is beside them.
	// Unit: ratio. Source: convention. Test: TestPartInRequests.
	mostlyBeside = 0.5
	// mostKnown is the part of the load's requests that traces must know as such for what is outside of them to be none of theirs.
	// Unit: ratio. Source: convention: throughput differs by so much while a trace is taken. Test: TestPartInRequests.
	mostKnown = 0.7
	// enoughTraced is how much of a wait traces must hold to say so.
	// Unit: s. Source: convention.
	enoughTraced = 0.1
	// marksMost is the part of the requests inferred from goroutines that the middleware
	// must have marked for its marks to stand for all.
	// Unit: ratio. Source: convention.
	marksMost = 0.8
)

// CPU.
const (
	// dominantShare is the cumulative share at which the first diverging application frame
	// is the cause.
	// Unit: ratio. Source: DESIGN §5.
	dominantShare = 0.70
	// dominantSamples is how many samples a share of 70 % needs for its standard error to
	// stay below 0.1: sqrt(0.7 × 0.3 ÷ 25) = 0.09.
	// Unit: samples. Source: the binomial distribution.
	dominantSamples = 25
	// fewSamples is the number that makes shares of ±20 %.
	// Unit: samples. Source: 1 ÷ √n.
	fewSamples = 30
	// fewPeriods is how many periods of a CPU limit must have had something to run, so
	// that a share of them is more than a single burst.
	// Unit: periods. Source: convention.
	fewPeriods = 5
	// observerShare of the CPU is too much to call the window undisturbed: capture costs at
	// most 3 % of throughput.
	// Unit: ratio. Source: DESIGN §6.
	observerShare = 0.05
	// observerCapacity of the allowed cores is the least that a reader can feel: a large
	// part of next to nothing is next to nothing.
	// Unit: ratio. Source: convention.
	observerCapacity = 0.02
	// idle is the use of the allowed cores below which CPU profile and kernel need not
	// agree: wake-ups of an idle process end before the sampling timer sees them.
	// Unit: ratio. Source: convention.
	idle = 0.2
)

// Connections that handlers took over.
const (
	// unwatched is how many handlers must read for each watcher before they count as
	// unwatched: a client that pipelines ends its watcher early.
	// Unit: ratio. Source: convention.
	unwatched = 2
	// leastServing is the CPU below which net/http reads no request and finishes no
	// answer: two system calls on a socket alone take this.
	// Unit: s. Source: convention.
	leastServing = 2e-6
	// expectServing is the CPU that all requests must cost by that before its absence
	// means anything: of ten samples none is missed by chance (e⁻¹⁰).
	// Unit: s. Source: the Poisson distribution.
	expectServing = 0.1
	// healthChecks is the part of it that a few health checks may take.
	// Unit: ratio. Source: convention.
	healthChecks = 0.1
)

// The slowest requests, and what they are compared with.
const (
	// fewest is the least number of requests in a cohort: the mean of fewer says little
	// about the next ones.
	// Unit: requests. Source: convention.
	fewest = 10
	// middleFrom is the quantile at which the requests begin that the slowest are compared
	// with.
	// Unit: quantile. Source: convention.
	middleFrom = 0.4
	// middleTo is the quantile at which they end.
	// Unit: quantile. Source: convention.
	middleTo = 0.6
	// maxSample bounds the requests of all traces that are looked at.
	// Unit: requests. Source: convention.
	maxSample = 4096
	// resamples is how often the interval of a difference is drawn.
	// Unit: samples. Source: convention.
	resamples = 300
	// excessRows is how many places of the tail's excess are kept.
	// Unit: rows. Source: convention.
	excessRows = 12
	// excessLeast is the least part of it that gets a row.
	// Unit: ratio. Source: convention.
	excessLeast = 0.005
)

// tailShares are how much of all requests counts as the slowest: more where the first
// would be too few to have a mean. Unit: ratio. Source: convention.
func tailShares() []float64 { return []float64{0.01, 0.05, 0.1} }

// What is kept.
const (
	// maxEdges bounds the graph of waiters and holders, of requests and of the links
	// behind them.
	// Unit: edges. Source: convention.
	maxEdges = 64
	// heldLeast is the part of a holder's time that gets a row.
	// Unit: ratio. Source: convention.
	heldLeast = 0.01
	// maxHeld is how many frames below a holder are kept.
	// Unit: frames. Source: convention.
	maxHeld = 8
	// maxStack is how many frames of a stack are kept.
	// Unit: frames. Source: convention.
	maxStack = 32
	// maxCallees is how many callees of a site are kept.
	// Unit: frames. Source: convention.
	maxCallees = 5
	// maxRows bounds every list of the evidence; what is left out is smaller than
	// everything that is in.
	// Unit: rows. Source: convention.
	maxRows = 300
	// leastNode is the part of a tree of stacks below which a node is left out.
	// Unit: ratio. Source: convention: two samples of a thousand.
	leastNode = 0.002
	// maxStarts is how many functions that start goroutines are kept.
	// Unit: rows. Source: convention.
	maxStarts = 20
	// enoughCollections is from how many the pace of collecting is known.
	// Unit: collections. Source: convention. Test: TestPace.
	enoughCollections = 3
	// leastMissing is the part of a window that its CPU profile lacks at the front from which
	// the rest stands for it: less is the time that requests for profiles take.
	// Unit: ratio. Source: convention. Test: TestStretched.
	leastMissing = 0.1
	// maxFunctions is how many functions of the CPU are kept: as many as a reader goes
	// through.
	// Unit: rows. Source: convention.
	maxFunctions = 50
)

// Where stacks that are not whole belong.
const (
	// sameWay is the share of what is known of the way to a function that a frame must
	// have to be on it.
	// Unit: ratio. Source: convention: clearly most. Test: TestComplete.
	sameWay = 0.8
	// startsEach is how often a goroutine must be started for each request to be a part
	// of them: workers that requests start now and then serve all of them.
	// Unit: goroutines per request. Source: convention. Test: TestComplete.
	startsEach = 0.05
	// startsFew is how many goroutines, of those that few requests start, must be seen.
	// Unit: goroutines. Source: convention. Test: TestSeldomStarted.
	startsFew = 20
	// startsEnded is the part of them that must end within a trace: workers wait for more.
	// Unit: ratio. Source: convention: clearly most. Test: TestSeldomStarted.
	startsEnded = 0.8
	// deepCPU is how many frames a CPU profile has of a stack.
	// Unit: frames. Source: runtime/cpuprof.go, maxCPUProfStack.
	deepCPU = 64
	// deepAllocs is how many profiles of events have.
	// Unit: frames. Source: runtime/mprof.go, maxProfStackDepth and GODEBUG profstackdepth.
	deepAllocs = 128
	// nearlyDeepest is how much of that a stack has that was cut off: the runtime counts wrappers
	// that it leaves out later.
	// Unit: ratio. Source: stacks of a recursive evaluator (labs/wild, opa-weekly-quota): 125 to 130 frames. Test: TestCutOff.
	nearlyDeepest = 0.9
	// outerHalf is the part of a stack that was cut off whose functions may show where it belongs: what it
	// shares with others further in is what both call.
	// Unit: ratio. Source: convention. Test: TestCutOff.
	outerHalf = 0.5
)

// How much is read of the traces of many processes.
const (
	// alwaysRead is how many traces are read whole: those of one machine.
	// Unit: traces. Source: internal/measure/window, mostTraced. Test: TestManyTraces.
	alwaysRead = 8
	// mostEvents bounds what is read of more, shared out evenly: two cores read it in about 3 s, of the 10 s in which issue 19 wants the verdict on sixteen machines.
	// Unit: events. Source: docs/benchmarks.md, 2 to 3 million events a second and core with what follows them. Test: TestManyTraces.
	mostEvents = 12_000_000
)
