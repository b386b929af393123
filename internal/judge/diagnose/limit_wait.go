package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

func lockBound(r reading, _ []unpark.Notice) (unpark.Limit, bool) {
	for _, q := range r.queues() {
		if !q.binds() || r.starved(q) {
			continue
		}
		l := unpark.Limit{Kind: unpark.LimitLock}
		name := short(q.owner)
		wait, known := r.perRequest(q.delay).Get()
		if known && r.mean > 0 {
			l.Why = fmt.Sprintf("a request takes %s, %s of it waiting for the lock in %s", units.Say(r.mean, "s"), units.Say(wait, "s"), name)
		} else {
			l.Why = fmt.Sprintf("%s goroutines on average wait for the lock in %s", units.Say(q.waiters, ""), name)
		}
		if u, ok := q.held.Get(); ok {
			l.Why += fmt.Sprintf(", which is held %s of the time", units.Say(u, "ratio"))
			l.Utilization, l.Ceiling = utilization(u), r.ceiling(u)
		}
		l.Why += r.tail()
		if used, ok := r.used.Get(); ok {
			l.Why += fmt.Sprintf("; CPU is at %s", units.Say(used, "ratio"))
		}
		return l, true
	}
	return unpark.Limit{}, false
}

// tail names the 99th percentile, which a queue stretches most.
func (r reading) tail() string {
	if r.load == nil || r.load.Response.N == 0 {
		return ""
	}
	return fmt.Sprintf("; p99 is %s", units.Say(r.load.Response.P99, "s"))
}

// fills is the part of a request's time that a wait must take to be the limit.
// Below a half, what is left weighs more than what the fix could remove.
const fills = 0.5

// waitKind is a limit with the waits that make it.
type waitKind struct {
	kind    unpark.LimitKind
	classes []unpark.WaitClass
	words   string
}

// waitKinds lists the waits in the order of cause before effect: a channel that
// requests wait on is only how they learn that something else is done.
func waitKinds() []waitKind {
	return []waitKind{
		{unpark.LimitPool, []unpark.WaitClass{unpark.WaitPool}, "for a place in a bounded pool"},
		{unpark.LimitDownstream, []unpark.WaitClass{unpark.WaitDownstream}, "for answers from outside the process"},
		{unpark.LimitIO, []unpark.WaitClass{unpark.WaitSyscall}, "inside system calls"},
		{unpark.LimitRateLimit, intended(), "on purpose (limiter, sleep or timer)"},
	}
}

func waitBound(r reading, _ []unpark.Notice) (unpark.Limit, bool) {
	var best pause
	var is waitKind
	for _, k := range waitKinds() {
		pauses := r.pauses(k.classes...)
		switch k.kind {
		case unpark.LimitIO:
			pauses = r.ioPauses()
		case unpark.LimitDownstream:
			pauses = r.answers()
		}
		for _, p := range pauses {
			// A sleep in an open loop that keeps up is part of the answer, not a limit.
			if p.wait.Class == unpark.WaitSleep && r.load != nil && r.load.Mode.Open() && !r.overloaded() {
				continue
			}
			if r.felt(p) && p.delay > best.delay {
				best, is = p, k
			}
		}
	}
	for _, p := range r.joinPauses() {
		// A join counts when it is clearly longer than what the request waits for
		// elsewhere: within explainedBy the other wait is its cause.
		if best.delay < explainedBy*p.delay {
			best, is = p, waitKind{kind: unpark.LimitChannel, words: "for other goroutines"}
		}
	}
	share, ok := r.share(best.delay).Get()
	if best.delay == 0 || !ok || share < fills {
		return unpark.Limit{}, false
	}
	if r.establishing(best) {
		is = waitKind{kind: unpark.LimitPool, words: "for answers over connections opened anew"}
	}
	switch {
	case best.calls != nil && is.kind == unpark.LimitIO:
		is.words = "for another goroutine's system calls"
	case best.calls != nil:
		is.words = "for the other end of a connection that another goroutine uses"
	}
	wait, _ := r.perRequest(best.delay).Get()
	l := unpark.Limit{Kind: is.kind, Utilization: unpark.Quantity{}}
	l.Why = fmt.Sprintf("a request takes %s, %s of it waiting %s in %s%s",
		units.Say(r.mean, "s"), units.Say(min(wait, r.mean), "s"), is.words, short(best.wait.Waiter.Function), r.tail())
	if used, ok := r.used.Get(); ok {
		l.Why += fmt.Sprintf("; CPU is at %s", units.Say(used, "ratio"))
	}
	if is.kind == unpark.LimitDownstream {
		l.Why += "; the limit is not in this process"
	}
	return l, true
}

func networkBound(r reading, _ []unpark.Notice) (unpark.Limit, bool) {
	for _, p := range r.pauses(unpark.WaitNetwork) {
		share, ok := r.share(p.delay).Get()
		if !r.felt(p) || !ok || share < fills {
			continue
		}
		return unpark.Limit{
			Kind: unpark.LimitNetwork,
			Why: fmt.Sprintf("%s of a request's time is waiting for the client's connection in %s: bytes are taken slower than they are made",
				units.Say(min(1, share), "ratio"), short(p.wait.Waiter.Function)),
		}, true
	}
	return unpark.Limit{}, false
}
