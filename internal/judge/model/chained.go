package model

import (
	"github.com/unpark-go/unpark/internal/facts"
)

// chained joins the queue of a lock to that of another one for which its holder waits most of
// the time: without the second, the first would be let go at once.
func chained(m *Model, all []Lock) []Lock {
	gone := make([]bool, len(all))
	for i, first := range all {
		for j := range all {
			if i != j && !gone[i] && !gone[j] && waitsInside(first, all[j]) {
				all[j].join(m, first)
				gone[i] = true
			}
		}
	}
	var out []Lock
	for i, q := range all {
		if !gone[i] {
			out = append(out, q)
		}
	}
	return out
}

// waitsInside reports whether the holder of one lock waits for another for most of the time
// for which it is held: those that wait for the second are inside the first, and as many as
// hold it.
func waitsInside(first, second Lock) bool {
	held, ok := first.Utilization.Get()
	if !ok || held < busyLock || first.Within == "" || first.Within == second.Within {
		return false
	}
	return facts.Through(second.Heaviest.WaiterAll, first.Within) && second.Waiters >= mostOfHold*held
}

func (q *Lock) join(m *Model, first Lock) {
	q.Before = append(q.Before, first)
	q.Delay += first.Delay
	q.Requeue += first.Requeue
	q.Count += first.Count
	q.Waiters += first.Waiters
	q.Share = m.Share(q.Lost())
}
