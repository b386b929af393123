package diagnose

import (
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// starved reports whether requests meet at a lock because its holders wait for a
// processor: CPU is short, and a trace finds the holders without one, or their own work
// cannot make the delay. Nobody can fix such a lock: without it requests wait for the
// processor all the same.
func (r reading) starved(q queue) bool {
	if !r.cpuShort() {
		return false
	}
	if share, ok := unscheduled(r.lockEdges(q.lock)); ok {
		return share >= fills
	}
	return r.idleHold(q)
}

// cpuShort reports that the target wants more of the CPU than it gets, whoever takes it;
// of a ramp, where it became too much.
func (r reading) cpuShort() bool {
	if s, fell := r.fellBehind(); fell {
		r = r.during(s)
	}
	return r.ev.CPU.Throttled.Or(0) >= throttledFloor || r.used.Or(0) >= saturated || r.machineFull()
}

// fewStarved is how many traced waits say where those were who ended them: of ten that
// are alike none is chance. To blame a chain of waits takes more.
const fewStarved = 10

// unscheduled is the part of the delay of a trace's edges in which those who ended the
// waits were ready to run and had no processor, of what the trace says of them; unknown
// with too few waits, or where it does not say of most of the delay what they did.
func unscheduled(edges []unpark.Edge) (share float64, ok bool) {
	var delay, known, ready float64
	var count int64
	for _, e := range edges {
		delay += e.Delay
		count += e.Count
		known += e.Delay * (1 - spentIn(e, unpark.WaitUnknown))
		ready += e.Delay * unready(e)
	}
	if count < fewStarved || delay <= 0 || known < fills*delay {
		return 0, false
	}
	return ready / known, true
}

// lockEdges are the edges of a trace at a lock: of those that wait for it, else, where
// they are not known, of those that let it go.
func (r reading) lockEdges(l facts.Lock) []unpark.Edge {
	if !l.Waiter.IsZero() {
		return r.edgesOf([]unpark.WaitClass{unpark.WaitLock}, l.Waiter.Function)
	}
	var out []unpark.Edge
	if t := r.ev.Tracing; t != nil {
		for _, e := range t.Edges {
			if e.Class == unpark.WaitLock && e.Holder.Function == l.Holder.Function {
				out = append(out, e)
			}
		}
	}
	return out
}

// starvedPause is the same for a wait for another goroutine, or for a place that others
// have, as far as a trace tells. Where processors are short every place in a pool is had
// for longer: without a trace only a wait that may be the limit itself is told.
func (r reading) starvedPause(p pause) bool {
	if !r.cpuShort() {
		return false
	}
	if share, ok := unscheduled(r.edgesOf([]unpark.WaitClass{p.wait.Class}, p.wait.Waiter.Function)); ok {
		return share >= fills
	}
	return p.wait.Class == unpark.WaitPool && r.share(p.delay).Or(1) < fills
}

// ownWork is the part of a lock's delay that the work done under it must be able to
// make, before the rest is the doing of processors that holders wait for.
const ownWork = 0.1

// idleHold reports whether nothing is waited for under a lock, and what its holder
// computes cannot make the delay, by the samples of the CPU profile. Of a lock that may
// be the limit itself that is too little to say so.
func (r reading) idleHold(q queue) bool {
	held, ok := r.heldLock(q.lock)
	if !ok || q.binds() || r.ev.CPU.Sampled.Or(0) < shortProfile || r.mean <= 0 {
		return false
	}
	if b := r.burdenOf(held); b.what == workSleep || b.what == workIO {
		return false
	}
	// Each second of computing under the lock holds up at most all requests under way.
	samples := held.HolderCPU * profileHz
	atMost := (samples + 2*math.Sqrt(samples) + 3) / profileHz // 95 % of a Poisson count, also of none
	return atMost*max(1, r.rps*r.mean) < ownWork*q.delay
}

// heldLock is the lock as its holder shows it: where the delays of the two ends are too
// far apart to pair, the function that waits is the one that lets it go.
func (r reading) heldLock(l facts.Lock) (facts.Lock, bool) {
	if !l.Holder.IsZero() {
		return l, true
	}
	i := slices.IndexFunc(r.ev.Locks, func(other facts.Lock) bool {
		return other.Waiter.IsZero() && other.Holder.Function == l.Waiter.Function
	})
	if i < 0 {
		return l, false
	}
	return r.ev.Locks[i], true
}
