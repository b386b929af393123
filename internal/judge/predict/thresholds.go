package predict

// What a request costs where nothing waits: orders of magnitude of machines, the same on
// every server of the last ten years, never fitted to a service.
const (
	// wireCost is the least that answering over a socket takes: a read, a write and a
	// poll, the kernel's way through TCP, and waking one goroutine.
	// Unit: s of CPU. Source: half of what the kernel takes at both ends of a loopback request, 11 to 13 µs.
	wireCost = 5e-6
	// sendCost is the least that the generator's own end takes.
	// Unit: s of CPU. Source: BenchmarkExchange of internal/measure/load.
	sendCost = 2e-6
	// copying is how fast a kernel copies and sums up what it sends: one core, and memory
	// that is not in its cache.
	// Unit: B/s. Source: convention, half of what one core reads.
	copying = 3e9
	// warmSockets is the part of a socket call that is left when it is made again and
	// again: one that sleeps, is woken on another core and finds its caches cold takes
	// several times as long.
	// Unit: ratio. Source: Soares and Stumm, FlexSC, OSDI 2010, §2.
	warmSockets = 0.25
	// refill is the most that a request pays to get its code and data back into the
	// caches: about 5,000 lines from the last level, at 20 ns.
	// Unit: s of CPU. Source: arithmetic.
	refill = 100e-6
	// evicting is how much of that a second of other work, or of sleep, causes: code that
	// brings in new memory at 1 GB/s has emptied a cache of 1 MB after 1 ms.
	// Unit: s per s. Source: arithmetic.
	evicting = 0.1
	// crowding is how much faster code runs whose core, memory and collector are no longer
	// shared with as much other work.
	// Unit: ratio. Source: convention.
	crowding = 0.25
	// lookup is the most that finding a kept answer takes: a lock, a map and a comparison.
	// Unit: s of CPU. Source: convention.
	lookup = 20e-6
	// fastCall is the least that one read or write call of a socket takes.
	// Unit: s of CPU. Source: the same loopback requests as wireCost.
	fastCall = 5e-6
	// call is the same, as taken for the value.
	// Unit: s of CPU. Source: the same loopback requests as wireCost.
	call = 15e-6
	// slowCall is the slowest.
	// Unit: s of CPU. Source: the same loopback requests as wireCost.
	slowCall = 30e-6
	// leastFault is the trap into the kernel and back that the first touch of a page
	// takes.
	// Unit: s of CPU. Source: convention, 1,000 cycles at 4 GHz.
	leastFault = 0.25e-6
	// page is that of the kernel.
	// Unit: B. Source: linux/amd64 and arm64.
	page = 4096
	// streamed is how fast a core goes through lines of memory in order that are in no
	// cache of its own. Memory that is used again and again comes from a cache.
	// Unit: B/s. Source: 64 B at 6.4 ns.
	streamed = 10e9
	// scattered is how fast it goes through them in no order: one line here, one there.
	// Unit: B/s. Source: 64 B at 6.4 ns and at 80 ns.
	scattered = 0.8e9
	// preempted is how long a goroutine may run at a time while others are ready.
	// Unit: s. Source: forcePreemptNS in runtime/proc.go.
	preempted = 10e-3
	// period is how long a CPU quota may stop a service at a time.
	// Unit: s. Source: cpu.cfs_period_us, Linux Documentation/scheduler/sched-bwc.rst.
	period = 0.1
	// goroutineBytes is the least that a goroutine keeps: its smallest stack, and its
	// descriptor of about 400 B.
	// Unit: B. Source: runtime/stack.go, stackMin.
	goroutineBytes = 2048 + 400
	// hour is 60 minutes: what a leak costs is said by the hour.
	// Unit: s. Source: arithmetic.
	hour = 3600.0
)

