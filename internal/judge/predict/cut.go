package predict

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/internal/stats"
)

// cut is what the fix of a finding takes away.
type cut struct {
	wait     span     // s per request
	whole    float64  // all of the wait that was measured, s per request
	part     span     // how much of it goes, however well it was measured
	at       []string // the functions in which requests wait; none where it is no wait
	states   []unpark.WaitClass
	queue    bool             // the wait is a queue: only some requests wait, and for one another
	waits    float64          // share of requests that wait, 0 when unknown
	answer   bool             // the wait is for what another goroutine does
	cpu      span             // share of the target's CPU
	fresh    span             // share of the target's CPU that is for fresh memory; in cpu
	sync     span             // share of the target's CPU that hangs on contention or on syncs: it may go as well
	station  station          // the lock itself, zero when it is none
	binds    bool             // it is the limit
	under    int              // index of the busy lock or pool under which the CPU is spent, -1 for none
	kept     bool             // it is surely spent there
	device   bool             // what the lock is held for goes to a file or connection, and may be serial there
	tail     float64          // part of the time of the slowest requests that makes them slow and goes; 0 when unknown
	churn    bool             // it is connections that are opened and closed
	wire     bool             // it is the cost of socket calls itself
	messages float64          // part of what the service sends to, and gets from, processes that it asks on this machine
	joined   float64          // share of those calls that goes because many become one: the generator makes that many fewer
	times    float64          // how often a request waits where the finding is, of what can be asked together; 0 where that was not counted
	synced   bool             // the wait, or the hold, is for a disk to sync
	as       unpark.LimitKind // what the wait counts as among the waits of the evidence; empty: as the limit
	stopped  float64          // part of the time for which the world stood still for it
	spared   bool             // the first remedy does without the calls that cost
	cached   bool             // most requests do not cause the CPU: something keeps answers already
}

// cutOf reads what a finding takes of a service.
func cutOf(s *service, f unpark.Finding) cut {
	c := cut{under: -1}
	c.wait = spanOf(f.Cost.WaitPerRequest)
	// A join below other work can be measured longer than the request.
	for _, v := range []*float64{&c.wait.low, &c.wait.value, &c.wait.high} {
		*v = stats.Bound(*v, 0, s.mean)
	}
	c.whole = c.wait.value
	if f.Waiter != nil && c.whole > 0 {
		c.at, c.states = waiters(s.m, f), s.m.Ev.States(f)
	}
	c.queue = f.Class == unpark.ClassLock || f.Class == unpark.ClassChannel || f.Class == unpark.ClassPool
	c.answer = f.Class == unpark.ClassChannel
	c.churn = f.Class == unpark.ClassPool && f.Cost.Cores.Known() && f.Waiter == nil
	c.takeCPU(s, f)
	c.messages = max(c.messages, messages(s.m, f))
	c.takeTail(s, f)
	c.takeStops(s, f)
	if f.Culprit != nil && !c.queue && c.cpu.value > 0 && model.Alone(s.m, f.Culprit.Function) {
		// What waits for it, in whatever way, waits for its one goroutine.
		s.locks = []station{{demand: 1 / s.rate, away: 0, alone: f.Culprit.Function}}
		c.under, c.kept, c.binds = 0, true, true
		return c
	}
	if at := kept(s, f); at >= 0 && c.cpu.value > 0 {
		// Its first remedy makes cheaper what it is held for: the queue stays, and is shorter.
		c.under, c.kept, c.queue, c.wait = at, true, false, span{}
		c.binds = isLimit(f.Class, s.limit) || cpuLike(s.limit)
		return c
	}
	c.binds = isLimit(f.Class, s.limit) || (c.cpu.value > 0 && cpuLike(s.limit))
	if c.cpu.value > 0 && !c.queue {
		c.under = underLock(s.locks, f)
	}
	if c.wait.value > 0 {
		c.as = countedAs(s.m, f)
		c.keepSync(s, f)
		c.takeRepeats(s, f)
		if f.Class == unpark.ClassDownstream || f.Class == unpark.ClassRateLimit {
			// Another service goes on being asked, and a limit or a delay goes on being one:
			// that none of it is left is the most that a fix can be.
			c.wait.low = min(c.wait.low, leastShorter*c.wait.value)
			c.wait.low *= surely(s.m, f)
		}
		c.wait.high = min(s.mean, c.wait.high+alsoAsked(s.m, f))
		c.freePlaces(s, f)
		c.takeUnasked(s, f)
	}
	if f.Class == unpark.ClassLock {
		c.takeLock(s, f)
	} else if c.queue {
		c.waits = waiting(s.m, f)
		c.takeOtherEnd(s, f)
	}
	return c
}

