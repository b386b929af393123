package model

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// Model is the evidence of one window as tables, with the figures that every rule and
// every question about the limit asks for. It is built once and not changed afterwards.
type Model struct {
	Ev       facts.Evidence
	Seconds  float64
	Requests float64 // completed; 0 when unknown
	RPS      float64 // 0 when unknown
	Load     *unpark.Load
	// Mean is the mean time in seconds that a request takes at the target, 0 when unknown.
	// It counts from the writing of the request: time in which the generator still held it
	// (no free connection) is not spent inside the target.
	Mean      float64
	Processes int      // of the target, at least 1
	Stretch   *Stretch // of which cores and rates are; nil for the whole window
	Usage

	// Contended are the locks that requests wait for, with those of descriptors; Locks are
	// those that application and libraries take. Largest delay first.
	Contended, Locks []Lock

	// Waits of requests by what they wait for, one row a function, largest delay first.
	Joins      []Wait // for another goroutine of the process
	Pool       []Wait // for a place in a bounded pool
	Downstream []Wait // for the other end of a connection
	Network    []Wait // for a client to take its answer
	Sleeps     []Wait
	Intended   []Wait // sleeps, rate limiters, and waits that a timer ends
	// Behind are joins that are waits for another goroutine's system calls, or for the
	// other end of a connection that it uses, one for each place that makes them. They are
	// in IO, beside system calls and descriptors, and in Answers, beside Downstream.
	Behind, IO, Answers []Wait
	// Own is the longest of those for the target itself: nothing says what is at the other end, which is in the same profiles.
	Own Wait

	Functions []Function // of the application, by their own CPU on the request path
	Setups    []Setup    // most CPU first

	AllocatedBytes float64 // in the window, by every side
	GCShare        float64 // of the target's CPU: by the profile's samples, else by the runtime's own account
	GarbageShare   float64 // of the target's CPU: collecting and allocating

	// Ready is the mean time, in seconds, that a request is ready to run and does not, by a
	// trace; wake is the part of it that follows one wait. 0 where that is not known.
	Ready, wake float64

	Itself itself // which waits are for the target itself
	Wire   wire   // what reading and writing connections takes

	edges map[string][]unpark.Edge // of a trace, by the function that waits, largest delay first
}

// New reduces the evidence of one window to tables.
func New(ev facts.Evidence) *Model {
	m := &Model{Ev: ev, Seconds: ev.Seconds, Load: ev.Window.Load, Processes: max(1, len(ev.Window.Processes))}
	if m.Seconds <= 0 {
		m.Seconds = ev.Window.Seconds()
	}
	m.Requests = ev.Requests.Or(0)
	if m.Requests > 0 && m.Seconds > 0 {
		m.RPS = m.Requests / m.Seconds
	}
	m.Mean = meanTime(ev, m.RPS)
	m.Usage = usageOf(ev, ev.CPU.Cores, ev.CPU.OfService())
	m.Short, m.Itself = short(m), itselfOf(ev)
	m.Wire = wireOf(m)
	m.edges = edgesBy(ev.Tracing)
	m.Ready, m.wake = readyOf(ev.Tracing), wakeOf(ev.Tracing)
	m.tabulate()
	return m
}

// meanTime is the mean time of a request, by the best that measured it.
func meanTime(ev facts.Evidence, rps float64) float64 {
	l, t := ev.Window.Load, ev.Tracing
	switch {
	case l != nil && l.Service.N > 0:
		return l.Service.Mean
	case l != nil && l.Response.N > 0:
		return l.Response.Mean
	case l != nil && l.Mode == unpark.Closed && rps > 0:
		// Little's law: a harness that counts operations has no histogram.
		return float64(ev.Plan.Connections) / rps
	case t != nil && t.Wall.N > 0:
		return t.Wall.Mean
	}
	return 0
}

// tabulate builds the tables, from causes to effects: what a lock or a wait is depends on
// how full the cores are, and what a join is for on the other waits.
func (m *Model) tabulate() {
	m.Functions, m.Setups = functions(m.Ev.CPU.Sites), setups(m.Ev)
	m.AllocatedBytes = allocated(m.Ev)
	m.GCShare = m.Ev.CPU.Shares.GC.Or(m.Ev.GC.CPUShare.Or(0))
	m.GarbageShare = m.GCShare + m.Ev.CPU.Shares.Malloc.Or(0)
	m.Contended = contended(m)
	m.Locks = slices.DeleteFunc(slices.Clone(m.Contended), func(l Lock) bool { return l.Heaviest.Type == facts.DescriptorLock })
	m.Pool = waits(m, unpark.WaitPool)
	m.Downstream = waits(m, unpark.WaitDownstream)
	m.Network, m.Sleeps = waits(m, unpark.WaitNetwork), waits(m, unpark.WaitSleep)
	m.Intended = waits(m, unpark.WaitRateLimit, unpark.WaitSleep)
	back, rest := places(m, joins(m))
	m.Pool = holders(m, pools(joined(m, slices.Concat(m.Pool, back))))
	timers, rest := timed(m, rest)
	m.Intended, m.Joins = joined(m, slices.Concat(m.Intended, timers)), rest
	m.Behind = behind(m)
	m.Own = ownAnswer(m)
	m.IO, m.Answers = ioWaits(m), answers(m)
	m.Pool = append(m.Pool, loops(m)...)
}

// PerRequest divides by the completed requests; unknown without load.
func (m *Model) PerRequest(v float64) unpark.Number { return unpark.Ratio(v, m.Requests) }

// Share returns what seconds of waiting, summed over requests, are of the time
// that requests take; unknown without load.
func (m *Model) Share(wait float64) unpark.Number {
	return unpark.Ratio(wait, m.Requests*m.Mean)
}

// CPUShare returns what CPU seconds of the profile are of the target's CPU.
func (m *Model) CPUShare(seconds float64) float64 {
	total := m.Ev.CPU.Sampled.Or(0)
	if total <= 0 {
		return 0
	}
	return seconds / total
}

// CPUPerRequest is what a request costs the service, in CPU seconds.
func (m *Model) CPUPerRequest() unpark.Number {
	c, ok := m.Service.Get()
	if !ok {
		return unpark.Number{}
	}
	return unpark.Ratio(c, m.RPS)
}

// CPUMatters reports that CPU is scarce enough, or enough of a request's time,
// for a saving to be felt. Below it a hot function is hot in an idle process.
func (m *Model) CPUMatters() bool {
	if m.WorkerUse > 0 || m.Scarce() {
		return true
	}
	per, ok := m.CPUPerRequest().Get()
	return ok && m.Mean > 0 && per >= computing*m.Mean
}

// Present reports whether a kind was measured.
func (m *Model) Present(k unpark.Kind) bool {
	return m.Ev.Coverage[k].State == unpark.Present
}

// Overloaded reports that an open loop offers more than the target takes.
func (m *Model) Overloaded() bool { return m.Load != nil && m.Load.Overloaded() }

// Traced reports whether execution traces show requests.
func (m *Model) Traced() bool { return m.Ev.Tracing != nil && m.Ev.Tracing.Requests > 0 }