// What a fix leaves of what it takes away.
const (
	// leastHold is the part of a hold that no shorter queue for processors takes away.
	// Unit: ratio. Source: convention.
	leastHold = 0.1
	// heldStill is the part of a hold that stays whatever is taken out of it: taking and
	// giving back the lock, and what it is there for.
	// Unit: ratio. Source: convention.
	heldStill = 0.1
	// fewCalls is the part of the calls of an answer that is sent at once which may go: a
	// header, a second flush.
	// Unit: ratio. Source: convention.
	fewCalls = 0.1
	// smallerAnswer is what goes of one call where answers get smaller.
	// Unit: ratio. Source: convention.
	smallerAnswer = 0.5
	// syncQueue is how much of the wait for a sync of the disk is the queue for it, which
	// syncs that many share take away.
	// Unit: ratio. Source: the labs log and coalesce, before and after.
	syncQueue = 0.25
	// mostSyncQueue is the most that it may be.
	// Unit: ratio. Source: the labs log and coalesce, before and after.
	mostSyncQueue = 0.6
	// syncShare is the part of a wait, without the time in which goroutines want a
	// processor, that must be for the disk for it to end in a sync.
	// Unit: ratio. Source: convention.
	syncShare = 0.5
	// syncLeast is the part of all of the wait that must be for the disk.
	// Unit: ratio. Source: convention.
	syncLeast = 0.25
	// replaced is the part of a gain that stays where something takes the place of the
	// wait that went.
	// Unit: ratio. Source: convention.
	replaced = 0.8
	// mostStopped is the largest part of the time that is computed with: at one nothing was done.
	// Unit: ratio. Source: fullest.
	mostStopped = 0.95
	// shards is into how many a lock is split when its data allows it: enough that two
	// requests seldom want the same one.
	// Unit: locks. Source: convention.
	shards = 8
	// leastFixed is the part of a function's CPU that its fix takes away at least: what it
	// was there for is done in another way.
	// Unit: ratio. Source: 22 faults of labs/wild that compute, before and after. Test: TestFixOfFunction.
	leastFixed = 0.75
	// leastForeign is the same of a function that is not the user's: what it is called for may be needed, and a
	// later version or another use of it may still do half of it.
	// Unit: ratio. Source: 29 faults of labs/wild (eighth and ninth edition, those that nothing disturbed): less
	// than three quarters went in four, and less than this in two. Test: TestFixOfFunction.
	leastForeign = 0.6
	// leastShorter is the part of a wait for another service, or of one that was asked for, that
	// a fix takes away at least: it is asked less, or sooner, but goes on being asked.
	// Unit: ratio. Source: convention. Test: TestWaitsThatStay.
	leastShorter = 0.5
	// stillAnswered is the part of a request's time that may stay where it waits for another goroutine.
	// Unit: ratio. Source: three faults of labs/wild of which too much was promised (dataloader-default-wait,
	// resiliency-batch-window, jrpc2-handlers-per-cpu): 13 to 22 % stayed. Test: TestStillAnswered.
	stillAnswered = 0.2
	// leastHanded is the same of items that channels hand over one by one: in batches they are
	// handed over all the same, and of a library's channels only how often it is asked can change.
	// Unit: ratio. Source: convention. Test: TestHandedOver.
	leastHanded = 0.25
	// mostFixed is the power to which what the function leaves of the CPU is left at least:
	// what leads to it, and the garbage that it makes, go as well.
	// Unit: 1. Source: the same. Test: TestFixOfFunction.
	mostFixed = 1.7
	// besideDevice is the part of the gain that is left at least where a lock goes that was
	// held for a file or a connection: that may be as serial.
	// Unit: ratio. Source: convention. Test: TestLockOfFile.
	besideDevice = 0.25
	// mostOf is the least that goes of what is taken away whole: something stands in its
	// place.
	// Unit: ratio. Source: convention.
	mostOf = 0.95
	// reads is the share of holds that only read from which an RWMutex is a remedy to try.
	// Unit: ratio. Source: convention.
	reads = 0.9
	// apart is so many shards that no two requests meet.
	// Unit: locks. Source: convention.
	apart = 1 << 12
)

// How sure what was measured is.
const (
	// defaultNoise is what two identical runs differ by on a small machine.
	// Unit: ratio. Source: DESIGN §5, 3 to 7 %.
	defaultNoise = 0.03
	// twoRuns is what two runs of the same thing differ by, beside what their seconds
	// scatter: processes and minutes are not alike.
	// Unit: ratio. Source: DESIGN §5, 3 to 7 %.
	twoRuns = 0.05
	// far is the distance of the ends from which the value is half way between them: a
	// model that says so little has no best guess.
	// Unit: ratio. Source: convention.
	far = 10
	// nearly is the part of the mean response below which what a wait leaves of it is the
	// difference of two large numbers.
	// Unit: ratio. Source: convention.
	nearly = 0.25
	// someFree is the share of arrivals below which those that find a lock free are too
	// few to say what a request takes.
	// Unit: ratio. Source: convention.
	someFree = 0.005
	// enoughDrawn is from how many requests of traces a p99 is read: three of them are slower.
	// Unit: requests. Source: the binomial distribution, whose 90 % interval of the p99 is from the 98th percentile to the 99.6th. Test: TestResampled.
	enoughDrawn = 300
	// elsewhereComputed is how many times what requests compute the CPU that goes must be for it not to be theirs.
	// Unit: ratio. Source: convention: a trace's time on a processor is more than CPU, not less. Test: TestResampledOfFunction.
	elsewhereComputed = 2
	// enoughHolds is from how many the spread of holds is known: to a third, if they are
	// exponential.
	// Unit: holds. Source: the delta method, see spread.
	enoughHolds = 100
	// jitter is what the scheduler and the clock add to the squared coefficient of
	// variation, or take from it.
	// Unit: ratio². Source: convention.
	jitter = 0.05
	// seenHeld is how well the share of a few dozen dumps is known that find a lock held.
	// Unit: ratio. Source: the binomial distribution, 90 %, of 24.
	seenHeld = 0.17
	// nearLevels is how far apart in load two levels must be for the second to say
	// something: a small error over a short way says nothing of a long one.
	// Unit: log. Source: a factor of two.
	nearLevels = 0.69
	// leastLeft is the part of the cores that an observer leaves at least: one that takes
	// more is no measurement.
	// Unit: ratio. Source: convention.
	leastLeft = 0.1
)

