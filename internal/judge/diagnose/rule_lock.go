package diagnose

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/owner"
	"github.com/unpark-go/unpark/internal/roles"
)

func lockRule() Rule {
	return Rule{
		ID: "lock", Title: "lock contention", Class: unpark.ClassLock,
		Doc: "Reads the locks that requests wait for: the waiter from the block profile, the holder from the mutex " +
			"profile, which records the unlocker. Fires from 0.05 mean waiters, and from 0.01 where that is a hundredth of a request's time or most of the blocking. " +
			"Silent for locks of the runtime, for locks that only background goroutines want, and for those whose holders wait for a processor.",
		Needs:      []unpark.Kind{unpark.KindBlock, unpark.KindMutex},
		Run:        runLock,
		Supersedes: []Supersession{{Rule: "cpu", Same: underLock, Take: takeHeld}},
	}
}

func runLock(m *model.Model) []unpark.Finding {
	var out []unpark.Finding
	for _, q := range m.Locks {
		if reportable(m, q) && !q.Starved && len(out) < maxOfRule {
			out = append(out, lockFinding(m, q))
		}
	}
	return out
}

func lockFinding(m *model.Model, q model.Lock) unpark.Finding {
	site := lockSite(m, q)
	confidence, agreement := lockConfidence(m, q)
	queue := q.Queue().Heaviest
	f := unpark.Finding{
		Rule: "lock", Class: unpark.ClassLock, Site: site,
		Waiter: pointer(queue.Waiter), Holder: pointer(q.Heaviest.Holder),
		Confidence: confidence, Cost: lostCost(m, q.Delay, q.Requeue, queueSightings(m, q)), Path: path(queue.WaiterAll),
	}
	f.Share, f.ShareOf = partOf(m, q.Delay, blocked(m), "request-path waiting "+waitersFrom(m))
	if h, ok := q.Hold.Get(); ok {
		f.Cost.HoldPerRequest = unpark.Measured(h, "s/req", int64(m.Requests))
	}
	b := q.Burden
	f.Title = lockTitle(q, b)
	if readers, writer, ok := q.Readers(m); ok {
		f.Site, f.Culprit = readers, pointer(readers)
		f.Title = fmt.Sprintf("Requests that read queue for the lock of %s behind %s, which waits for others that read", short(readers.Function), short(writer))
		if o, computes := owner.Under(m.Ev.CPU.Tree, readers.Function, ""); computes {
			runsUnder(&f, o)
		}
	} else {
		blame(m, &f, q)
	}
	f.Facts = append(f.Facts, append(lockFacts(m, q, b), agreement...)...)
	f.Remedies = lockRemedies(m, q, b)
	if r, ok := letGo(m, q); ok {
		f.Remedies = slices.Insert(f.Remedies, min(1, len(f.Remedies)), r)
	}
	return f
}

// lockSite is the line to change: where the lock is let go, or, for a lock inside
// a library, the application's own line that goes there.
func lockSite(m *model.Model, q model.Lock) unpark.Site {
	if own, ok := callerOf(m, q); ok {
		return own
	}
	if q.Heaviest.Holder.IsZero() {
		i := slices.IndexFunc(q.Heaviest.WaiterAll, func(s unpark.Site) bool { return s.Function == q.Within })
		if i < 0 {
			return q.Heaviest.Waiter
		}
		return q.Heaviest.WaiterAll[i] // what calls both a function that takes it and one that lets it go
	}
	return q.Heaviest.Holder
}

// callerOf returns the application's line that goes into a library's lock; false
// when the application takes the lock itself.
func callerOf(m *model.Model, q model.Lock) (unpark.Site, bool) {
	var most facts.Wait
	waiter := q.Queue().Heaviest.Waiter.Function
	for _, w := range m.Ev.Waits {
		if w.Class == unpark.WaitLock && w.Side == unpark.RequestPath && w.Delay > most.Delay && facts.Through(w.Stack, waiter) {
			most = w
		}
	}
	own := most.Waiter
	if !most.Asked.IsZero() {
		own = most.Asked // for which a library's goroutine takes it
	}
	taken := own.IsZero() || own.Function == q.Heaviest.Waiter.Function || own.Function == q.Heaviest.Holder.Function
	return own, !taken && unpark.PackageOf(own.Function) != unpark.PackageOf(q.Taker)
}

func lockTitle(q model.Lock, b model.Burden) string {
	title, held, of := "Requests queue for the lock that "+short(q.Queue().Taker)+" takes", "; it is held", ""
	if more := chained(q); more != "" {
		title, held = title+", "+more, ", which is held"
	}
	if !b.Other.IsZero() {
		of = " of " + short(b.Other.Function)
	}
	switch b.Work {
	case roles.Sleep:
		return title + held + " across a sleep" + of
	case roles.IO:
		return title + held + " across I/O" + of
	case roles.Encode:
		return title + held + " while encoding"
	}
	if q.Under != nil && q.Under.Culprit.Function != q.Taker {
		return title + "; " + short(q.Under.Culprit.Function) + " runs under it"
	}
	return title
}

// blame names what keeps the lock: the function that computes under it, or where its
// holder waits. Where that is inside a library, which nothing outside can move out of the
// lock, what it takes is a cost of the finding.
func blame(m *model.Model, f *unpark.Finding, q model.Lock) {
	if q.Under == nil {
		f.Culprit = pointer(q.Burden.Named)
		if q.Burden.Work == roles.Sleep && !q.Burden.Frame.IsZero() {
			f.Culprit = pointer(q.Burden.Frame) // that it sleeps is in the title
		}
		return
	}
	runsUnder(f, *q.Under)
	if _, foreign := callerOf(m, q); foreign && q.Kept {
		takeCPU(m, f, q.Computed)
	}
}

