package diagnose

// A wait that is not for a lock. Snapshots cannot see less than about one goroutine in a
// hundred.
const (
	// pauseShare is the part of a request's time from which it is a finding: a hundredth
	// is below what two identical runs differ by (3–7 %).
	// Unit: ratio. Source: DESIGN §5.
	pauseShare = 0.01
	// pauseWaiters is the mean number of waiters that it then needs.
	// Unit: goroutines. Source: convention.
	pauseWaiters = 0.05
	// pauseLarge is the part of a request's time from which it needs no number of them:
	// at a low rate any number is small.
	// Unit: ratio. Source: convention.
	pauseLarge = 0.1
	// retryShare is the floor of waits between attempts: few requests make them, and those are the slowest.
	// Unit: ratio. Source: convention. Test: TestWaitsBetweenAttempts.
	retryShare = 0.1
	// sleepShare is the floor of a sleep that no limiter asked for: programs sleep in many
	// places on purpose, and only a large one is a cause.
	// Unit: ratio. Source: convention.
	sleepShare = 0.3
	// loneWaiters is the floor when no load says what a request's time is.
	// Unit: goroutines. Source: convention.
	loneWaiters = 0.5
	// flightWaiters is how many requests must wait for each one that computes before one
	// computes for many: with fewer each does its own work in turn.
	// Unit: requests. Source: convention. Test: TestFlights.
	flightWaiters = 2
)

// Rule lock: floors below which a contended lock is not a finding. A short response makes
// any share large, and a low rate any delay small, so the share alone is not enough. What
// a lock costs is the prediction's business.
const (
	// lockWaiters is the mean number of waiters from which it is one: a goroutine that
	// waits a twentieth of the time.
	// Unit: goroutines. Source: convention.
	lockWaiters = 0.05
	// lockLeastWaiters is the number below which it never is: a holder that lost its
	// processor once.
	// Unit: goroutines. Source: convention. Test: TestLockFloors.
	lockLeastWaiters = 0.01
	// lockShare is the part of a request's time from which it is one between the two.
	// Unit: ratio. Source: convention.
	lockShare = 0.01
	// lockFirst is the part of all blocking from which a lock is a finding between the
	// two: a reader of the block profile sees it first, so its cost is then the news.
	// Unit: ratio. Source: convention.
	lockFirst = 0.5
	// lockFirstEvents is the number of waits that this takes.
	// Unit: waits. Source: convention.
	lockFirstEvents = 50
	// lockTail is the part of what the slowest requests have more of than the others from
	// which a lock is a finding that is hardly any of the mean.
	// Unit: ratio. Source: convention. Test: TestLocksThatAreWorthNothing.
	lockTail = 0.25
	// mostPeers is how many of the addresses that a service has connections to are named.
	// Unit: addresses. Source: convention. Test: TestPeersAreNamed.
	mostPeers = 3
	// lockForeign is the part of a request's time that the locks inside Go's own HTTP
	// server, client and connections must have: they cannot be changed, and say that one
	// client is too few, or its connections are.
	// Unit: ratio. Source: convention. Test: TestLocksOfTheLibrary.
	lockForeign = 0.1
	// mostHolders is how many goroutines a process may be met with below a lock that one
	// at a time holds: the dumps are samples.
	// Unit: goroutines. Source: convention.
	mostHolders = 1.2
)

// Rule lock: what is said of it.
const (
	// dominantDelay is the part of all mutex delay that a reader of the mutex profile sees
	// as all of it.
	// Unit: ratio. Source: convention. Test: TestMutexProportion.
	dominantDelay = 0.8
	// negligibleWaiters is the mean number of waiters below which all of it is little: one
	// goroutine waiting a fifth of the time.
	// Unit: goroutines. Source: convention. Test: TestMutexProportion.
	negligibleWaiters = 0.2
	// pathDelay is the part of all mutex delay from which the locks below a wait are a
	// fact of it.
	// Unit: ratio. Source: convention.
	pathDelay = 0.5
	// tinyHold is a hold below which a sync.RWMutex costs more than it saves: its readers
	// still share one counter, which bounces between cores for tens of nanoseconds each
	// time.
	// Unit: s. Source: convention; sync/rwmutex.go.
	tinyHold = 1e-6
	// oftenWritten is the part of an RWMutex's delay at its write side from which it is
	// not a lock of readers: a writer waits for all readers that are inside, and keeps new
	// ones out meanwhile.
	// Unit: ratio. Source: convention; sync/rwmutex.go. Test: TestOneRWMutex.
	oftenWritten = 0.2
)

