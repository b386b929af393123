package model

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// serial finds a goroutine of which there is one and which is never idle, since it writes to a
// disk for all: what requests of a service wait for that asks itself, where nothing joins
// the two ends of the connection.
func serial(m *Model) (Wait, bool) {
	if !m.Ev.Window.AsksItself() {
		return Wait{}, false
	}
	var waits Wait
	for _, b := range m.Behind {
		if b.Heaviest.Class == unpark.WaitDownstream && b.Delay > waits.Delay {
			waits = b
		}
	}
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

// busyWriter is where the one goroutine of its kind, by the function that it was started
// with, waits for the disk that nearly every dump met running or in a call to a file, mostly
// there.
func busyWriter(m *Model) (facts.GoroutineGroup, bool) {
	type kind struct {
		all, busy, disk float64 // goroutines, mean of the dumps
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
		k.all += g.Mean
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
		if n := float64(m.Processes); k.all <= n && k.busy >= alwaysRuns*n && k.disk >= BindingShare*k.busy {
			return k.heaviest, true
		}
	}
	return facts.GoroutineGroup{}, false
}
