package model

import (
	"cmp"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/owner"
	"github.com/unpark-go/unpark/internal/roles"
)

// Lock is one contended lock on the request path, joined over lines.
type Lock struct {
	Heaviest    facts.Lock    // of those that are joined
	Taker       string        // the function that takes the lock: the first one above package sync
	Delay       float64       // s, of the waiters
	Requeue     float64       // s for which the waiters were then ready to run, and did not yet
	Released    float64       // s, the same from the unlocker
	Count       float64       // contentions
	Writes      float64       // s of the delay at the write side of an RWMutex
	Releases    float64       // unlocks that let a waiter go
	Utilization unpark.Number // share of the window in which it was held
	Counted     bool          // Utilization rests on contentions and traces, not on dumps alone
	Waiters     float64       // mean
	Share       unpark.Number // of the time that a request takes
	Hold        unpark.Number // s a request
	Burden      Burden        // what its holders do meanwhile
	Within      string        // the function in which it is taken and let go; empty when unknown
	// Under is the function that most of the CPU goes to meanwhile; nil where that is not
	// known, or where they wait. Computed is all CPU that is spent meanwhile, in seconds, and
	// Kept says that it is most of what the lock is held for.
	Under    *owner.Owner
	Computed float64
	Kept     bool
	// Before are the locks whose holders wait for this one, the longest queue first, and Beside those that its holder has as
	// well meanwhile, for the same work: their queues are part of its own.
	Before, Beside []Lock
	// Starved says that requests meet at it because its holders wait for a processor.
	Starved bool
}

// contended returns the locks that requests wait for, largest delay first. Locks of the
// runtime itself are left out: since Go 1.22 the mutex profile holds them too
// (runtime/mprof.go), and no line of the application takes them.
func contended(m *Model) []Lock {
	byKey := map[string]*Lock{}
	for _, l := range m.Ev.Locks {
		delay := l.Waited()
		if l.Side != unpark.RequestPath || l.Type == facts.RuntimeLock || delay <= 0 {
			continue
		}
		k := identity(l)
		q := byKey[k]
		if q == nil {
			q = &Lock{Heaviest: l, Taker: taker(l.WaiterAll, l.Waiter)}
			byKey[k] = q
		}
		if l.Delay > q.Heaviest.Delay {
			q.Heaviest, q.Taker = l, taker(l.WaiterAll, l.Waiter)
		}
		q.Delay += delay
		if l.Type == facts.WriteLock {
			q.Writes += delay
		}
		q.Released += l.Released
		q.Count += l.Count
		q.Releases += l.Releases
		if u, ok := l.Utilization.Get(); ok {
			q.Utilization, q.Counted = unpark.Num(min(1, max(u, q.Utilization.Or(0)))), q.Counted || l.Counted
		}
	}
	out := make([]Lock, 0, len(byKey))
	for _, q := range joinedLocks(m, byKey) {
		q.Waiters = q.Delay / max(m.Seconds, 1e-9)
		q.Requeue = requeued(m, q.Count)
		q.Share = m.Share(q.Lost())
		q.Taker = cmp.Or(q.Taker, taker(q.Heaviest.HolderAll, q.Heaviest.Holder))
		if u, ok := q.Utilization.Get(); ok && m.RPS > 0 {
			q.Hold = unpark.Num(u / m.RPS)
		}
		q.Burden = burdenOf(m, q.Heaviest)
		q.Within = heldWithin(m, *q)
		q.Under, q.Kept, q.Computed = computes(m, *q)
		q.Starved = starved(m, *q)
		out = append(out, *q)
	}
	out = chained(m, out)
	slices.SortFunc(out, func(a, b Lock) int {
		return cmp.Or(cmp.Compare(b.Delay, a.Delay), cmp.Compare(a.Taker, b.Taker),
			cmp.Compare(a.Heaviest.Holder.Function, b.Heaviest.Holder.Function), cmp.Compare(a.Heaviest.Holder.Line, b.Heaviest.Holder.Line))
	})
	return out
}

// heldWithin is the function in which a lock is taken and let go: the one that lets it go,
// unless that never waits for it, as one that only gives back what another has taken.
func heldWithin(m *Model, q Lock) string {
	holder := q.Heaviest.Holder.Function
	for _, l := range m.Ev.Locks {
		if q.Is(l) && facts.Through(l.WaiterAll, holder) {
			return holder
		}
	}
	given := q.Heaviest.HolderAll
	if edges := m.Edges([]unpark.WaitClass{unpark.WaitLock}, q.Heaviest.Waiter.Function); len(given) == 0 && len(edges) > 0 {
		given = edges[0].HolderStack // no mutex profile has it
	}
	return cmp.Or(within(q.Heaviest.WaiterAll, given), holder)
}