// What queues.
const (
	// busyLock is the utilization from which a lock is a station of its own; an emptier
	// one adds its hold to a request's time and nothing else.
	// Unit: ratio. Source: convention: its queue is less than half a hold.
	busyLock = 0.3
	// nearlyFull is the use of the cores from which time that has no name may be queueing
	// for them in a closed loop, although they do not bind by the mean.
	// Unit: ratio. Source: convention.
	nearlyFull = 0.6
	// leastQueue is how many wait for a lock, on average, at least for each that holds it,
	// if anybody may come at any time: at half of what even arrivals and holds leave.
	// Unit: ratio. Source: convention. Test: TestLockBehindPool.
	leastQueue = 0.02
	// drainedRoom is how far above the offered rate a fixed service must be able to go for
	// the queue of an overloaded one to stay away.
	// Unit: ratio. Source: convention.
	drainedRoom = 1.2
	// explains is the part of a percentile that a queue must explain, else something else
	// makes it, and that stays.
	// Unit: ratio. Source: convention.
	explains = 0.6
)

// How full something can be that still has an answer.
const (
	// fullest is the highest use of a queue that is computed: at one it has no end.
	// Unit: ratio. Source: convention, as facts.Overloaded.
	fullest = 0.98
	// fullCores is the highest use of the processors that is computed.
	// Unit: ratio. Source: convention.
	fullCores = 0.95
	// maxPopulation bounds the recursion over requests, which a forecast goes through some
	// hundred times. Of more requests no forecast is made: what fewer of them would do is
	// another question.
	// Unit: requests. Source: convention.
	maxPopulation = 20_000
)

// The simulation, and what is said of what comes out.
const (
	// simulated is the number of requests of one: a p99 rests on fifty.
	// Unit: requests. Source: convention.
	simulated = 5000
	// slip is how far apart two simulations of the same plant may be.
	// Unit: ratio. Source: 5,000 requests, measured.
	slip = 0.05
	// mostSpread bounds the squared coefficient of variation of what is simulated: of
	// longer tails a run of a few thousand requests holds too few.
	// Unit: ratio². Source: convention.
	mostSpread = 4
	// closeEnough is how much further from what was measured than the nearest a candidate
	// may be.
	// Unit: log. Source: convention.
	closeEnough = 0.25
	// tooFar is the distance from which even the nearest is not like what was measured.
	// Unit: log. Source: convention.
	tooFar = 1.5
	// busyQueue is the use of a queue from which the percentiles of one run, or of one
	// simulation, say less and less of its spread: it empties too seldom.
	// Unit: ratio. Source: convention.
	busyQueue = 0.8
	// differ50 is what the medians of two simulations, and of two runs, differ by.
	// Unit: log. Source: 5,000 requests, measured.
	differ50 = 0.03
	// differ99 is the same for the p99.
	// Unit: log. Source: 5,000 requests, measured.
	differ99 = 0.08
	// felt is the part of a request's time, or of the CPU, from which fixes that leave
	// something of the finding are listed.
	// Unit: ratio. Source: convention.
	felt = 0.01
	// sayable is the share of the CPU from which an assumption is worth a line.
	// Unit: ratio. Source: convention.
	sayable = 0.02
	// nothing is the gain below which a fix is worth nothing: far below what two runs
	// differ by.
	// Unit: ratio. Source: convention.
	nothing = 0.001
	// grain is the gain below which two findings are equal: no run could tell which of two
	// fixes of half a percent is the better one.
	// Unit: log. Source: convention.
	grain = 0.005
)

// spreads are the squared coefficients of variation that are tried for each time:
// constant, half way, exponential, and a few long ones among many short.
// Unit: ratio². Source: convention.
func spreads() []float64 { return []float64{0, 0.4, 1, 1.7, 2.5} }
