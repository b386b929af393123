package diagnose

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// lockFelt reports whether a lock is above the floors.
func lockFelt(q model.Lock) bool {
	return q.Waiters >= lockWaiters || q.Waiters >= lockLeastWaiters && q.Share.Or(0) >= lockShare
}

// reportable reports whether a lock is a finding.
func reportable(m *model.Model, q model.Lock) bool {
	switch {
	case q.Share.Or(1) < unpark.LeastGain && !ofTail(m, q):
		return false // the line of all blocking says what it is worth
	case roles.Is(q.Taker, roles.Foreign):
		return lockFelt(q) && q.Share.Or(lockForeign) >= lockForeign
	case lockFelt(q):
		return true
	}
	return q.Waiters >= lockLeastWaiters && q.Count*m.Ev.Window.Part(unpark.KindBlock) >= lockFirstEvents && blockingShare(m, q).Or(0) >= lockFirst
}

// ofTail reports whether a lock may be much of what makes the slowest requests slow: a
// trace says so, or there is none.
func ofTail(m *model.Model, q model.Lock) bool {
	if m.Ev.Tracing == nil || m.Ev.Tracing.Tail.N == 0 {
		return true
	}
	e := m.Ev.Excess(unpark.ClassLock.States(), q.Queue().Heaviest.Waiter.Function)
	return e.More.Low.Or(0) > 0 && e.Share.Or(0) >= lockTail
}

// under returns the lock that a pause happens below, if any: the stack runs
// through the holder's function, no more goroutines pause there than can hold
// the lock (one a process), and the lock is what binds. Such a pause is why the
// hold is long, not a cause beside it.
func under(m *model.Model, p model.Wait, queues []model.Lock) (model.Lock, bool) {
	for _, q := range queues {
		holder := q.Heaviest.Holder.Function
		if holder == "" || !q.Binds() || !facts.Through(p.Heaviest.Stack, holder) {
			continue
		}
		if p.Delay/max(m.Seconds, 1e-9) <= mostHolders*float64(m.Processes) {
			return q, true
		}
	}
	return model.Lock{}, false
}
