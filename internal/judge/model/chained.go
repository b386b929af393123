package model

import (
	"cmp"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// chained joins the queues of locks to that of the one at the end of the chain that they make: a lock whose holder waits
// for another one most of the time would be let go at once without that, and so would one that the same holder holds besides
// for the same work.
func chained(m *Model, all []Lock) []Lock {
	next := make([]int, len(all)) // of each lock the one that it goes with; itself where there is none
	for i, q := range all {
		next[i] = i
		least := mostOfHold
		for j, other := range all {
			if part := max(waitsInside(m, q, other), heldInside(m, q, other)); i != j && part >= least {
				next[i], least = j, part
			}
		}
	}
	end := func(i int) int {
		for range all { // as many links at most, or it is a ring, which is no chain
			if next[i] == i {
				return i
			}
			i = next[i]
		}
		return -1
	}
	out := slices.Clone(all)
	var gone []int
	for i, q := range all {
		if root := end(i); root >= 0 && root != i {
			out[root].join(m, q, heldInside(m, q, all[next[i]]) < mostOfHold)
			gone = append(gone, i)
		}
	}
	slices.Reverse(gone)
	for _, i := range gone {
		out = slices.Delete(out, i, i+1)
	}
	return out
}

func (l *Lock) join(m *Model, other Lock, waits bool) {
	if waits {
		l.Before = append(l.Before, other)
	} else {
		l.Beside = append(l.Beside, other)
	}
	slices.SortStableFunc(l.Before, func(a, b Lock) int { return cmp.Compare(b.Delay, a.Delay) })
	l.Delay += other.Delay
	l.Requeue += other.Requeue
	l.Released += other.Released
	l.Releases += other.Releases
	l.Count += other.Count
	l.Waiters += other.Waiters
	l.Share = m.Share(l.Lost())
}

// waitsInside is the part of the time for which the first of two locks is held in which its holder waits for the second:
// those that wait for the second are inside the first, and as many as hold it.
func waitsInside(m *Model, first, second Lock) float64 {
	held, known := first.Utilization.Get()
	if !known {
		return tracedInside(m, first, second)
	}
	in := sectionOf(m, first)
	var waited float64
	for _, l := range m.Ev.Locks {
		if line, ok := lineIn(l.WaiterAll, in.function); ok && second.Is(l) && in.has(line) {
			waited += l.Delay
		}
	}
	return waited / max(held*m.Seconds*float64(m.Processes), 1e-9)
}

// tracedInside is the same by a trace, of what it says of the holders of the first lock; 0 where that is too little.
func tracedInside(m *Model, first, second Lock) float64 {
	var all, known, waited float64
	var n int64
	for _, e := range lockEdges(m, first.Heaviest) {
		all, known, n = all+e.Delay, known+e.Delay*(1-e.Spent(unpark.WaitUnknown)), n+e.Count
		for _, h := range e.Held {
			if h.Class == unpark.WaitLock && slices.ContainsFunc(m.Ev.Locks, func(l facts.Lock) bool { return second.Is(l) && sameLine(l.Waiter, h.Site) }) {
				waited += e.Delay * h.Share
			}
		}
	}
	if n < ChainWaits || known < BindingShare*all {
		return 0
	}
	return waited / max(known, 1e-9)
}

// heldInside is the part of the time for which the second of two locks is held in which its holder has the first as well: it
// takes and lets go the first between the lines at which it does so with the second.
func heldInside(m *Model, first, second Lock) float64 {
	inner, outer := sectionOf(m, first), sectionOf(m, second)
	if inner.function == "" || inner.function != outer.function || inner.from == 0 || inner.to == 0 || outer.from == 0 || outer.to == 0 ||
		!outer.has(inner.from) || !outer.has(inner.to) {
		return 0
	}
	return min(1, first.Utilization.Or(0)/max(second.Utilization.Or(0), 1e-9))
}

// section is the lines of a function between which a lock is held: from the first at which it is waited for there to the
// one at which it is let go; 0 where one is not known.
type section struct {
	function string
	from, to int
}

func sectionOf(m *Model, q Lock) section {
	s := section{function: q.Within}
	s.to, _ = lineIn(q.Heaviest.HolderAll, q.Within)
	for _, l := range m.Ev.Locks {
		if line, ok := lineIn(l.WaiterAll, q.Within); ok && q.Is(l) && (s.from == 0 || line < s.from) {
			s.from = line
		}
	}
	if s.to <= s.from {
		s.to = 0 // a loop, or code on one line
	}
	return s
}

// has reports whether the lock is held at a line.
func (s section) has(line int) bool { return line > s.from && (s.to == 0 || line <= s.to) }

// Covered is the part of what a function computes that it computes while it holds the lock: by the lines at which it takes it and lets it
// go. Where it was never met taking it, requests say the least that it can be: of those under way no more than all wait at a time,
// so it is held for as long as they would need for their waiting. 0 where it is not known.
func (l Lock) Covered(m *Model) float64 {
	own := l.Heaviest
	switch at := sectionOf(m, l); {
	case own.HolderCPU <= 0 || at.function != own.Holder.Function:
		return 0
	case at.from > 0:
		return own.HeldCPU / own.HolderCPU
	case m.Load == nil || m.Load.Mode != unpark.Closed || m.Mean <= 0:
		return 0 // in an open loop more of them come than are there on average
	}
	held := l.Waiters / (m.RPS * m.Mean)
	return min(1, held/max(l.Utilization.Or(0)*float64(m.Processes), 1e-9)) * own.HeldCPU / own.HolderCPU
}
