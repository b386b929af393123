package predict

import (
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
)

// closedLoop forecasts a change where N requests are always under way, or where an open
// loop offers more than can be answered: then the queue never empties and the target
// behaves like a closed loop.
type closedLoop struct{ change }

func (c closedLoop) forecast(f unpark.Finding) unpark.Prediction {
	x := c.throughput()
	p := unpark.Prediction{NextLimit: c.next(x.value, c.mean/max(x.value, 1e-9))}
	if c.Overloaded() {
		c.drained(&p, x)
		x = x.atMost(c.OfferedRPS / c.rate)
	} else {
		p.P50, p.P99 = c.littles(x)
		p.Assumptions = append(p.Assumptions, "the same number of connections, each sends as soon as it is answered: latency is connections ÷ throughput")
	}
	x = c.cut.answered(x)
	p.Throughput = c.measured(x)
	p.Assumptions = append(p.Assumptions, c.assumed(f, x.value)...)
	p.Assumptions = append(append(p.Assumptions, c.fitted()...), wide(p.Throughput)...)
	p.Summary = c.summary(x, p.P99, p.NextLimit)
	p.CPUSaved = c.cpuSaved(x.value)
	c.alternatives(&p, f, c.part, c.lockFixes)
	if !c.Overloaded() {
		c.silent(&p, f)
	}
	return p
}

// throughput returns it after ÷ before.
func (c closedLoop) throughput() span {
	// How much cheaper a request gets depends on how many more there are.
	out := c.throughputAt(c.cpuLeft(1))
	for range 2 {
		out = c.throughputAt(c.cpuLeft(out.high))
	}
	return c.capped(c.refit(c.moving(out)))
}

// moving is throughput when the world does not stop: a service that stands still for a part
// of the time does the same in less of it, and starting the processors again, which are not
// yet at work when the world moves, takes about as long as stopping them.
func (c closedLoop) moving(x span) span {
	moves := 1 / (1 - c.cut.stopped)
	return span{x.low * (1 + replaced*(moves-1)), x.value * moves, x.high * moves * moves}
}

// throughputAt is throughput with a given cost of what stays.
func (c closedLoop) throughputAt(left cost) span {
	n := c.network(c.cut.station)
	before := n.throughput(c.population)
	cpu, rest, late := left.sum(), c.alone(n), c.relief(left)
	ratio := func(think, cpu, share, inside, late float64) float64 {
		after := n
		after.think = think
		after.cpu = cpu
		after.stations = c.shortened(c.sooner(n.stations, late), inside*share*c.cpu)
		return after.throughput(c.population) / before
	}
	// How much of a function's CPU is spent between Lock and Unlock is not known.
	inside := span{0, 0.5, 1}
	if c.cut.kept {
		inside = span{1, 1, 1}
	}
	out := span{
		low:   ratio(rest.high, cpu.high, c.cut.cpu.low, inside.low, late.low),
		value: ratio(rest.value, cpu.value, c.cut.cpu.value, inside.value, late.value),
		high:  ratio(rest.low, cpu.low, c.cut.cpu.high, inside.high, late.high),
	}
	if c.cut.under >= 0 && (c.cut.kept || c.limit == unpark.LimitLock) {
		out.high = max(out.high, c.unheld(cpu))
	}
	if c.cut.wait.value > 0 {
		// The bound N/(W−w) under the ceilings is what a fix can reach at best: no two
		// requests meet. Requests that still share processors come half of the way,
		// unless what they take without the wait is not known to begin with.
		free := max(c.population*1e-9, c.mean-c.cut.wait.high-c.request()+cpu.low)
		best := c.mean / free
		most := max(out.value, min(best, c.ceiling(c.cut.station, cpu.low)/c.rate))
		if !c.differs() {
			most = math.Sqrt(out.value * most)
		}
		out.high = max(out.high, most)
		if out.high > far*out.low {
			out.value = max(out.value, math.Sqrt(out.low*out.high))
		}
	}
	if c.cut.binds && cpuLike(c.limit) {
		out = c.freed(cpu, late, out)
	} else if c.cut.cpu.value > 0 && !bound(c.limit) {
		out = c.unfound(cpu, late, out)
	}
	if c.cut.churn {
		out = c.unclaimed(cpu, out)
	}
	if c.cut.spared {
		// What stays runs warmer by itself, and nothing takes the place of what goes: that is half of what the low end allows for.
		out.low = math.Sqrt(out.low * out.value)
	}
	if c.cut.wait.value > 0 {
		// What replaces a wait takes time too: a fifth of the gain can stay behind.
		out.low = min(out.low, 1+replaced*(out.value-1))
	}
	if c.cut.device && out.low > 1 {
		out.low = 1 + besideDevice*(out.low-1) // one file is written by one at a time, without the lock as well
	}
	return out
}

// differs reports whether what a queue leaves of a request is the difference of two
// large numbers.
func (c closedLoop) differs() bool {
	return c.cut.queue && c.mean-c.cut.wait.high < nearly*c.mean
}

// alone is the time of a request that is neither CPU nor a station of the network,
// without the wait, in seconds. Where nearly all of a request is the wait, the rest
// is the difference of two large numbers and is put together from its parts.
func (c closedLoop) alone(n network) span {
	if !c.differs() {
		w := c.cut.wait
		return span{max(0, n.think-w.high), max(0, n.think-w.value), max(0, n.think-w.low)}
	}
	beside := c.request()
	for _, d := range n.stations {
		beside += d.mean
	}
	rest := c.residual()
	return span{max(0, rest.low-beside), max(0, rest.value-beside), max(0, rest.high-beside)}
}