func (c cut) empty() bool { return c.wait.value <= 0 && c.cpu.value <= 0 && c.stopped <= 0 }

// half is a fix of half of it.
func (c cut) half() cut {
	c.wait, c.cpu, c.sync, c.part = c.wait.times(0.5), c.cpu.times(0.5), c.sync.times(0.5), c.part.times(0.5)
	c.tail, c.stopped = c.tail/2, c.stopped/2
	return c
}

// waiters are the functions in which requests wait for what a finding is about: of a lock all that take it.
func waiters(m *model.Model, f unpark.Finding) []string {
	out := []string{f.Waiter.Function}
	for _, own := range m.Contended {
		if f.Class != unpark.ClassLock || !own.Found(f) {
			continue
		}
		for _, l := range m.Ev.Locks {
			if own.Is(l) {
				out = append(out, l.Waiter.Function)
			}
		}
		if t := m.Ev.Tracing; t != nil {
			for _, e := range t.Edges {
				if own.Owns(e) || slices.ContainsFunc(own.Before, func(l model.Lock) bool { return l.Owns(e) }) {
					out = append(out, e.Waiter.Function)
				}
			}
		}
	}
	return out
}

// together is a fix that asks at once what is asked one after the other: all waits of a request become one. For the least
// that one is as long as two, since it ends with the last answer, and each question takes of the processors what it took before.
func (c cut) together() cut {
	one, all := span{1, 1, 2}.times(1/c.times), c.whole
	c.wait = span{all * (1 - one.high), all * (1 - one.value), all * (1 - one.low)}
	c.sync = span{0, 0, c.sync.high}
	c.tail = 0
	return c
}

// parted returns a cut with the part of its wait that goes: of one that was measured without an error.
func (c cut) parted(s *service, f unpark.Finding) cut {
	v, ok := f.Cost.WaitPerRequest.Value.Get()
	if !ok || v <= 0 {
		return c
	}
	f.Cost.WaitPerRequest = unpark.Measured(v, "s/req", f.Cost.WaitPerRequest.N)
	c.part = cutOf(s, f).wait.times(1 / min(v, s.mean)).atMost(1)
	return c
}

// takeTail adds what the slowest requests are slower by, where traces say that it is mostly
// this wait.
func (c *cut) takeTail(s *service, f unpark.Finding) {
	t := s.m.Ev.Tracing
	if f.Waiter == nil || t == nil || t.Tail.N == 0 || t.Tail.Mean <= 0 {
		return
	}
	e := s.m.Ev.Excess(s.m.Ev.States(f), f.Waiter.Function)
	if e.More.Low.Or(0) > 0 && e.Share.Or(0) >= model.BindingShare {
		c.tail = min(1, (e.Tail-e.Middle)/t.Tail.Mean)
	}
}

// kept finds the lock or pool of a finding that is about what is computed while it is held.
func kept(s *service, f unpark.Finding) int {
	return slices.IndexFunc(s.locks, func(st station) bool {
		if st.pool != nil {
			return f.Class == unpark.ClassPool && f.Waiter != nil && st.pool.Function() == f.Waiter.Function
		}
		return f.Class == unpark.ClassLock && st.lock.Kept && st.lock.Found(f)
	})
}

// underLock finds the busy lock that is held while a finding's CPU is spent: its
// holder is the finding's function, or calls it.
func underLock(locks []station, f unpark.Finding) int {
	return slices.IndexFunc(locks, func(st station) bool {
		name := st.within()
		return name != "" && (f.Site.Function == name || facts.Through(f.Path, name))
	})
}