// Rule pool. A dial on loopback costs about 50 µs of CPU, a TLS handshake ten times that.
const (
	// churnShare is the share of the CPU from which opening connections is a finding.
	// Unit: ratio. Source: convention.
	churnShare = 0.03
	// churnPerRequest is the CPU of a request that it must take: one dial in ten requests.
	// Unit: s. Source: a dial on loopback, 50 µs.
	churnPerRequest = 5e-6
	// fresh bounds how many times longer than for their connections requests wait for the
	// answers while both count as one cause. The other side accepts a connection and sets
	// it up after the dial has returned (the kernel completes it from the backlog), so the
	// first answer waits for that: two to three times were seen where the answer itself was
	// ready. One that takes longer is slow by itself.
	// Unit: ratio. Source: convention. Test: TestAnswersOverNewConnections.
	fresh = 4
	// freshRequests is the part of the requests that must have waited for a connection.
	// Unit: ratio. Source: convention. Test: TestAnswersOverNewConnections.
	freshRequests = 0.5
	// idleForEach is how many connections of Transports are open for each request under way before most of them wait for none. A request
	// has one, and MaxIdleConnsPerHost is seldom set to more than twice as many.
	// Unit: ratio. Source: convention. Test: TestOpener.
	idleForEach = 4
)

// Rule quota.
const (
	// manyProcs is GOMAXPROCS ÷ quota from which a full set of running threads uses the
	// period's quota in its first part and stalls for the rest.
	// Unit: ratio. Source: convention.
	manyProcs = 1.25
)

// Rule leak.
const (
	// leakSnapshots is the number of dumps that show growth: two in each half.
	// Unit: dumps. Source: arithmetic. Test: TestLeakHedgesHealth.
	leakSnapshots = 4
	// leakLeast is the growth below which goroutines come and go with timers and
	// connections.
	// Unit: goroutines. Source: convention. Test: TestLeakTakesTwoSignals.
	leakLeast = 10.0
	// leftEach is how many goroutines a request must leave behind for what starts them to be made by each.
	// Unit: goroutines per request. Source: convention: not all kinds of requests make one. Test: TestKeepStarted.
	leftEach = 0.25
	// leakPart is the least growth as a part of the first count.
	// Unit: ratio. Source: convention.
	leakPart = 0.1
	// leakSteps is the part of the steps that must grow: one dump may catch a pause.
	// Unit: ratio. Source: convention. Test: TestLeakHedgesHealth.
	leakSteps = 0.8
	// leakSteady is the growth of the second half ÷ that of the first: a ramp-up settles.
	// Unit: ratio. Source: convention.
	leakSteady = 0.5
	// leakCounted is how many times the growth of a group the runtime's own count may have
	// grown by while both are about the same goroutines.
	// Unit: ratio. Source: convention.
	leakCounted = 2
	// leakPerRequest is how many goroutines each request must leave behind for the dumps to
	// prove a leak without the runtime's own count.
	// Unit: goroutines. Source: convention. Test: TestLeakTakesTwoSignals.
	leakPerRequest = 0.1
	// stackBytes is the least stack of a goroutine.
	// Unit: B. Source: runtime/stack.go.
	stackBytes = 2048
)

// Processes of one service that are compared with each other.
const (
	// oddBy is how far a figure of one process must be from that of the others to be told.
	// Unit: ratio. Source: convention: well above what identical processes of one machine differ
	// by, 16–33 % of the requests over four of them, and less in time (DESIGN §5). Test: TestOdd.
	oddBy = 0.5
	// oddDeviations is how many robust standard deviations that is at least.
	// Unit: standard deviations. Source: Leys et al. 2013 take 3 for a hint; it is one of several
	// processes that is looked for. Test: TestOdd.
	oddDeviations = 5
	// normalMAD turns a median distance into a standard deviation of a normal distribution.
	// Unit: ratio. Source: 1/Φ⁻¹(3/4). Test: TestOdd.
	normalMAD = 1.4826
	// oddShare is how much more of its time, or of its CPU, a process must lose than the others.
	// Unit: ratio. Source: convention. Test: TestOdd.
	oddShare = 0.1
)
