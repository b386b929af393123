package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

func lockBound(m *model.Model, _ []unpark.Notice) (unpark.Limit, bool) {
	for _, q := range m.Locks {
		if !q.Binds() || q.Starved {
			continue
		}
		l := unpark.Limit{Kind: unpark.LimitLock}
		name := short(q.Owner)
		wait, known := m.PerRequest(q.Delay).Get()
		if known && m.Mean > 0 {
			l.Why = fmt.Sprintf("a request takes %s, %s of it waiting for the lock in %s", units.Say(m.Mean, "s"), units.Say(wait, "s"), name)
		} else {
			l.Why = fmt.Sprintf("%s goroutines on average wait for the lock in %s", units.Say(q.Waiters, ""), name)
		}
		if u, ok := q.Utilization.Get(); ok {
			l.Why += fmt.Sprintf(", which is held %s of the time", units.Say(u, "ratio"))
			l.Utilization, l.Ceiling = utilization(u), ceiling(m, u)
		}
		l.Why += tailNote(m)
		if used, ok := m.Used.Get(); ok {
			l.Why += fmt.Sprintf("; CPU is at %s", units.Say(used, "ratio"))
		}
		return l, true
	}
	return unpark.Limit{}, false
}

// tailNote names the 99th percentile, which a queue stretches most.
func tailNote(m *model.Model) string {
	if m.Load == nil || m.Load.Response.N == 0 {
		return ""
	}
	return fmt.Sprintf("; p99 is %s", units.Say(m.Load.Response.P99, "s"))
}

// waitKind is a limit with the waits that make it.
type waitKind struct {
	kind  unpark.LimitKind
	waits []model.Wait
	words string
}

// waitKinds lists the waits in the order of cause before effect: a channel that
// requests wait on is only how they learn that something else is done.
func waitKinds(m *model.Model) []waitKind {
	return []waitKind{
		{unpark.LimitPool, m.Pool, "for a place in a bounded pool"},
		{unpark.LimitDownstream, m.Answers, "for answers from outside the process"},
		{unpark.LimitIO, m.IO, "inside system calls"},
		{unpark.LimitRateLimit, m.Intended, "on purpose (limiter, sleep or timer)"},
	}
}

func waitBound(m *model.Model, _ []unpark.Notice) (unpark.Limit, bool) {
	var best model.Wait
	var is waitKind
	for _, k := range waitKinds(m) {
		for _, p := range k.waits {
			// A sleep in an open loop that keeps up is part of the answer, not a limit.
			if p.Heaviest.Class == unpark.WaitSleep && m.Load != nil && m.Load.Mode.Open() && !m.Overloaded() {
				continue
			}
			if felt(m, p) && p.Delay > best.Delay {
				best, is = p, k
			}
		}
	}
	for _, p := range joinPauses(m) {
		// A join counts when it is clearly longer than what the request waits for
		// elsewhere: within explainedBy the other wait is its cause.
		if !p.ExplainedBy(best) {
			best, is = p, waitKind{kind: unpark.LimitChannel, words: "for other goroutines"}
		}
	}
	share, ok := m.Share(best.Delay).Get()
	if best.Delay == 0 || !ok || share < model.BindingShare {
		return unpark.Limit{}, false
	}
	if best.Heaviest.Class == unpark.WaitDownstream && establishing(m, best.Function()) {
		is = waitKind{kind: unpark.LimitPool, words: "for answers over connections opened anew"}
	}
	switch {
	case best.Calls != nil && is.kind == unpark.LimitIO:
		is.words = "for another goroutine's system calls"
	case best.Calls != nil:
		is.words = "for the other end of a connection that another goroutine uses"
	}
	wait, _ := m.PerRequest(best.Delay).Get()
	l := unpark.Limit{Kind: is.kind, Utilization: unpark.Quantity{}}
	l.Why = fmt.Sprintf("a request takes %s, %s of it waiting %s in %s%s",
		units.Say(m.Mean, "s"), units.Say(min(wait, m.Mean), "s"), is.words, short(best.Heaviest.Waiter.Function), tailNote(m))
	if used, ok := m.Used.Get(); ok {
		l.Why += fmt.Sprintf("; CPU is at %s", units.Say(used, "ratio"))
	}
	if is.kind == unpark.LimitDownstream {
		l.Why += "; the limit is not in this process"
	}
	return l, true
}

func networkBound(m *model.Model, _ []unpark.Notice) (unpark.Limit, bool) {
	for _, p := range m.Network {
		share, ok := m.Share(p.Delay).Get()
		if !felt(m, p) || !ok || share < model.BindingShare {
			continue
		}
		return unpark.Limit{
			Kind: unpark.LimitNetwork,
			Why: fmt.Sprintf("%s of a request's time is waiting for the client's connection in %s: bytes are taken slower than they are made",
				units.Say(min(1, share), "ratio"), short(p.Function())),
		}, true
	}
	return unpark.Limit{}, false
}
