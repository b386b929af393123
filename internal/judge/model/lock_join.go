package model

import (
	"cmp"
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
)

// joinedLocks joins locks that are one: those that wait for the one are let in by the holders of the
// other, and the reverse, so that two functions take it.
func joinedLocks(m *Model, byKey map[string]*Lock) []*Lock {
	all := slices.SortedFunc(maps.Values(byKey), func(a, b *Lock) int {
		return cmp.Or(cmp.Compare(b.Delay, a.Delay), cmp.Compare(identity(a.Heaviest), identity(b.Heaviest)))
	})
	var out []*Lock
	for _, q := range all {
		i := slices.IndexFunc(out, func(o *Lock) bool { return crossed(m, *o, *q) })
		if i < 0 {
			out = append(out, q)
			continue
		}
		of := out[i]
		of.Delay, of.Writes, of.Released = of.Delay+q.Delay, of.Writes+q.Writes, of.Released+q.Released
		of.Count, of.Releases = of.Count+q.Count, of.Releases+q.Releases
		// They hold it one after the other.
		if of.Utilization.Known() || q.Utilization.Known() {
			of.Utilization = unpark.Num(min(1, of.Utilization.Or(0)+q.Utilization.Or(0)))
		}
		of.Counted = of.Counted || q.Counted
	}
	return out
}

// crossed reports whether a trace has the waiters of each of two locks let in by holders of the other.
func crossed(m *Model, a, b Lock) bool { return letIn(m, a, b) && letIn(m, b, a) }

// letIn reports whether holders of one lock let in waiters of another one.
func letIn(m *Model, waited, held Lock) bool {
	w, h := waited.Heaviest.Waiter, held.Heaviest.Holder
	return !h.IsZero() && waited.Heaviest.Holder != h && slices.ContainsFunc(m.Edges([]unpark.WaitClass{unpark.WaitLock}, w.Function), func(e unpark.Edge) bool {
		return e.Waiter == w && e.Holder == h && e.Count >= ChainWaits
	})
}