// workWord names the work of a holder.
func workWord(r roles.Role) string {
	switch r {
	case roles.Sleep:
		return "sleeping"
	case roles.IO:
		return "I/O"
	case roles.Encode:
		return "encoding"
	default:
		return "work"
	}
}

// blockingShare is the lock's part of what the block profile saw on the request
// path. A share says nothing about worth: a lock can be all of the blocking and
// a thousandth of the time.
func blockingShare(m *model.Model, q model.Lock) unpark.Number {
	return unpark.Ratio(q.Delay, blocked(m))
}

// blocked is what the block profile saw on the request path, in seconds.
func blocked(m *model.Model) float64 {
	var waits, locks float64
	for _, w := range m.Ev.Waits {
		recorded := w.Source == unpark.KindBlock.File() || w.Source == unpark.KindTrace.File() && w.Class != unpark.WaitSyscall && w.Class != unpark.WaitNetwork
		if w.Side == unpark.RequestPath && !w.Idle && recorded {
			waits += w.Delay
		}
	}
	for _, other := range m.Locks {
		locks += other.Delay
	}
	return max(waits, locks)
}

// waitersFrom says where the waiters were seen.
func waitersFrom(m *model.Model) string {
	switch {
	case m.Present(unpark.KindBlock):
		return "in the block profile"
	case m.Traced():
		return "in the execution trace"
	default:
		return "in the goroutine dumps"
	}
}

// lockConfidence weighs the block profile against the mutex profile and the
// goroutine snapshots. Two that agree make it high; a contradiction that nothing
// settles makes it low, and both figures are facts.
func lockConfidence(m *model.Model, q model.Lock) (unpark.Confidence, []unpark.Fact) {
	var agree, differ int
	var facts []unpark.Fact
	ratio := q.Heaviest.Agreement
	if q.Released > 0 && q.Heaviest.Delay > 0 {
		ratio = unpark.Ratio(q.Released, q.Delay)
	}
	if edgeAgrees(m, q) {
		agree++ // waiter and holder as the trace joined them
	}
	if v, ok := ratio.Get(); ok && (m.Present(unpark.KindBlock) || !m.Traced()) {
		if v >= agreeLow && v <= agreeHigh {
			agree++
		} else {
			differ++
		}
		facts = append(facts, fact("mutex delay ÷ block delay of this lock (0.7–1.5: both saw the same)", v, "count", "mutex.pb.gz"))
	}
	if seen, snapshots := queued(m, q); snapshots > 0 && m.Present(unpark.KindBlock) {
		if seen*float64(snapshots) >= leastSightings && seen*dumpsAgree >= q.Waiters && seen <= dumpsAgree*q.Waiters {
			agree++
		}
		facts = append(facts, fact("goroutines seen waiting for it, mean of the snapshots", seen, "goroutines", "goroutine.pb.gz"))
	}
	switch {
	case q.Count > 0 && m.Recorded(q.Delay, q.Count) < fewEvents:
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
func queued(m *model.Model, q model.Lock) (mean float64, snapshots int) {
	for _, g := range m.Ev.Goroutines {
		if g.Class == unpark.WaitLock && g.Side == unpark.RequestPath && facts.Through(g.Stack, q.Queue().Heaviest.Waiter.Function) {
			mean += g.Mean
			snapshots = max(snapshots, g.Snapshots)
		}
	}
	return mean, snapshots
}

// queueSightings is what the delay of a lock was estimated from: events of the block
// profile, or goroutines met in dumps.
func queueSightings(m *model.Model, q model.Lock) float64 {
	if q.Count > 0 {
		return m.Recorded(q.Delay, q.Count)
	}
	mean, snapshots := queued(m, q)
	return mean * float64(snapshots)
}

func lockFacts(m *model.Model, q model.Lock, b model.Burden) []unpark.Fact {
	var out []unpark.Fact
	source := locksFrom(m)
	if q.Heaviest.Delay <= 0 {
		source = "mutex.pb.gz"
	}
	out = append(out, fact("requests waited for the lock, summed", q.Delay, "s", source))
	out = append(out, chainFacts(m, q)...)
	out = append(out, requeueFacts(q.Requeue)...)
	if q.Released > 0 && source != "mutex.pb.gz" && source != unpark.KindTrace.File() {
		out = append(out, fact("the same delay seen from the unlocker", q.Released, "s", "mutex.pb.gz"))
	}
	if q.Count > 0 {
		out = append(out, numberFact("contended acquisitions per request", m.PerRequest(q.Count), "count", source)...)
	}
	out = append(out, numberFact("share of a request's time", q.Share, "ratio", timesFrom(m))...)
	out = append(out, mutexFacts(m, "here", 0, func(l facts.Lock) bool { return q.Is(l) })...)
	heldBy := "goroutine.pb.gz"
	if q.Counted {
		heldBy = unpark.KindBlock.File() + ", " + unpark.KindTrace.File()
	}
	out = append(out, numberFact("share of the window that the lock is held", q.Utilization, "ratio", heldBy)...)
	if !b.Frame.IsZero() {
		out = append(out, unpark.Fact{
			Text:   fmt.Sprintf("%s runs while the lock is held (%s)", short(b.Frame.Function), workWord(b.Work)),
			Source: b.From.File(),
		})
	}
	if q.Heaviest.HolderCPU > 0 {
		out = append(out, fact("CPU of the holder's function in the window", q.Heaviest.HolderCPU, "s", "cpu.pb.gz"))
	}
	return out
}
