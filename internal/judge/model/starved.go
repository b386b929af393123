package model

import (
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// starved reports whether requests meet at a lock because its holders wait for a
// processor: CPU is short, or mostly busy, and a trace finds the holders without one, or it is short and
// their own work cannot make the delay. To fix such a lock changes nothing: without it requests wait
// for the processor all the same.
func starved(m *Model, q Lock) bool {
	busy := m.Short || max(m.Used.Or(0), m.Machine.Or(0)) >= mostlyBusy
	edges := lockEdges(m, q.Heaviest)
	if share, ok := unscheduled(edges); ok && busy && showsMost(m, q, edges) {
		return share >= BindingShare
	}
	return m.Short && idleHold(m, q)
}

// showsMost reports whether a trace shows a lock's waits as the profile of the whole window does. Where it shows far less of them its stretch had
// none of what the lock is held for: a cache whose answers run out together is filled anew every few seconds, and in between its holders want
// nothing but a processor.
func showsMost(m *Model, q Lock, edges []unpark.Edge) bool {
	if !m.Present(unpark.KindBlock) || m.Requests <= 0 {
		return true
	}
	var traced float64
	for _, e := range edges {
		traced += e.Delay
	}
	return traced/float64(m.Ev.Tracing.Requests) >= tracedShare*q.Delay/m.Requests
}

// unready are the states of a goroutine that could run and has no processor. One that is made to collect garbage is not: it does so for what it
// allocates itself (runtime/mgcmark.go, gcAssistAlloc), and what waits for it waits for less long when it allocates less.
var unready = []unpark.WaitClass{unpark.WaitScheduler, unpark.WaitGC, unpark.WaitSTW}

// unscheduled is the part of the delay of a trace's edges in which those that ended the
// waits were ready to run and had no processor, of what the trace says of them; unknown
// with too few waits, or where it does not say of most of the delay what they did.
func unscheduled(edges []unpark.Edge) (share float64, ok bool) {
	var delay, known, ready float64
	var count int64
	for _, e := range edges {
		delay += e.Delay
		count += e.Count
		known += e.Delay * (1 - e.Spent(unpark.WaitUnknown))
		ready += e.Delay * e.Spent(unready...)
	}
	if count < fewTraced || delay <= 0 || known < BindingShare*delay {
		return 0, false
	}
	return ready / known, true
}

// lockEdges are the edges of a trace at a lock: of those that wait for it, else, where
// they are not known, of those that let it go.
func lockEdges(m *Model, l facts.Lock) []unpark.Edge {
	if !l.Waiter.IsZero() {
		return m.Edges([]unpark.WaitClass{unpark.WaitLock}, l.Waiter.Function)
	}
	var out []unpark.Edge
	if t := m.Ev.Tracing; t != nil {
		for _, e := range t.Edges {
			if e.Class == unpark.WaitLock && e.Holder.Function == l.Holder.Function {
				out = append(out, e)
			}
		}
	}
	return out
}

// unscheduledBehind is the same of waits in a function for other goroutines: those that end
// them, and those that these wait for in turn. A place is had for as long as the goroutines
// that a request has do its work want a processor.
func unscheduledBehind(m *Model, class unpark.WaitClass, waiter string) (share float64, ok bool) {
	classes := []unpark.WaitClass{class}
	if _, ok := unscheduled(m.Edges(classes, waiter)); !ok {
		return 0, false
	}
	known := 1.0
	c := chain{model: m, least: fewTraced, end: func(h unpark.Held, part float64, _ []string) {
		switch {
		case h.Class == unpark.WaitUnknown:
			known -= part
		case slices.Contains(unready, h.Class):
			share += part
		}
	}}
	if !c.follow(classes, waiter, 1, nil) || known < BindingShare {
		return 0, false
	}
	return share / known, true
}

// starvedWait is the same for a wait for another goroutine, or for a place that others
// have, as far as a trace shows. Where processors are short every place in a pool is had
// for longer: without a trace only a wait that may be the limit itself counts as one.
func starvedWait(m *Model, p Wait) bool {
	if !m.Short {
		return false
	}
	if share, ok := unscheduledBehind(m, p.Heaviest.Class, p.Function()); ok {
		return share >= BindingShare
	}
	return p.Heaviest.Class == unpark.WaitPool && m.Share(p.Delay).Or(1) < BindingShare
}

// idleHold reports whether nothing is waited for under a lock, and what its holder
// computes cannot make the delay, by the samples of the CPU profile. Of a lock that may
// be the limit itself that is too little to say so.
func idleHold(m *Model, q Lock) bool {
	held, ok := heldLock(m, q.Heaviest)
	if !ok || q.Binds() || m.Ev.CPU.Short() || m.Mean <= 0 {
		return false
	}
	if b := burdenOf(m, held); b.Work == roles.Sleep || b.Work == roles.IO {
		return false
	}
	// Each second of computing under the lock holds up at most all requests under way.
	samples := held.HolderCPU * facts.ProfileHz
	atMost := (samples + 2*math.Sqrt(samples) + 3) / facts.ProfileHz // 95 % of a Poisson count, also of none
	return atMost*max(1, m.RPS*m.Mean) < ownWork*q.Delay
}

// heldLock is the lock as its holder shows it: where the delays of the two ends are too
// far apart to pair, the function that waits is the one that lets it go.
func heldLock(m *Model, l facts.Lock) (facts.Lock, bool) {
	if !l.Holder.IsZero() {
		return l, true
	}
	i := slices.IndexFunc(m.Ev.Locks, func(other facts.Lock) bool {
		return other.Waiter.IsZero() && other.Holder.Function == l.Waiter.Function
	})
	if i < 0 {
		return l, false
	}
	return m.Ev.Locks[i], true
}
