package predict

import (
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/stats"
)

// span is a value with the ends of its 90 % interval.
type span struct{ low, value, high float64 }

// cuts says what removing a finding takes out of a scene.
type cuts struct{ scene }

// scattered widens a span by an error that has nothing to do with its own, given as
// a logarithm: two that are independent add up as squares.
func (x span) scattered(by float64) span {
	if x.value <= 0 {
		return x
	}
	down, up := math.Inf(1), math.Log(max(x.high, x.value)/x.value)
	if x.low > 0 {
		down = math.Log(x.value / min(x.low, x.value))
	}
	return span{x.value * math.Exp(-math.Hypot(down, by)), x.value, x.value * math.Exp(math.Hypot(up, by))}
}

// cut is what the fix of a finding takes away.
type cut struct {
	wait    span             // s per request
	queue   bool             // the wait is a queue: only some requests wait, and for one another
	waits   float64          // share of requests that wait, 0 when unknown
	cpu     span             // share of the target's CPU
	sync    span             // share of the target's CPU that hangs on contention or on syncs: it may go as well
	station station          // the lock itself, zero when it is none
	binds   bool             // it is the limit
	under   int              // index of the busy lock under which the CPU is spent, -1 for none
	churn   bool             // it is connections that are opened and closed
	wire    bool             // it is the cost of socket calls itself
	joined  float64          // share of those calls that goes because many become one: the generator makes that many fewer
	synced  bool             // the wait, or the hold, is for a disk to sync
	as      unpark.LimitKind // what the wait counts as among the waits of the evidence; empty: as the limit
	cached  bool             // most requests do not cause the CPU: something keeps answers already
}

// cutOf reads what a finding takes.
func (s cuts) cutOf(f unpark.Finding) cut {
	c := cut{under: -1}
	c.wait = spanOf(f.Cost.WaitPerRequest)
	// A join below other work can be measured longer than the request.
	for _, v := range []*float64{&c.wait.low, &c.wait.value, &c.wait.high} {
		*v = stats.Bound(*v, 0, s.mean)
	}
	c.queue = f.Class == unpark.ClassLock || f.Class == unpark.ClassChannel || f.Class == unpark.ClassPool
	c.wire = f.Class == unpark.ClassSyscall
	if share, ok := s.shareOf(f); ok && c.wire {
		if part := s.joined(share * s.cpu).value; part > fewCalls {
			c.joined = part
		}
	}
	c.churn = f.Class == unpark.ClassPool && f.Cost.Cores.Known()
	c.cpu, c.cached = s.cpuSpan(f) // zero for findings that cost no CPU
	c.binds = isLimit(f.Class, s.limit.Kind) || (c.cpu.value > 0 && cpuLike(s.limit.Kind))
	if c.cpu.value > 0 && !c.queue {
		c.under = s.underLock(f)
	}
	if c.wait.value > 0 {
		c.as = s.countedAs(f)
		s.syncCut(&c, f)
	}
	if f.Class == unpark.ClassLock {
		s.lockCut(&c, f)
	} else if c.queue {
		c.waits = s.waiting(f)
	}
	return c
}

// underLock finds the busy lock that is held while a finding's CPU is spent: its
// holder is the finding's function, or calls it.
func (s cuts) underLock(f unpark.Finding) int {
	return slices.IndexFunc(s.locks, func(st station) bool {
		name := st.lock.Heaviest.Holder.Function
		return name != "" && (f.Site.Function == name ||
			slices.ContainsFunc(f.Path, func(p unpark.Site) bool { return p.Function == name }))
	})
}

// lockCut adds what is known of the lock: the share of requests that wait, its
// hold, and the CPU that hangs on contention (futex calls, spinning, switches),
// in proportion to its part of all lock waiting.
func (s cuts) lockCut(c *cut, f unpark.Finding) {
	var own model.Lock // zero where the evidence has no such lock
	for i, l := range s.m.Contended {
		if l.Found(f) {
			own, c.station.lock = l, &s.m.Contended[i]
		}
	}
	c.waits = min(1, s.m.PerRequest(own.Count).Or(0))
	// As the waiters felt it. What only those saw that let locks go, which the model counts
	// as well, may be the same time.
	var mine, all float64
	for _, l := range s.m.Ev.Locks {
		if l.Side == unpark.RequestPath {
			all += l.Delay
			if own.Is(l) {
				mine += l.Delay
			}
		}
	}
	if all > 0 {
		shares := s.m.Ev.CPU.Shares
		// Half of the scheduler's time is going idle and waking for the network.
		hangs := mine / all * (shares.Lock.Or(0) + shares.Scheduler.Or(0)/2) * s.contention()
		c.sync = c.sync.plus(span{0, hangs / 2, hangs})
	}
	if f.Holder != nil {
		// What is written by many, each under the lock, may be written at once by one.
		written := s.written(f.Holder.Function)
		c.sync = c.sync.plus(span{0, written / 2, 0.9 * written})
	}
	if at := slices.IndexFunc(s.locks, func(st station) bool { return st.lock == c.station.lock }); at >= 0 {
		c.station = s.locks[at]
	} else if h, ok := f.Cost.HoldPerRequest.Value.Get(); ok {
		c.station.demand, c.station.wait = h, c.wait.value
	}
}

// written is the share of the target's CPU in write calls that a function makes, or
// has made.
func (s cuts) written(function string) float64 {
	var cpu float64
	for _, v := range s.m.Ev.Signals {
		if v.ID == facts.SignalWrite && slices.ContainsFunc(v.Stack, func(f unpark.Site) bool { return f.Function == function }) {
			cpu += v.CPU
		}
	}
	return min(1, s.m.CPUShare(cpu))
}

// contention scales scheduler work to a lock: a request that contends twice
// causes two switches, one that hardly ever does causes none.
func (s cuts) contention() float64 {
	var count float64
	for _, l := range s.m.Contended {
		count += l.Count
	}
	return min(1, count/max(1, s.m.Requests))
}

// waiting is the share of requests that wait at a finding's place.
func (s cuts) waiting(f unpark.Finding) float64 {
	var count float64
	for _, w := range s.m.Ev.Waits {
		if w.Side == unpark.RequestPath && !w.Idle && f.Waiter != nil && w.Waiter.Function == f.Waiter.Function {
			count += w.Count
		}
	}
	if n := s.m.Requests; n > 0 {
		return min(1, count/n)
	}
	return 0
}

func spanOf(q unpark.Quantity) span {
	v, ok := q.Value.Get()
	if !ok {
		return span{}
	}
	// Both ends of a window cut waits in two: never trust it closer than 5 %.
	return span{
		low: min(q.Low.Or(v), 0.95*v), value: v, high: max(q.High.Or(v), 1.05*v),
	}
}

func (c cut) empty() bool { return c.wait.value <= 0 && c.cpu.value <= 0 }

// isLimit reports whether a class of finding is what a limit is made of.
func isLimit(c unpark.Class, k unpark.LimitKind) bool {
	switch c {
	case unpark.ClassCPU, unpark.ClassAlloc, unpark.ClassGC, unpark.ClassSyscall, unpark.ClassRecompute:
		return cpuLike(k)
	default:
		return string(c) == string(k) // a wait's class and its limit share the name
	}
}

// cpuLike limits are ceilings of CPU time.
func cpuLike(k unpark.LimitKind) bool {
	return k == unpark.LimitCPU || k == unpark.LimitGC || k == unpark.LimitQuota
}