// shortened takes CPU that is spent under a lock from its hold.
func (c closedLoop) shortened(holds []times, cpu float64) []times {
	if c.cut.under < 0 || c.cut.under >= len(holds) {
		return holds
	}
	out := slices.Clone(holds)
	hold := &out[c.cut.under]
	hold.mean = max(c.leastHold()*hold.mean, hold.mean-cpu)
	return out
}

// leastHold is the part of a hold that stays in any case: hardly any where all that it is
// there for is known.
func (c closedLoop) leastHold() float64 {
	if c.cut.kept {
		return heldStill / 10
	}
	return heldStill
}

// unheld is throughput after ÷ before when a lock is what binds and its hold
// loses some of the target's CPU: 1/hold, under the ceilings that stay.
func (c closedLoop) unheld(cpu span) float64 {
	lock := c.locks[c.cut.under]
	left := max(c.leastHold()*lock.demand, lock.demand-c.cut.cpu.high*c.cpu)
	return max(1, min(lock.demand/left, c.ceiling(lock, cpu.low)/c.rate))
}

// freed widens a forecast where CPU binds. Time that is neither CPU nor a
// measured wait is then queueing for a processor, or for the collector, and
// shrinks with the CPU of a request: throughput becomes R/(1−f), unless the
// measured waits of N requests hold it down. The network takes such time as
// constant, so the more slack the CPU has, the more of that forecast is the lower end.
func (c closedLoop) freed(cpu, late, constant span) span {
	demand := c.request()
	if demand <= 0 {
		return constant
	}
	// Waits of several goroutines at once add up to more than the request.
	waits := min(c.measuredWaits(), max(0, c.mean-demand))
	now := network{think: waits, cpu: demand, cores: c.cores}
	before := max(c.rate, now.throughput(c.population))
	crowd := c.crowded()
	ratio := func(wait, left, late, crowd float64) float64 {
		after := now
		after.think, after.cpu = max(0, waits-wait-c.earlier(late)-crowd), left
		// CPU binds before and after.
		return max(1, min(demand/max(left, 1e-9), after.throughput(c.population)/before))
	}
	queued := ratio(c.cut.wait.low, cpu.high, late.low, crowd.low)
	most := c.cut.wait.high
	if c.cut.spared {
		most = max(most, waits*(1-cpu.low/demand)/2) // some of what is waited for may be computed in those calls as well
	}
	return span{
		low:   min(queued, queued*math.Pow(constant.low/queued, c.slack()*c.unseen())),
		value: max(constant.value, ratio(c.cut.wait.value, cpu.value, late.value, crowd.value)),
		high:  max(constant.high, ratio(most, cpu.low, late.high, crowd.high)),
	}
}

// unfound widens a forecast where something holds requests that are always under way, and no wait was found: it
// may be the processors, which hand over less smoothly than they count, or which others have.
func (c closedLoop) unfound(cpu, late, out span) span {
	if c.used(c.rate) < nearlyFull {
		out.high = max(out.high, c.amongOthers(cpu.low))
		return out
	}
	queued := c.freed(cpu, late, out)
	return span{out.low, math.Sqrt(out.value * queued.value), max(out.high, queued.high)}
}

// amongOthers is throughput after ÷ before at most, on a machine that others fill, with the CPU of a request that is left. There
// the kernel gives processors in turns, and each turn that a request needs is waited for as long as the others take theirs: time
// that is neither CPU nor a measured wait may all be that, and go with the turns.
func (c change) amongOthers(left float64) float64 {
	demand := c.request()
	if !c.m.MachineFull() || c.m.Others <= unpark.MaxOtherShare || demand <= 0 {
		return 1
	}
	waits := min(c.measuredWaits(), max(0, c.mean-demand))
	after := max(0, waits-c.cut.wait.low) + (c.mean-waits)*left/demand
	return min(c.mean/max(after, left), c.ceiling(c.cut.station, left)/c.rate)
}

// crowded is by how much shorter a request's waits for processes beside the service get when
// the processors that they share with it are free, in seconds. Such a process queues for them as
// the service does. What it takes of them for an answer is known; whether the rest of a wait is queueing, or
// something that it waits for itself, is not.
func (c closedLoop) crowded() span {
	if c.asked <= 0 || !c.m.MachineFull() {
		return span{}
	}
	var waits float64
	for _, w := range c.m.Answers {
		waits += c.m.PerRequest(w.Delay).Or(0)
	}
	queueing := max(0, waits-c.cut.wait.value-c.asked)
	return span{0, queueing / 2, queueing}
}

// unclaimed widens a forecast of connections that are kept. What the kernel does
// for opening and closing them it does in part where no process is charged: on a full
// machine, busy time that no process has may be theirs, and go with them.
func (c closedLoop) unclaimed(cpu, forecast span) span {
	if !c.m.MachineFull() {
		return forecast
	}
	busy := c.m.Ev.Window.Machine.Busy.Or(0)
	most := max(forecast.high, busy/(c.rate*cpu.low))
	return span{forecast.low, math.Sqrt(forecast.value * max(forecast.value, busy/(c.rate*cpu.value))), most}
}

// capped applies what no model of the target knows: some limits do not move
// whatever is fixed elsewhere.
func (c closedLoop) capped(out span) span {
	if !c.cut.binds && immovable(c.limit) {
		out = span{min(1, out.low), 1, 1}
	}
	out.value = stats.Bound(out.value, out.low, out.high)
	return out
}

// immovable limits are queues that the evidence shows but whose server the
// models do not know, or that lie outside of the target.
func immovable(k unpark.LimitKind) bool {
	switch k {
	case unpark.LimitGenerator, unpark.LimitNetwork, unpark.LimitRateLimit, unpark.LimitPool, unpark.LimitChannel:
		return true
	}
	return false
}
