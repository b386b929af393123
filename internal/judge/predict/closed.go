package predict

import (
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/stats"
)

// closedLoop is a scene in which a number of connections each send as soon as they are
// answered, or in which more is offered than answered.
type closedLoop struct{ scene }

// closed returns throughput after ÷ before when N requests are always under way
// (or when an open loop offers more than can be answered: then the queue never
// empties and the target behaves like a closed loop).
func (s closedLoop) closed(c cut) span {
	// How much cheaper a request gets depends on how many more there are.
	out := s.closedAt(c, s.kept(c, 1))
	for range 2 {
		out = s.closedAt(c, s.kept(c, out.high))
	}
	return s.capped(c, s.refit(out))
}

// far is the distance of the ends from which the value is half way between them, as
// a factor: a model that says so little has no best guess.
const far = 10

// closedAt is closed with a given cost of what stays.
func (s closedLoop) closedAt(c cut, k kept) span {
	n := s.model(c)
	before := n.throughput(s.population)
	cpu, rest, late := k.sum(), s.alone(c, n), crowd(s).relief(c, k)
	ratio := func(think, cpu, share, inside, late float64) float64 {
		after := n
		after.think = think
		after.cpu = cpu
		after.stations = shortened(c, crowd(s).sooner(c, n.stations, late), inside*share*s.cpu)
		return after.throughput(s.population) / before
	}
	// How much of a function's CPU is spent between Lock and Unlock is not known.
	out := span{
		low:   ratio(rest.high, cpu.high, c.cpu.low, 0, late.low),
		value: ratio(rest.value, cpu.value, c.cpu.value, 0.5, late.value),
		high:  ratio(rest.low, cpu.low, c.cpu.high, 1, late.high),
	}
	if c.under >= 0 && s.limit.Kind == unpark.LimitLock {
		out.high = max(out.high, s.unheld(c, k))
	}
	if c.wait.value > 0 {
		// The bound N/(W−w) under the ceilings is what a fix can reach at best: nobody
		// meets anybody. Requests that still share processors come half of the way,
		// unless what they take without the wait is not known to begin with.
		free := max(s.population*1e-9, s.mean-c.wait.high-s.uncut().sum().value+cpu.low)
		best := s.mean / free
		most := max(out.value, min(best, s.ceiling(c, cpu.low)/s.rate))
		if !s.differs(c) {
			most = math.Sqrt(out.value * most)
		}
		out.high = max(out.high, most)
		if out.high > far*out.low {
			out.value = max(out.value, math.Sqrt(out.low*out.high))
		}
	}
	if c.binds && cpuLike(s.limit.Kind) {
		out = s.freed(c, cpu, late, out)
	} else if c.cpu.value > 0 && s.limit.Kind == unpark.LimitNone && s.used() >= nearlyFull {
		// Something holds requests that are always under way, and no wait was found: it
		// may be the processors, which hand over less smoothly than they count.
		queued := s.freed(c, cpu, late, out)
		out = span{out.low, math.Sqrt(out.value * queued.value), max(out.high, queued.high)}
	}
	if c.churn {
		out = s.unclaimed(cpu, out)
	}
	if c.wait.value > 0 {
		// What replaces a wait takes time too: a fifth of the gain can stay behind.
		out.low = min(out.low, 1+0.8*(out.value-1))
	}
	return out
}

// nearlyFull is the use of the cores from which time that has no name may be queueing
// for them in a closed loop, although they do not bind by the mean.
const nearlyFull = 0.6

// differs reports whether what a queue leaves of a request is the difference of two
// large numbers.
func (s closedLoop) differs(c cut) bool { return c.queue && s.mean-c.wait.high < nearly*s.mean }

// alone is the time of a request that is neither CPU nor a station of the model,
// without the wait, in seconds. Where nearly all of a request is the wait, the rest
// is the difference of two large numbers and is put together from its parts.
func (s closedLoop) alone(c cut, n network) span {
	out := span{max(0, n.think-c.wait.high), max(0, n.think-c.wait.value), max(0, n.think-c.wait.low)}
	if !s.differs(c) {
		return out
	}
	beside := s.uncut().sum().value
	for _, d := range n.stations {
		beside += d.mean
	}
	rest := s.residual(c)
	return span{max(0, rest.low-beside), max(0, rest.value-beside), max(0, rest.high-beside)}
}

// shortened takes CPU that is spent under a lock from its hold. A tenth of the
// hold stays: taking and giving back the lock, and what it is there for.
func shortened(c cut, stations []times, cpu float64) []times {
	if c.under < 0 || c.under >= len(stations) {
		return stations
	}
	out := slices.Clone(stations)
	out[c.under].mean = max(0.1*out[c.under].mean, out[c.under].mean-cpu)
	return out
}

// unheld is throughput after ÷ before when a lock is what binds and its hold
// loses some of the target's CPU: 1/hold, under the ceilings that stay.
func (s closedLoop) unheld(c cut, k kept) float64 {
	hold := s.locks[c.under].demand
	left := max(0.1*hold, hold-c.cpu.high*s.cpu)
	most := s.ceiling(cut{station: s.locks[c.under], under: -1}, k.sum().low) / s.rate
	return max(1, min(hold/left, most))
}

