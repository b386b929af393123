package across

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// Felt is a callee's evidence as the requests of its caller feel it: requests, load and responses
// are the caller's, what was waited for, computed and held stays the callee's, and the times of
// its requests are multiplied by how many of them the caller makes.
func Felt(callee, caller facts.Evidence, j unpark.Join) facts.Evidence {
	out := callee
	out.Plan, out.Requests, out.Doses = caller.Plan, caller.Requests, nil
	out.Window.Load, out.Window.Timeline, out.Window.Baseline = caller.Window.Load, caller.Window.Timeline, nil
	out.Window.Level = caller.Window.Level
	out.Tracing = times(callee.Tracing, caller.Tracing, j.Calls.Value.Or(1))
	out.Drawn = nil // they are the callee's own
	out.Along = along(out, caller)
	return out
}

// Whole is felt evidence with what its caller's requests wait for elsewhere than in the callee: what
// a forecast must leave as it is. A verdict is of the callee alone, and is reached without that.
func Whole(felt, caller facts.Evidence) facts.Evidence {
	felt.Waits = slices.Clone(felt.Waits)
	for _, w := range caller.Waits {
		if w.Class != unpark.WaitDownstream && w.Side == unpark.RequestPath {
			felt.Waits = append(felt.Waits, w)
		}
	}
	return felt
}

// Along is a caller's evidence beside those that it asks, which use the same processors.
func Along(caller facts.Evidence, callees ...facts.Evidence) facts.Evidence {
	caller.Along = along(caller, callees...)
	return caller
}

// along is the cores that other services use on the machine of one.
func along(of facts.Evidence, others ...facts.Evidence) float64 {
	if of.Target.Elsewhere {
		return 0
	}
	var sum float64
	for _, o := range others {
		if !o.Target.Elsewhere {
			sum += o.CPU.Cores.Or(0)
		}
	}
	return sum
}

// times multiplies what a trace says of one request. The slowest are the caller's: how long they
// take is theirs, and what the callee has of it.
func times(t, caller *unpark.Tracing, calls float64) *unpark.Tracing {
	if t == nil {
		return nil
	}
	out := *t
	out.Wall = multiplied(t.Wall, calls)
	out.States, out.Excess, out.Edges = slices.Clone(t.States), slices.Clone(t.Excess), slices.Clone(t.Edges)
	for i := range out.States {
		s := &out.States[i]
		s.All, s.Tail, s.Middle = calls*s.All, calls*s.Tail, calls*s.Middle
	}
	part := 1.0
	out.Tail.Mean, out.Middle.Mean = calls*t.Tail.Mean, calls*t.Middle.Mean
	if caller != nil && caller.Tail.N > 0 && caller.Tail.Mean > 0 {
		if more := caller.Tail.Mean - caller.Middle.Mean; more > 0 {
			part = min(1, max(0, (out.Tail.Mean-out.Middle.Mean)/more))
		}
		out.Tail, out.Middle = caller.Tail, caller.Middle
	}
	for i := range out.Excess {
		e := &out.Excess[i]
		e.Tail, e.Middle = calls*e.Tail, calls*e.Middle
		e.More = unpark.Between(calls*e.More.Value.Or(0), calls*e.More.Low.Or(0), calls*e.More.High.Or(0), e.More.Unit, e.More.N)
		if v, ok := e.Share.Get(); ok {
			e.Share = unpark.Num(part * v)
		}
	}
	for i := range out.Edges {
		e := &out.Edges[i]
		e.Tail *= calls
		if out.Tail.Mean > 0 {
			e.Share = unpark.Num(min(1, e.Tail/out.Tail.Mean))
		}
	}
	return &out
}

func multiplied(l unpark.Latency, by float64) unpark.Latency {
	out := l
	for _, v := range []*float64{&out.P50, &out.P90, &out.P95, &out.P99, &out.P999, &out.P9999, &out.Max, &out.Mean, &out.Min} {
		*v *= by
	}
	out.Buckets = nil
	return out
}
