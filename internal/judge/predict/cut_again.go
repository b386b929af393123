package predict

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// takeRepeats changes a cut for requests that wait for a disk, or for another service, again
// and again: they can wait once, for all that they have to write or to ask. What each time
// takes of the processors goes with it, for the most part: making the call, setting the
// goroutine aside and waking it, and the sync itself, whichever goroutine makes it.
func (c *cut) takeRepeats(s *service, f unpark.Finding) {
	times := calls(s.m, f)
	if !c.synced {
		times = asks(s.m, f)
	}
	if times < 2 || !c.synced && f.Class != unpark.ClassDownstream {
		if times >= 2 && f.Class == unpark.ClassIO {
			c.times = times // of what goes with each call takeCalls knows
		}
		return
	}
	if !c.synced && !tries(s.m, f, times) {
		c.times = times
	}
	once := 1 - 1/times
	wait := spanOf(f.Cost.WaitPerRequest)
	c.wait = span{min(c.wait.value, once*wait.low), once * wait.value, once * wait.high}.atMost(s.mean)
	if !c.synced {
		// One question less is the least that asking less can be, and none at all, where the
		// answers are kept, the most.
		c.wait.low, c.wait.high = wait.low/times, min(s.mean, wait.high)
	}
	share := s.m.CPUShare(s.m.Ev.CPU.Tree.Through(f.Waiter.Function)) + switching(s.m, times*s.m.Requests)
	if c.synced {
		share += s.m.CPUShare(signalled(s.m, func(v facts.Signal) bool {
			return v.ID == facts.SignalFsync && !facts.Through(v.Stack, f.Waiter.Function)
		}))
	}
	share = min(1, once*share)
	c.sync = c.sync.plus(span{0, share / 2, share})
}

// calls is how often a request waits at a finding's place; 0 where that was not counted.
func calls(m *model.Model, f unpark.Finding) float64 {
	var n float64
	for _, w := range m.Ev.Waits {
		if w.Side == unpark.RequestPath && !w.Idle && f.Waiter != nil && w.Waiter.Function == f.Waiter.Function {
			n += w.Count + w.Traced
		}
	}
	return m.PerRequest(n).Or(0)
}

// asks is how often a request asks at a finding's place, where that waits longest: what waits there for the rest of an answer, at
// another line, asks no more. 0 where it was not counted.
func asks(m *model.Model, f unpark.Finding) float64 {
	var most facts.Wait
	for _, w := range m.Ev.Waits {
		if w.Side == unpark.RequestPath && !w.Idle && f.Waiter != nil && w.Waiter.Function == f.Waiter.Function && w.Delay > most.Delay {
			most = w
		}
	}
	n := m.PerRequest(most.Count + most.Traced).Or(0)
	if roles.On(most.Stack, roles.Twice) {
		n /= 2
	}
	return n
}

// tries reports whether what a request asks again and again are tries for one thing: what asks sleeps between them. They cannot be
// made at once.
func tries(m *model.Model, f unpark.Finding, times float64) bool {
	var asks []unpark.Site // that lead to the waits
	for _, w := range m.Ev.Waits {
		if f.Waiter != nil && w.Waiter.Function == f.Waiter.Function && w.Class == unpark.WaitDownstream {
			asks = append(append(asks, w.Stack...), w.Above...)
		}
	}
	var slept float64
	for _, w := range m.Ev.Waits {
		if w.Class != unpark.WaitSleep && w.Class != unpark.WaitRateLimit || w.Side != unpark.RequestPath {
			continue
		}
		whole := slices.Concat(w.Stack, w.Above)
		at := slices.IndexFunc(whole, func(s unpark.Site) bool { return !roles.Is(s.Function, roles.Standard) })
		if at >= 0 && facts.Through(asks, whole[at].Function) {
			slept += w.Count + w.Traced
		}
	}
	return m.PerRequest(slept).Or(0) >= (times-1)/2
}

// switching is the share of the target's CPU by which the scheduler sets goroutines aside and
// wakes them, and takes its locks, for some of all waits. A request waits once for its
// connection, too.
func switching(m *model.Model, waits float64) float64 {
	all := m.Requests
	for _, w := range m.Ev.Waits {
		if !w.Idle {
			all += w.Count + w.Traced
		}
	}
	shares := m.Ev.CPU.Shares
	return min(1, waits/max(waits, all)) * (shares.Scheduler.Or(0) + shares.Lock.Or(0))
}
