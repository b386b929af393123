package diagnose

import (
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// unexplained abstains: something that the verdict needs was not measured, or
// what was measured does not add up to the time that requests take.
func unexplained(r reading, _ []unpark.Notice) (unpark.Limit, bool) {
	unknown := func(format string, a ...any) (unpark.Limit, bool) {
		return unpark.Limit{Kind: unpark.LimitUnknown, Why: fmt.Sprintf(format, a...)}, true
	}
	switch {
	case r.load == nil:
		return unknown("no load was measured, so nothing says which of the costs and waits below limits requests%s", r.idleNote())
	case r.requests <= 0:
		return unknown("no request was completed in the window")
	case r.mean <= 0:
		return unknown("the load has no response times, so waits cannot be compared with them; CPU is at %s", r.usedText())
	case !r.cores.Known():
		return unknown("the target's use of CPU is not known")
	case !r.present(unpark.KindBlock) && !r.present(unpark.KindGoroutine):
		return unknown("neither block profile nor goroutine snapshots were measured, so waits are not known; CPU is at %s", r.usedText())
	case r.overloaded():
		return unknown("the service answered %s of %s offered, and neither CPU (%s) nor a wait that was measured explains it",
			units.Say(r.load.AchievedRPS, "req/s"), units.Say(r.load.OfferedRPS, "req/s"), r.usedText())
	}
	floor := restFloor
	if !r.load.Mode.Open() {
		floor = restClosed
	}
	if rest := r.mean - r.accounted(); rest > restShare*r.mean && rest > floor {
		return unknown("%s of the %s that a request takes are neither CPU nor a wait that was measured%s%s",
			units.Say(rest, "s"), units.Say(r.mean, "s"), r.unmeasured(), r.crowdNote())
	}
	if !r.load.Mode.Open() && !r.used.Known() {
		return unknown("a closed loop asks for all that the service can do, and how many cores that may use is not known (it used %s): "+
			"whether CPU is what binds cannot be told", units.Say(r.cores.Or(0), ""))
	}
	return unpark.Limit{}, false
}

const (
	// restShare and restFloor bound what may stay unexplained: on a shared
	// machine the way through the kernel and the scheduler costs a request up to
	// some milliseconds that no profile shows.
	restShare = 0.5
	restFloor = 5e-3
	// restClosed is the same for a closed loop, where every connection is always
	// under way: something must hold them, and it should have a name.
	restClosed = 1e-3
)

// crowdNote says when the machine is busy with other things.
func (r reading) crowdNote() string {
	if !r.machineFull() || r.strangers() <= unpark.MaxOtherShare {
		return ""
	}
	return fmt.Sprintf("; the machine is full, and %s of its busy cores are neither the service's nor the generator's: stop what else runs there and measure again",
		units.Say(r.strangers(), "ratio"))
}

// accounted is the part of a request's mean time, in seconds, that CPU and
// waits explain. CPU time is stretched by the queue for processors.
func (r reading) accounted() float64 {
	busy := min(0.9, max(r.used.Or(0), r.machine.Or(0)))
	var ready float64 // s without a processor, as the runtime measured it
	for _, p := range r.ev.Window.Processes {
		ready += r.perRequest(p.Metrics.SchedWait.Or(0)).Or(0)
	}
	cpu := r.cpuPerRequest().Or(0)
	sum := max(cpu/(1-busy), cpu+ready)
	for _, w := range r.ev.Waits {
		if w.Side == unpark.RequestPath && !w.Idle {
			sum += r.perRequest(w.Delay).Or(0)
		}
	}
	return sum
}

func (r reading) unmeasured() string {
	var off []string
	for _, k := range []unpark.Kind{unpark.KindBlock, unpark.KindGoroutine} {
		if !r.present(k) {
			off = append(off, string(k))
		}
	}
	if len(off) == 0 {
		return ""
	}
	return " (not measured: " + strings.Join(off, ", ") + ")"
}

func (r reading) usedText() string {
	if u, ok := r.used.Get(); ok {
		return units.Say(u, "ratio")
	}
	return "unknown"
}

func (r reading) idleNote() string {
	u, ok := r.used.Get()
	if !ok {
		return ""
	}
	return "; CPU is at " + units.Say(u, "ratio")
}

// healthy is the verdict when nothing binds: the figure to plan with is the rate
// at which the CPU would be full, if requests go on costing what they cost now.
// On a machine that the generator shares, the generator's part grows as well.
func healthy(r reading, findings []unpark.Finding) unpark.Limit {
	l := unpark.Limit{Kind: unpark.LimitNone}
	l.Why = wrong(findings) + fmt.Sprintf(": a request takes %s%s at %s", units.Say(r.mean, "s"), r.tailShort(), units.Say(r.rps, "req/s"))
	l.Why += r.sleepNote() + r.rampNote()
	// What else runs on the machine now need not run there tomorrow.
	full := r.used.Or(0) * (1 - r.look)
	if n := r.ev.MachineCores(); r.shared && n > 0 {
		full = max(full, (r.service.Or(0)+r.load.GeneratorCPU.Or(0))/float64(n))
	}
	if full <= 0 {
		return l
	}
	l.Utilization, l.Ceiling = utilization(full), r.ceiling(full)
	// Far from full, the cost of a request is known less well: batching and
	// caches change it with the load.
	if v, ok := l.Ceiling.Value.Get(); ok {
		wide := spread + 0.2*(1-full)
		l.Ceiling = unpark.Between(v, max(r.rps, v*(1-wide)), v*(1+wide), "req/s", int64(r.requests))
		l.Why += fmt.Sprintf("; the CPU (%s of %s now) would be full at about %s", units.Say(r.service.Or(0), ""), units.Say(r.allowed.Or(0), "cores"), units.About(v, "req/s"))
	}
	return l
}

// wrong keeps a limit of "none" from hiding what was found: a lock may cost a tenth of
// each request and bind nothing, and a leak binds nothing within a window and everything
// after some hours.
func wrong(findings []unpark.Finding) string {
	if len(findings) == 0 {
		return "nothing is wrong"
	}
	for _, f := range findings {
		if f.Class == unpark.ClassLeak {
			return "nothing binds yet, but goroutines leak in " + short(f.Site.Function)
		}
	}
	return "nothing binds"
}

func (r reading) tailShort() string {
	if r.load.Response.N == 0 {
		return ""
	}
	return fmt.Sprintf(" (p99 %s)", units.Say(r.load.Response.P99, "s"))
}

// rampNote says how far a ramp went that the service kept up with.
func (r reading) rampNote() string {
	all := r.timeline()
	if r.ev.Plan.Mode != unpark.Ramp || len(all) == 0 {
		return ""
	}
	var most float64
	for _, s := range all {
		most = max(most, s.due/s.length)
	}
	return fmt.Sprintf(", and the service kept up with the ramp to %s", units.Say(most, "req/s"))
}

// sleepNote names a sleep that is much of a request's time.
func (r reading) sleepNote() string {
	for _, p := range r.pauses(unpark.WaitSleep) {
		if v, ok := r.perRequest(p.delay).Get(); ok && r.felt(p) {
			return fmt.Sprintf(", %s of it asleep in %s", units.Say(min(v, r.mean), "s"), short(p.wait.Waiter.Function))
		}
	}
	for _, p := range r.pauses(joins()...) {
		v, ok := r.perRequest(p.delay).Get()
		e, known := r.endOf([]unpark.WaitClass{p.wait.Class}, p.wait.Waiter.Function)
		asleep := spentIn(e, unpark.WaitSleep)
		if ok && known && asleep >= fills && r.felt(p) && r.served(p) {
			return fmt.Sprintf(", %s of it while %s sleeps for it", units.Say(min(v*asleep, r.mean), "s"), short(e.Holder.Function))
		}
	}
	return ""
}
