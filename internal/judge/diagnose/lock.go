package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

func lockRule() Rule {
	return Rule{
		ID: "lock", Title: "lock contention", Class: unpark.ClassLock,
		Doc: "Reads the locks that requests wait for: the waiter from the block profile, the holder from the mutex " +
			"profile, which records the unlocker. Fires from 0.05 mean waiters, and from 0.01 where that is a hundredth of a request's time or most of the blocking. " +
			"Silent for locks of the runtime, for locks that only background goroutines want, and for those whose holders wait for a processor.",
		Needs: []unpark.Kind{unpark.KindBlock, unpark.KindMutex},
		Run:   runLock,
	}
}

// maxOfRule bounds the findings of one rule; the rest is in the profiles.
const maxOfRule = 5

func runLock(ev facts.Evidence) []unpark.Finding {
	r := read(ev)
	var out []unpark.Finding
	for _, q := range r.queues() {
		if r.told(q) && !r.starved(q) && len(out) < maxOfRule {
			out = append(out, r.lockFinding(q))
		}
	}
	return out
}

func (r reading) lockFinding(q queue) unpark.Finding {
	site := r.lockSite(q)
	confidence, agreement := r.lockConfidence(q)
	f := unpark.Finding{
		Rule: "lock", Class: unpark.ClassLock, Site: site,
		Waiter: pointer(q.lock.Waiter), Holder: pointer(q.lock.Holder),
		Share: r.blockingShare(q), ShareOf: "request-path waiting " + r.waitersFrom(),
		Confidence: confidence, Cost: r.waitCost(q.delay, r.queueSightings(q)), Path: path(q.lock.WaiterAll),
	}
	if h, ok := r.hold(q).Get(); ok {
		f.Cost.HoldPerRequest = unpark.Measured(h, "s/req", int64(r.requests))
	}
	b := r.burdenOf(q.lock)
	f.Title = lockTitle(q, b)
	f.Facts = append(r.lockFacts(q, b), agreement...)
	f.Remedies = r.lockRemedies(q, b)
	return f
}

// lockSite is the line to change: where the lock is let go, or, for a lock inside
// a library, the application's own line that goes there.
func (r reading) lockSite(q queue) unpark.Site {
	if own, ok := r.callerOf(q); ok {
		return own
	}
	if q.lock.Holder.IsZero() {
		return q.lock.Waiter
	}
	return q.lock.Holder
}

// callerOf returns the application's line that goes into a library's lock; false
// when the application takes the lock itself.
func (r reading) callerOf(q queue) (unpark.Site, bool) {
	var most facts.Wait
	for _, w := range r.ev.Waits {
		if w.Class == unpark.WaitLock && w.Side == unpark.RequestPath && w.Delay > most.Delay && on(w.Stack, q.lock.Waiter.Function) {
			most = w
		}
	}
	own := most.Waiter
	taken := own.IsZero() || own.Function == q.lock.Waiter.Function || own.Function == q.lock.Holder.Function
	return own, !taken && unpark.PackageOf(own.Function) != unpark.PackageOf(q.owner)
}

func lockTitle(q queue, b burden) string {
	title := "Requests queue for the lock that " + short(q.owner) + " takes"
	switch b.what {
	case workSleep:
		return title + "; it is held across a sleep"
	case workIO:
		return title + "; it is held across I/O"
	case workEncode:
		return title + "; it is held while encoding"
	default:
		return title
	}
}

// blockingShare is the lock's part of what the block profile saw on the request
// path. A share says nothing about worth: a lock can be all of the blocking and
// a thousandth of the time.
func (r reading) blockingShare(q queue) unpark.Number {
	var waits, locks float64
	for _, w := range r.ev.Waits {
		recorded := w.Source == blockFile || w.Source == traceFile && w.Class != unpark.WaitSyscall && w.Class != unpark.WaitNetwork
		if w.Side == unpark.RequestPath && !w.Idle && recorded {
			waits += w.Delay
		}
	}
	for _, other := range r.queues() {
		locks += other.delay
	}
	return unpark.Ratio(q.delay, max(waits, locks))
}

// waitersFrom says where the waiters were seen.
func (r reading) waitersFrom() string {
	switch {
	case r.present(unpark.KindBlock):
		return "in the block profile"
	case r.traced():
		return "in the execution trace"
	default:
		return "in the goroutine dumps"
	}
}

