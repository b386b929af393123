package model

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/internal/stats"
)

// serial finds a goroutine of which there is one and which is never idle, since it writes to a
// disk for all: what requests of a service wait for that asks itself, where nothing joins
// the two ends of the connection.
func serial(m *Model) (Wait, bool) {
	waits := m.Own
	at, ok := busyWriter(m)
	if waits.Delay <= 0 || !ok {
		return Wait{}, false
	}
	out := Wait{Delay: waits.Delay, Requeue: waits.Requeue, Count: waits.Count, Seen: waits.Seen, Sources: waits.Sources, Plausible: true}
	out.Heaviest = facts.Wait{
		Class: unpark.WaitSyscall, Side: unpark.RequestPath, Waiter: at.Site, Stack: at.Stack,
		Delay: waits.Delay, Count: waits.Count, Source: waits.Heaviest.Source,
	}
	return out, true
}

// ownAnswer is the longest wait for a goroutine that uses a connection, where all connections lead to the target itself.
func ownAnswer(m *Model) (out Wait) {
	if m.Ev.Window.AsksItself() {
		for _, b := range m.Behind {
			if b.Heaviest.Class == unpark.WaitDownstream && b.Delay > out.Delay {
				out = b
			}
		}
	}
	return out
}

// busyWriter is where the one goroutine of its kind, by the function that it was started
// with, waits for the disk that nearly every dump met running or in a call to a file, mostly
// there: as far as so few dumps can tell.
func busyWriter(m *Model) (facts.GoroutineGroup, bool) {
	type kind struct {
		all, busy, disk float64 // goroutines, mean of the dumps
		dumps           int
		heaviest        facts.GoroutineGroup
	}
	kinds := map[string]*kind{}
	for _, g := range m.Ev.Goroutines {
		of := facts.Outermost(g.Stack)
		k := kinds[of]
		if k == nil {
			k = &kind{}
			kinds[of] = k
		}
		k.all, k.dumps = k.all+g.Mean, max(k.dumps, g.Snapshots)
		if g.Class == unpark.WaitUnknown {
			k.busy += g.Mean
		}
		if g.Class == unpark.WaitSyscall && (roles.On(g.Stack, roles.Sync) || roles.On(g.Stack, roles.File)) {
			k.busy, k.disk = k.busy+g.Mean, k.disk+g.Mean
			if g.Mean > k.heaviest.Mean {
				k.heaviest = g
			}
		}
	}
	for _, k := range kinds {
		n := float64(m.Processes)
		most := k.busy / n
		if dumps := float64(k.dumps); dumps > 0 {
			_, most = stats.Binomial(most*dumps, dumps)
		}
		if k.all <= n && most >= alwaysRuns && k.busy >= mostlyBusy*n && k.disk >= BindingShare*k.busy {
			return k.heaviest, true
		}
	}
	return facts.GoroutineGroup{}, false
}