// freed widens a prediction where CPU binds. Time that is neither CPU nor a
// measured wait is then queueing for a processor, or for the collector, and
// shrinks with the CPU of a request: throughput becomes R/(1−f), unless the
// measured waits of N requests hold it down. The model above takes such time as
// constant, so the more slack the CPU has, the more of it is the lower end.
func (s closedLoop) freed(c cut, cpu, late, constant span) span {
	demand := s.uncut().sum().value
	if demand <= 0 {
		return constant
	}
	waits := s.waits()
	now := network{think: waits, cpu: demand, cores: s.cores}
	before := max(s.rate, now.throughput(s.population))
	ratio := func(wait, left, late float64) float64 {
		after := now
		after.think, after.cpu = max(0, waits-wait-crowd(s).earlier(c, late)), left
		return max(1, min(s.room(left), after.throughput(s.population)/before))
	}
	queued := ratio(c.wait.low, cpu.high, late.low)
	return span{
		low:   min(queued, queued*math.Pow(constant.low/queued, s.slack())),
		value: max(constant.value, ratio(c.wait.value, cpu.value, late.value)),
		high:  max(constant.high, ratio(c.wait.high, cpu.low, late.high)),
	}
}

// unclaimed widens a prediction of connections that are kept. What the kernel does
// for opening and closing them it does in part where no process is charged: on a full
// machine, busy time that is nobody's may be theirs, and go with them.
func (s closedLoop) unclaimed(cpu, forecast span) span {
	busy := s.m.Ev.Window.Machine.Busy.Or(0)
	if !s.m.MachineFull() {
		return forecast
	}
	most := max(forecast.high, busy/(s.rate*cpu.low))
	return span{forecast.low, math.Sqrt(forecast.value * max(forecast.value, busy/(s.rate*cpu.value))), most}
}

// waits is the time per request, in seconds, of the waits that were measured, but
// for those that are the CPU's own doing.
func (s scene) waits() float64 {
	var sum float64
	for _, w := range s.m.Ev.Waits {
		switch w.Class {
		case unpark.WaitGCAssist, unpark.WaitRuntime, unpark.WaitScheduler:
			continue
		}
		if w.Side == unpark.RequestPath && !w.Idle {
			v, _ := s.m.PerRequest(w.Delay).Get()
			sum += v
		}
	}
	return sum
}

// slack says how far time that is neither CPU nor a measured wait may be something
// that less CPU does not shorten: not at all when the cores are always busy, all of
// it where they bind by a hair.
func (s closedLoop) slack() float64 {
	busy := s.used()
	if s.m.Shared {
		busy = max(busy, s.m.Machine.Or(0)) // others make it wait as well
	}
	return stats.Bound((1-busy)/(1-model.Saturated), 0, 1)
}

// room is throughput after ÷ before when CPU binds before and after and a request
// then takes cpu seconds of it.
func (s closedLoop) room(cpu float64) float64 { return s.uncut().sum().value / max(cpu, 1e-9) }

// model returns the network before a cut. Its own lock is no station but time
// that a request loses, because its wait was measured; other locks are. The time
// per request without a queue is what gives the measured rate: what a response
// holds besides its stations cannot be measured, and near saturation it decides
// how much room is left.
func (s closedLoop) model(c cut) network {
	n := network{cores: s.cores, cpu: s.cpu + s.generator}
	for _, st := range s.locks {
		if st != c.station {
			n.stations = append(n.stations, times{st.demand, s.queueing(st)})
		}
	}
	low, high := 0.0, s.mean
	for range 40 {
		n.think = (low + high) / 2
		if n.throughput(s.population) > s.rate {
			low = n.think
		} else {
			high = n.think
		}
	}
	return n
}

// ceiling returns the least of the ceilings that a cut leaves when a request then
// takes cpu seconds of CPU, in requests per second; infinite when none is known.
func (s closedLoop) ceiling(c cut, cpu float64) float64 {
	least := math.Inf(1)
	if s.cores > 0 && cpu > 0 {
		least = s.cores / cpu
	}
	for _, st := range s.locks {
		if st != c.station && st.demand > 0 {
			least = min(least, 1/st.demand)
		}
	}
	return max(least, s.rate)
}

// capped applies what no model of the target knows: some limits do not move
// whatever is fixed elsewhere.
func (s closedLoop) capped(c cut, out span) span {
	if !c.binds && immovable(s.limit.Kind) {
		out = span{min(1, out.low), 1, 1}
	}
	out.value = stats.Bound(out.value, out.low, out.high)
	return out
}

// measured widens what a fix does to what a second run would show of it: the
// change carries the noise of two runs.
func (s closedLoop) measured(x span) unpark.Quantity {
	x = x.scattered(math.Hypot(math.Sqrt2*s.noise, twoRuns))
	return unpark.Between(x.value, x.low, x.high, "ratio", s.load.Requests)
}

// twoRuns is what two runs of the same thing differ by, beside what their seconds
// scatter: processes and minutes are not alike (3 to 7 %, DESIGN §5).
const twoRuns = 0.05

// immovable limits are queues that the evidence shows but whose server the
// models do not know, or that lie outside of the target.
func immovable(k unpark.LimitKind) bool {
	switch k {
	case unpark.LimitGenerator, unpark.LimitNetwork, unpark.LimitRateLimit, unpark.LimitPool, unpark.LimitChannel:
		return true
	}
	return false
}
