package diagnose

import (
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// Floors below which a contended lock is not a finding: one goroutine waiting a
// twentieth of the time, or a hundredth of a request's time with a hundredth of
// a waiter. A short response makes any share large, and a low rate any delay
// small, so the share alone is not enough. What it is worth is the prediction's
// business.
const (
	lockShare       = 0.01
	lockShareWaiter = 0.01
	lockWaiters     = 0.05
)

// lockFelt reports whether a lock is above the floors.
func lockFelt(q model.Lock) bool {
	return q.Waiters >= lockWaiters || q.Waiters >= lockShareWaiter && q.Share.Or(0) >= lockShare
}

// A lock that is most of what requests block on is what every reader of the
// block profile sees first, so it is reported from less on: its price is then the
// news. Below a hundredth of a waiter, or with a handful of events, it is a
// holder that lost its processor once. The locks inside Go's own HTTP server, client
// and connections cannot be changed: they have to be a tenth of a request's time,
// which says that one client is too few, or its connections are.
const (
	lockFirst       = 0.5
	lockFirstWaiter = 0.01
	lockFirstEvents = 50
	lockForeign     = 0.1
)

// reportable reports whether a lock is a finding.
func reportable(m *model.Model, q model.Lock) bool {
	switch {
	case roles.Is(q.Owner, roles.Foreign):
		return lockFelt(q) && q.Share.Or(lockForeign) >= lockForeign
	case lockFelt(q):
		return true
	}
	return q.Waiters >= lockFirstWaiter && q.Count >= lockFirstEvents && blockingShare(m, q).Or(0) >= lockFirst
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
		if p.Delay/max(m.Seconds, 1e-9) <= 1.2*float64(m.Processes) {
			return q, true
		}
	}
	return model.Lock{}, false
}
