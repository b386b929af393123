package model

import (
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/owner"
	"github.com/unpark-go/unpark/internal/roles"
)

// within is the function in which something is taken and given back; empty where that is
// Go's own, on the way to two handlers.
func within(taken, given []unpark.Site) string {
	taken, given = called(taken), called(given)
	i, _ := facts.Meeting(taken, given)
	if i < 0 || roles.Leads(taken[i].Function) {
		return ""
	}
	return taken[i].Function
}

// called are the frames of a stack but for those by which the runtime calls for reflect, which traces leave out.
func called(stack []unpark.Site) []unpark.Site {
	return slices.DeleteFunc(slices.Clone(stack), func(s unpark.Site) bool { return roles.Is(s.Function, roles.Runtime) })
}

// keeper is the function that most of the time is computed in for which something is held
// that few can have at a time: of what is computed within a function, the one that most of it
// goes to, inwards from frame. It is known by how much of the time it runs, and by how many were ever met in
// it together: no more than may have what is held. Busy is how many have it, on average.
func keeper(m *Model, function, frame string, busy float64) *owner.Owner {
	o, ok := owner.Under(m.Ev.CPU.Tree, function, frame)
	if !ok || m.Seconds <= 0 {
		return nil
	}
	running := o.Value / m.Seconds * crowded(m)
	if running < mostOfHold*busy || running > surelyHeld*busy || together(m, o.Culprit.Function) > math.Ceil(surelyHeld*busy) {
		return nil
	}
	return &o
}

// crowded is how much longer what computes takes because others do: of the requests that
// wait for nothing else, how many share a processor. 1 where processors are not short.
func crowded(m *Model) float64 {
	cores := m.Service.Or(0)
	if !m.Short || cores <= 0 {
		return 1
	}
	var waiting float64
	for _, w := range m.Ev.Waits {
		if w.Side == unpark.RequestPath && !w.Idle {
			waiting += w.Delay / m.Seconds
		}
	}
	return max(1, (m.RPS*m.Mean-waiting)/cores)
}

// together is the largest number of requests that a dump met in a function.
func together(m *Model, function string) float64 {
	var most float64
	for _, n := range m.Ev.Met(function) {
		most = max(most, n)
	}
	return most
}

// Alone reports whether one goroutine at a time computes in a function, and nearly always
// does: a server of which there is one, whatever hands it its work.
func Alone(m *Model, function string) bool {
	if m.Seconds <= 0 || m.Short {
		return false
	}
	running := m.Ev.CPU.Tree.Through(function) / m.Seconds / float64(m.Processes)
	met := m.Ev.Met(function)
	var sum float64
	for _, n := range met {
		sum += n
	}
	return running >= alwaysRuns && running <= surelyHeld && len(met) > 0 && together(m, function) <= float64(m.Processes) &&
		sum >= alwaysRuns*float64(len(met)*m.Processes)
}
