package diagnose

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// gcMatters reports that the collector has enough CPU to hold up requests,
// and that enough samples say so.
func gcMatters(m *model.Model) bool {
	return (m.Used.Or(0) >= gcUsed || m.MachineBound()) && !m.Ev.CPU.Short()
}

// gcWaits sums what requests wait for the collector (assists, and the runtime's
// own semaphores around a cycle) on stacks through a function; "" is every one.
func gcWaits(m *model.Model, function string) (delay, seen float64) {
	for _, w := range m.Ev.Waits {
		if w.Side != unpark.RequestPath || w.Idle || (w.Class != unpark.WaitGCAssist && w.Class != unpark.WaitRuntime) {
			continue
		}
		if function == "" || w.Waiter.Function == function || facts.Through(w.Stack, function) {
			delay += w.Delay
			seen += m.Sightings(w)
		}
	}
	return delay, seen
}

// collections returns the goroutines that were met most while they waited for collections that
// they had asked for, and for which part of the time one did: such collections do not come from
// garbage, and less of it does not make them fewer.
func collections(m *model.Model) (asked facts.GoroutineGroup, part float64) {
	most := 0.0
	for _, g := range m.Ev.Goroutines {
		if !roles.On(g.Stack, roles.Collects) {
			continue
		}
		part += g.Mean
		if g.Mean > most {
			asked, most = g, g.Mean
		}
	}
	return asked, min(1, part)
}