// Agreement of block and mutex profile within which both saw the same lock:
// 6 goroutines on a 20 ms hold for 3 s give 15 s in both (DESIGN §5).
const agreeLow, agreeHigh = 0.7, 1.5

// lockConfidence weighs the block profile against the mutex profile and the
// goroutine snapshots. Two that agree make it high; a contradiction that nothing
// settles makes it low, and both figures are facts.
func (r reading) lockConfidence(q queue) (unpark.Confidence, []unpark.Fact) {
	var agree, differ int
	var facts []unpark.Fact
	ratio := q.lock.Agreement
	if q.released > 0 && q.lock.Delay > 0 {
		ratio = unpark.Ratio(q.released, q.delay)
	}
	if r.edgeAgrees(q) {
		agree++ // waiter and holder as the trace joined them
	}
	if v, ok := ratio.Get(); ok && (r.present(unpark.KindBlock) || !r.traced()) {
		if v >= agreeLow && v <= agreeHigh {
			agree++
		} else {
			differ++
		}
		facts = append(facts, fact("mutex delay ÷ block delay of this lock (0.7–1.5: both saw the same)", v, "ratio", "mutex.pb.gz"))
	}
	if seen, snapshots := r.queued(q); snapshots > 0 && r.present(unpark.KindBlock) {
		// Poisson: at least three goroutines must have been met to compare.
		if seen*float64(snapshots) >= 3 && seen >= q.waiters/2 && seen <= 2*q.waiters {
			agree++
		}
		facts = append(facts, fact("goroutines seen waiting for it, mean of the snapshots", seen, "goroutines", "goroutine.pb.gz"))
	}
	switch {
	case q.count > 0 && r.recorded(q.delay, q.count) < 10:
		return unpark.Low, facts
	case agree > 0 && differ == 0:
		return unpark.High, facts
	case differ > 0 && agree == 0:
		return unpark.Low, facts
	default:
		return unpark.Medium, facts
	}
}

// queued is the mean number of goroutines that snapshots met at the lock.
func (r reading) queued(q queue) (mean float64, snapshots int) {
	for _, g := range r.ev.Goroutines {
		if g.Class == unpark.WaitLock && g.Side == unpark.RequestPath && on(g.Stack, q.lock.Waiter.Function) {
			mean += g.Mean
			snapshots = max(snapshots, g.Snapshots)
		}
	}
	return mean, snapshots
}

// queueSightings is what the delay of a lock was estimated from: events of the block
// profile, or goroutines met in dumps.
func (r reading) queueSightings(q queue) float64 {
	if q.count > 0 {
		return r.recorded(q.delay, q.count)
	}
	mean, snapshots := r.queued(q)
	return mean * float64(snapshots)
}

func (r reading) lockFacts(q queue, b burden) []unpark.Fact {
	var out []unpark.Fact
	source := r.locksFrom()
	if q.lock.Delay <= 0 {
		source = "mutex.pb.gz"
	}
	out = append(out, fact("requests waited for the lock, summed", q.delay, "s", source))
	if q.released > 0 && source != "mutex.pb.gz" && source != traceFile {
		out = append(out, fact("the same delay seen from the unlocker", q.released, "s", "mutex.pb.gz"))
	}
	if q.count > 0 {
		out = append(out, numberFact("contended acquisitions per request", r.perRequest(q.count), "count", source)...)
	}
	out = append(out, numberFact("of the time that a request takes", q.share, "ratio", r.timesFrom())...)
	out = append(out, r.mutexFacts("here", 0, func(l facts.Lock) bool { return identity(l) == identity(q.lock) })...)
	heldBy := "goroutine.pb.gz"
	if q.counted {
		heldBy = blockFile + ", " + traceFile
	}
	out = append(out, numberFact("of the window the lock is held", q.held, "ratio", heldBy)...)
	if !b.frame.IsZero() {
		out = append(out, unpark.Fact{
			Text:   fmt.Sprintf("%s runs while the lock is held (%s)", short(b.frame.Function), b.what),
			Source: b.source,
		})
	}
	if q.lock.HolderCPU > 0 {
		out = append(out, fact("CPU of the holder's function in the window", q.lock.HolderCPU, "s", "cpu.pb.gz"))
	}
	return out
}