// takeLock adds what is known of the lock: the share of requests that wait, its
// hold, and the CPU that hangs on contention (futex calls, spinning, switches),
// in proportion to its part of all lock waiting.
func (c *cut) takeLock(s *service, f unpark.Finding) {
	var own *model.Lock
	for i, l := range s.m.Contended {
		if l.Found(f) {
			own = &s.m.Contended[i]
		}
	}
	// What the application does under a lock of its own it can do for many at once.
	shared := c.synced && f.Holder != nil && f.Site.Function == f.Holder.Function
	if own != nil {
		c.device = (c.synced || own.Burden.Work == roles.IO) && !shared
		c.waits = min(1, s.m.PerRequest(own.Count).Or(0))
		hangs := contending(s.m, own)
		c.sync = c.sync.plus(span{0, hangs / 2, hangs})
	}
	if within := heldIn(own, f); within != "" {
		// What is written by many, each under the lock, may be written at once by one, and
		// what is computed under it is what a shorter hold does less of.
		written := min(1, s.m.CPUShare(signalled(s.m, func(v facts.Signal) bool {
			return (v.ID == facts.SignalWrite || v.ID == facts.SignalFsync) && facts.Through(v.Stack, within)
		})))
		c.sync = c.sync.plus(span{0, written / 2, 0.9 * written})
		if c.synced && !shared {
			// One commit of a library for many does once what each did by itself.
			n := max(2, s.population)
			all := s.m.CPUShare(s.m.Ev.CPU.Tree.Through(within)) * (1 - 1/n)
			c.sync = span{c.sync.low, max(c.sync.value, all/2), max(c.sync.high, all)}
		}
		if own != nil && (own.Kept || f.Cost.CPUPerRequest.Value.Known()) {
			c.sync.high = min(1, c.sync.high+s.m.CPUShare(own.Computed))
		}
	}
	at := slices.IndexFunc(s.locks, func(st station) bool { return st.lock == own })
	hold := f.Cost.HoldPerRequest.Value
	switch {
	case at >= 0:
		c.station = s.locks[at]
	case own != nil:
		c.station = stationOf(own, s.m.Ev.Tracing, hold.Or(0), c.wait.value)
	default:
		c.station = station{demand: hold.Or(0), wait: c.wait.value, away: 1}
	}
}

// heldIn is the function in which the lock of a finding is held; empty when unknown.
func heldIn(own *model.Lock, f unpark.Finding) string {
	switch {
	case own != nil && own.Within != "":
		return own.Within
	case f.Holder != nil:
		return f.Holder.Function
	}
	return ""
}

// contending is the share of the target's CPU that hangs on contention of a lock, in
// proportion to the wait as the waiters felt it: what only those saw that let locks go,
// which the model counts as well, may be the same time. A request that contends twice
// causes two switches, one that hardly ever does causes none.
func contending(m *model.Model, own *model.Lock) float64 {
	var mine, all, count float64
	for _, l := range m.Contended {
		count += l.Count
	}
	for _, l := range m.Ev.Locks {
		if l.Side == unpark.RequestPath {
			all += l.Delay
			if own.Is(l) {
				mine += l.Delay
			}
		}
	}
	if all <= 0 {
		return 0
	}
	shares := m.Ev.CPU.Shares
	// Half of the scheduler's time is going idle and waking for the network.
	return mine / all * (shares.Lock.Or(0) + shares.Scheduler.Or(0)/2) * min(1, count/max(1, m.Requests))
}

// waiting is the share of requests that wait at a finding's place.
func waiting(m *model.Model, f unpark.Finding) float64 {
	return min(1, calls(m, f))
}

// countedAs is the limit that the wait of a finding makes by its class in the evidence:
// a wait for calls may be a join for the goroutine that makes them. Empty when it is not
// there.
func countedAs(m *model.Model, f unpark.Finding) unpark.LimitKind {
	if f.Class == unpark.ClassRateLimit {
		return unpark.LimitRateLimit // its sleeps, where connections are what binds
	}
	if f.Waiter == nil || f.Class != unpark.ClassIO && f.Class != unpark.ClassDownstream {
		return ""
	}
	var most facts.Wait
	for _, w := range m.Ev.Waits {
		if w.Side == unpark.RequestPath && !w.Idle && w.Waiter.Function == f.Waiter.Function && w.Delay > most.Delay {
			most = w
		}
	}
	return limitOf(most.Class)
}
