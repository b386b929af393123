package model

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// joins are the waits for other goroutines of the process, with what those do.
func joins(m *Model) []Wait {
	out := waits(m, unpark.ClassChannel.States()...)
	elsewhere := waits(m, unpark.WaitLock, unpark.WaitDownstream, unpark.WaitPool, unpark.WaitSyscall,
		unpark.WaitSleep, unpark.WaitRateLimit)
	for i, w := range out {
		out[i].Served = served(m, w)
		out[i].Explained = out[i].Served || explained(m, w, elsewhere) || forked(m, w)
	}
	return out
}

// explained reports whether the goroutines that a join waits for account for it: by waits
// of their own elsewhere, or by computing. Goroutines of the same sort as the waiter (the
// same outermost frame) are the request's own and explain nothing.
func explained(m *Model, w Wait, elsewhere []Wait) bool {
	var below float64
	for _, other := range elsewhere {
		if facts.Outermost(other.Heaviest.Stack) != facts.Outermost(w.Heaviest.Stack) {
			below += other.Delay
		}
	}
	if below >= explainedBy*w.Delay {
		return true
	}
	cpu, ok := m.CPUPerRequest().Get()
	wait, known := m.PerRequest(w.Delay).Get()
	if !ok || !known || m.Mean <= 0 {
		return false
	}
	// Computing and waiting that do not fit side by side into a request's time
	// happen at the same time: the wait is for the computing.
	return cpu >= explainedBy*wait && cpu+wait > overlap*m.Mean
}

// forked reports whether a wait is for goroutines that the waiting function started
// itself, or the one that it is a literal of, each of which is a part of the same request: what those wait for and compute is
// what it takes. The compiler names a function literal after the function that holds it
// (cmd/compile/internal/ir.closureName).
func forked(m *Model, w Wait) bool {
	declared := roles.Outer(w.Function())
	mine := func(entry string) bool {
		return entry != "" && entry != w.Function() && roles.Outer(entry) == declared
	}
	waits := slices.ContainsFunc(m.Ev.Waits, func(other facts.Wait) bool {
		return other.Side == unpark.RequestPath && !other.Idle && other.Delay >= explainedBy*w.Delay && mine(entry(other.Stack))
	})
	var cpu float64
	for _, root := range m.Ev.CPU.Tree.Roots {
		if mine(root.Site.Function) {
			cpu += root.Value
		}
	}
	return waits || cpu >= explainedBy*w.Delay
}

// entry is the function that a goroutine was started with.
func entry(stack []unpark.Site) string {
	for _, s := range slices.Backward(stack) {
		if !roles.Is(s.Function, roles.Starter) && !roles.Is(s.Function, roles.Machinery) {
			return s.Function
		}
	}
	return ""
}

// served reports whether the goroutines that end a join are idle until it begins and then
// sleep, compute or make system calls for it alone, or have others do so: it is not a queue,
// and as long as what they do. More of them would not shorten it.
func served(m *Model, w Wait) bool {
	var all, served, own float64
	var n int64
	for _, e := range m.Edges([]unpark.WaitClass{w.Heaviest.Class}, w.Function()) {
		all, served, n = all+e.Delay, served+e.Served, n+e.Count
		own += e.Delay * e.Spent(unpark.WaitSyscall)
	}
	c := chain{model: m, end: func(h unpark.Held, share float64, _ []string) {
		if h.Class == unpark.Running || h.Class == unpark.WaitSleep || wantsProcessor(h.Class) {
			own += all * share
		}
	}}
	c.follow([]unpark.WaitClass{w.Heaviest.Class}, w.Function(), 1, nil)
	return n >= ChainWaits && served >= explainedBy*all && own >= explainedBy*all
}
