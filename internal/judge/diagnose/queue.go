package diagnose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// queue is one contended lock on the request path, joined over lines.
type queue struct {
	lock     facts.Lock // the heaviest of them
	owner    string     // the function that takes the lock: the first one above package sync
	delay    float64    // s, of the waiters
	released float64    // s, the same from the unlocker
	count    float64
	writes   float64       // s of the delay at the write side of an RWMutex
	releases float64       // unlocks that let a waiter go
	held     unpark.Number // share of the window
	counted  bool          // by contentions and traces, not by dumps alone
	waiters  float64       // mean
	share    unpark.Number // of the time a request takes
}

// queues returns the locks that requests wait for, largest delay first. Locks of
// the runtime itself are left out: since Go 1.22 the mutex profile holds them
// too (runtime/mprof.go), and no line of the application takes them. So are the
// locks of descriptors: they serialise I/O, and the io rule tells of them.
func (r reading) queues() []queue {
	return r.queuesOf(func(l facts.Lock) bool { return l.Type != "runtime" && l.Type != descriptor })
}

// descriptor is the type of the lock inside a file or connection that lets one
// goroutine at a time read or write it (internal/poll/fd_mutex.go).
const descriptor = "internal/poll.fdMutex"

func (r reading) queuesOf(want func(facts.Lock) bool) []queue {
	byKey := map[string]*queue{}
	for _, l := range r.ev.Locks {
		delay := delayOf(l)
		if l.Side != unpark.RequestPath || !want(l) || delay <= 0 {
			continue
		}
		k := identity(l)
		q := byKey[k]
		if q == nil {
			q = &queue{lock: l, owner: owner(l.WaiterAll, l.Waiter)}
			byKey[k] = q
		}
		if l.Delay > q.lock.Delay {
			q.lock, q.owner = l, owner(l.WaiterAll, l.Waiter)
		}
		q.delay += delay
		if l.Type == writeSide {
			q.writes += delay
		}
		q.released += l.Released
		q.count += l.Count
		q.releases += l.Releases
		if u, ok := l.Utilization.Get(); ok {
			q.held, q.counted = unpark.Num(min(1, max(u, q.held.Or(0)))), q.counted || l.Counted
		}
	}
	out := make([]queue, 0, len(byKey))
	for _, q := range byKey {
		q.waiters = q.delay / max(r.seconds, 1e-9)
		q.share = r.share(q.delay)
		q.owner = cmp.Or(q.owner, owner(q.lock.HolderAll, q.lock.Holder))
		out = append(out, *q)
	}
	slices.SortFunc(out, func(a, b queue) int {
		return cmp.Or(cmp.Compare(b.delay, a.delay), cmp.Compare(a.owner, b.owner),
			cmp.Compare(a.lock.Holder.Function, b.lock.Holder.Function), cmp.Compare(a.lock.Holder.Line, b.lock.Holder.Line))
	})
	return out
}

// identity says which locks are one: those that are let go at one place, by
// whoever waits for it; without a known holder, those of one waiting function.
func identity(l facts.Lock) string {
	kind := strings.TrimSuffix(strings.TrimSuffix(l.Type, " (read)"), " (write)")
	if l.Holder.IsZero() {
		return kind + " waited in " + owner(l.WaiterAll, l.Waiter)
	}
	return kind + " held by " + l.Holder.String()
}

// owner returns the innermost function that is no part of package sync or the
// runtime: for a lock inside a library that is the library's, not the caller's.
func owner(stack []unpark.Site, app unpark.Site) string {
	for _, s := range stack {
		if !roles.Is(s.Function, roles.Lock) {
			return s.Function
		}
	}
	return app.Function
}

// Floors below which a contended lock is no finding: one goroutine waiting a
// twentieth of the time, or a hundredth of a request's time with a hundredth of
// a waiter. A short response makes any share large, and a low rate any delay
// small, so the share alone is not enough. What it is worth is the prediction's
// business.
const (
	lockShare       = 0.01
	lockShareWaiter = 0.01
	lockWaiters     = 0.05
)

func (q queue) felt() bool {
	return q.waiters >= lockWaiters || q.waiters >= lockShareWaiter && q.share.Or(0) >= lockShare
}

// A lock that is most of what requests block on is what every reader of the
// block profile sees first, so it is told from less on: its price is then the
// news. Below a hundredth of a waiter, or with a handful of events, it is a
// holder that lost its processor once. The locks inside Go's own HTTP server, client
// and connections are nobody's to change: they have to be a tenth of a request's time,
// which says that one client is too few, or its connections are.
const (
	lockFirst       = 0.5
	lockFirstWaiter = 0.01
	lockFirstEvents = 50
	lockForeign     = 0.1
)

// told reports whether a queue is worth a word.
func (r reading) told(q queue) bool {
	switch {
	case roles.Is(q.owner, roles.Foreign):
		return q.felt() && q.share.Or(lockForeign) >= lockForeign
	case q.felt():
		return true
	}
	return q.waiters >= lockFirstWaiter && q.count >= lockFirstEvents && r.blockingShare(q).Or(0) >= lockFirst
}

// Near saturation of a lock: half of a request's time is waiting for it, or it
// is held nearly always and is felt. With ρ = rate × hold the mean wait of a
// queue with constant holds is ρ/(2(1−ρ)) holds: 2 holds at 0.8, 2.8 at 0.85,
// 9.5 at 0.95.
const (
	lockBinds    = 0.5
	lockBusy     = 0.85
	lockBusyFelt = 0.1
	// lockLone is the number of waiters that makes a lock the limit when no
	// load says what a request's time is.
	lockLone = 10
)

func (q queue) binds() bool {
	busy := q.held.Or(0) >= lockBusy
	share, ok := q.share.Get()
	if !ok {
		return q.waiters >= lockLone || (busy && q.waiters >= 1)
	}
	return share >= lockBinds || (busy && share >= lockBusyFelt)
}

// hold is how long a request keeps the lock, unknown when it cannot be told.
func (r reading) hold(q queue) unpark.Number {
	u, ok := q.held.Get()
	if !ok || r.rps <= 0 {
		return unpark.Number{}
	}
	return unpark.Num(u / r.rps)
}

// under returns the lock that a pause happens below, if any: the stack runs
// through the holder's function, no more goroutines pause there than can hold
// the lock (one a process), and the lock is what binds. Such a pause is why the
// hold is long, not a cause beside it.
func (r reading) under(p pause, queues []queue) (queue, bool) {
	for _, q := range queues {
		holder := q.lock.Holder.Function
		if holder == "" || !q.binds() || !on(p.wait.Stack, holder) {
			continue
		}
		if p.delay/max(r.seconds, 1e-9) <= 1.2*float64(r.processes()) {
			return q, true
		}
	}
	return queue{}, false
}