// computes is the function that most of the CPU goes to while a lock is held, whether what
// is computed is most of its hold, and how much that is; nil where its holder computes
// nothing, and where the frame that keeps it waits.
func computes(m *Model, q Lock) (under *owner.Owner, kept bool, all float64) {
	l, b := q.Heaviest, q.Burden
	if b.Work != roles.Compute && b.Work != roles.Encode || l.Holder.IsZero() {
		return nil, false, 0
	}
	held, known := q.Utilization.Get()
	held *= float64(m.Processes)
	if o, ok := owner.Under(m.Ev.CPU.Tree, l.Holder.Function, b.Frame.Function); ok {
		under, all = &o, o.Value
		if known && q.Within == l.Holder.Function {
			// All of the function, if that fits into the time for which it is held.
			if through := m.Ev.CPU.Tree.Through(q.Within); through <= surelyHeld*held*m.Seconds {
				all = through
			}
		}
		kept = known && all >= mostOfHold*held*m.Seconds
		if known && !kept && o.Value/m.Seconds*crowded(m) < partOfHold*held {
			under = nil // a few samples of what is there beside: it is held for something else
		}
	}
	// A function that only lets it go does none of what it is held for.
	if known && !kept && q.Within != l.Holder.Function {
		if o := keeper(m, q.Within, b.Frame.Function, held); o != nil {
			under, kept, all = o, true, o.Value
		}
	}
	return under, kept, all
}

// identity says which locks are one: those that are let go at one place, wherever they
// are waited for; without a known holder, those that functions share, or of one waiting function.
func identity(l facts.Lock) string {
	kind := strings.TrimSuffix(strings.TrimSuffix(l.Type, " (read)"), " (write)")
	if l.Holder.IsZero() && l.Shared != "" {
		return kind + " shared with " + l.Shared
	}
	if l.Holder.IsZero() {
		return kind + " waited in " + taker(l.WaiterAll, l.Waiter)
	}
	return kind + " held by " + l.Holder.String()
}

// taker returns the innermost function that is not part of package sync or the runtime:
// for a lock inside a library that is the library's, not the caller's.
func taker(stack []unpark.Site, app unpark.Site) string {
	for _, s := range stack {
		if !roles.Is(s.Function, roles.Lock) {
			return s.Function
		}
	}
	return app.Function
}

// Is reports whether a lock of the profiles is this one, or one of those whose queues are part of its own.
func (l Lock) Is(other facts.Lock) bool {
	joined := func(q Lock) bool { return q.Is(other) }
	return identity(other) == identity(l.Heaviest) || slices.ContainsFunc(l.Before, joined) || slices.ContainsFunc(l.Beside, joined)
}

// Queue is the lock at which most of those wait that wait for it: one before it, where that has more of them.
func (l Lock) Queue() Lock {
	if len(l.Before) == 0 || l.Before[0].Delay < l.Delay/2 || l.Heaviest.Holder.IsZero() {
		return l
	}
	return l.Before[0]
}

// Found reports whether a finding is of this lock: the line that lets it go decides, where it
// is known.
func (l Lock) Found(f unpark.Finding) bool {
	own := l.Heaviest
	if f.Holder != nil {
		return sameLine(own.Holder, *f.Holder)
	}
	return own.Holder.IsZero() && f.Waiter != nil && own.Waiter.Function == f.Waiter.Function
}

// Owns reports whether the waits of an edge are for this lock: they end or begin at its
// lines. A function may have several locks.
func (l Lock) Owns(e unpark.Edge) bool {
	return e.Class == unpark.WaitLock && (sameLine(l.Heaviest.Holder, e.Holder) || sameLine(l.Heaviest.Waiter, e.Waiter))
}

// sameLine reports whether two places that are known are one.
func sameLine(a, b unpark.Site) bool {
	return !a.IsZero() && a.Function == b.Function && a.Line == b.Line
}

// Lost is the time, in seconds, that requests take longer for it.
func (l Lock) Lost() float64 { return l.Delay + l.Requeue }

// ReadWrite reports whether it is a sync.RWMutex.
func (l Lock) ReadWrite() bool { return strings.HasPrefix(l.Heaviest.Type, string(roles.RWMutex)) }

// Free reports that it is known to be free for much of the time.
func (l Lock) Free() bool { return l.Utilization.Or(1) < busyLock }

// Binds reports whether a lock is near saturation.
func (l Lock) Binds() bool {
	busy := l.Utilization.Or(0) >= busyLock
	share, ok := l.Share.Get()
	if !ok {
		return l.Waiters >= loneWaiters || (busy && l.Waiters >= 1)
	}
	return share >= BindingShare || (busy && share >= busyLockFelt)
}
