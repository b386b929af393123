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

func (l *Lock) join(m *Model, first Lock) {
	l.Before = append(l.Before, first)
	l.Delay += first.Delay
	l.Requeue += first.Requeue
	l.Count += first.Count
	l.Waiters += first.Waiters
	l.Share = m.Share(l.Lost())
}
