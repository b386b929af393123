package diagnose

import (
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

// unexplained abstains: something that the verdict needs was not measured, or
// what was measured does not add up to the time that requests take.
func unexplained(m *model.Model, _ []unpark.Notice) (unpark.Limit, bool) {
	unknown := func(format string, a ...any) (unpark.Limit, bool) {
		return unpark.Limit{Kind: unpark.LimitUnknown, Why: fmt.Sprintf(format, a...)}, true
	}
	switch {
	case m.Load == nil:
		return unknown("no load was measured, so nothing says which of the costs and waits below limits requests%s", idleNote(m))
	case m.Requests <= 0:
		return unknown("no request was completed in the window")
	case m.Mean <= 0:
		return unknown("the load has no response times, so waits cannot be compared with them; CPU is at %s", usedText(m))
	case !m.Cores.Known():
		return unknown("the target's use of CPU is not known")
	case !m.Present(unpark.KindBlock) && !m.Present(unpark.KindGoroutine):
		return unknown("neither block profile nor goroutine snapshots were measured, so waits are not known; CPU is at %s", usedText(m))
	case m.Overloaded():
		return unknown("the service answered %s of %s offered, and neither CPU (%s) nor a wait that was measured explains it",
			units.Say(m.Load.AchievedRPS, "req/s"), units.Say(m.Load.OfferedRPS, "req/s"), usedText(m))
	}
	floor := restFloor
	if !m.Load.Mode.Open() {
		floor = restClosed
	}
	if rest := m.Mean - accounted(m); rest > restShare*m.Mean && rest > floor {
		return unknown("%s of the %s that a request takes are neither CPU nor a wait that was measured%s%s",
			units.Say(rest, "s"), units.Say(m.Mean, "s"), unmeasured(m), crowdNote(m))
	}
	if !m.Load.Mode.Open() && !m.Used.Known() {
		return unknown("a closed loop asks for all that the service can do, and how many cores that may use is not known (it used %s): "+
			"whether CPU is what binds cannot be told", units.Say(m.Cores.Or(0), ""))
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
func crowdNote(m *model.Model) string {
	if !m.MachineFull() || m.Others <= unpark.MaxOtherShare {
		return ""
	}
	return fmt.Sprintf("; the machine is full, and %s of its busy cores are neither the service's nor the generator's: stop what else runs there and measure again",
		units.Say(m.Others, "ratio"))
}

// accounted is the part of a request's mean time, in seconds, that CPU and
// waits explain. CPU time is stretched by the queue for processors.
func accounted(m *model.Model) float64 {
	busy := min(0.9, max(m.Used.Or(0), m.Machine.Or(0)))
	var ready float64 // s without a processor, as the runtime measured it
	for _, p := range m.Ev.Window.Processes {
		ready += m.PerRequest(p.Metrics.SchedWait.Or(0)).Or(0)
	}
	cpu := m.CPUPerRequest().Or(0)
	sum := max(cpu/(1-busy), cpu+ready)
	for _, w := range m.Ev.Waits {
		if w.Side == unpark.RequestPath && !w.Idle {
			sum += m.PerRequest(w.Delay).Or(0)
		}
	}
	return sum
}

func unmeasured(m *model.Model) string {
	var off []string
	for _, k := range []unpark.Kind{unpark.KindBlock, unpark.KindGoroutine} {
		if !m.Present(k) {
			off = append(off, string(k))
		}
	}
	if len(off) == 0 {
		return ""
	}
	return " (not measured: " + strings.Join(off, ", ") + ")"
}

func usedText(m *model.Model) string {
	if u, ok := m.Used.Get(); ok {
		return units.Say(u, "ratio")
	}
	return "unknown"
}

func idleNote(m *model.Model) string {
	u, ok := m.Used.Get()
	if !ok {
		return ""
	}
	return "; CPU is at " + units.Say(u, "ratio")
}

// healthy is the verdict when nothing binds: the figure to plan with is the rate
// at which the CPU would be full, if requests go on costing what they cost now.
// On a machine that the generator shares, the generator's part grows as well.
func healthy(m *model.Model, findings []unpark.Finding) unpark.Limit {
	l := unpark.Limit{Kind: unpark.LimitNone}
	l.Why = wrong(findings) + fmt.Sprintf(": a request takes %s%s at %s", units.Say(m.Mean, "s"), tailShort(m), units.Say(m.RPS, "req/s"))
	l.Why += sleepNote(m) + rampNote(m)
	// What else runs on the machine now need not run there tomorrow.
	full := m.Used.Or(0) * (1 - m.Observer)
	if n := m.Ev.MachineCores(); m.Shared && n > 0 {
		full = max(full, (m.Service.Or(0)+m.Load.GeneratorCPU.Or(0))/float64(n))
	}
	if full <= 0 {
		return l
	}
	l.Utilization, l.Ceiling = utilization(full), ceiling(m, full)
	// Far from full, the cost of a request is known less well: batching and
	// caches change it with the load.
	if v, ok := l.Ceiling.Value.Get(); ok {
		wide := spread + 0.2*(1-full)
		l.Ceiling = unpark.Between(v, max(m.RPS, v*(1-wide)), v*(1+wide), "req/s", int64(m.Requests))
		l.Why += fmt.Sprintf("; the CPU (%s of %s now) would be full at about %s", units.Say(m.Service.Or(0), ""), units.Say(m.Allowed.Or(0), "cores"), units.About(v, "req/s"))
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

func tailShort(m *model.Model) string {
	if m.Load.Response.N == 0 {
		return ""
	}
	return fmt.Sprintf(" (p99 %s)", units.Say(m.Load.Response.P99, "s"))
}

// rampNote says how far a ramp went that the service kept up with.
func rampNote(m *model.Model) string {
	most := m.RampTop()
	if most <= 0 {
		return ""
	}
	return fmt.Sprintf(", and the service kept up with the ramp to %s", units.Say(most, "req/s"))
}

// sleepNote names a sleep that is much of a request's time.
func sleepNote(m *model.Model) string {
	for _, p := range m.Sleeps {
		if v, ok := m.PerRequest(p.Delay).Get(); ok && felt(m, p) {
			return fmt.Sprintf(", %s of it asleep in %s", units.Say(min(v, m.Mean), "s"), short(p.Function()))
		}
	}
	for _, p := range m.Joins {
		v, ok := m.PerRequest(p.Delay).Get()
		e, known := m.End([]unpark.WaitClass{p.Heaviest.Class}, p.Function())
		asleep := e.Spent(unpark.WaitSleep)
		if ok && known && asleep >= model.BindingShare && felt(m, p) && p.Served {
			return fmt.Sprintf(", %s of it while %s sleeps for it", units.Say(min(v*asleep, m.Mean), "s"), short(e.Holder.Function))
		}
	}
	return ""
}
