package load

import (
	"fmt"
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// Conditions is what Judge has to know beside the load itself. Unknown figures
// make it abstain from the rules that need them.
type Conditions struct {
	// CPUs is how many processors the generator may use.
	CPUs int
	// Quota is how many cores a limit of its own leaves the generator; unknown: none.
	Quota unpark.Number
	// Shared says that the target may use the same ones.
	Shared        bool
	TargetCores   unpark.Number // used by the target
	TargetAllowed unpark.Number // that the target may use
	Machine       unpark.Number // busy cores of the whole machine
	Steal         unpark.Number // cores taken by the hypervisor
}

// The thresholds of DESIGN §5, and those that it leaves open.
const (
	enoughOffered = 0.995  // achieved ÷ offered
	lagShare      = 0.5    // of the response p99: void
	lagWarnShare  = 0.1    // of the service p99: a warning
	lagFloor      = 200e-6 // s; below it lag is the noise of any scheduler
	// On shared processors a running target delays the generator by up to a time
	// slice (kernel/sched/fair.c: 0.75 ms times at most 4): part of the story there.
	sharedFloor  = 3e-3  // s
	busyShare    = 0.85  // of the cores that one side may use
	errorShare   = 0.001 // a failure in a thousand already is the p99.9
	openShare    = 0.001 // unfinished: the same
	stealShare   = 0.02  // of the generator's processors; identical runs differ by 3–7 %
	sharedShare  = 0.05  // of shared processors: the same noise
	enoughForP99 = 1000  // ten values above the p99
	lateShare    = 0.01  // late requests: own lag p99 is above lateAfter
	mostlyOwn    = 0.9   // of the delayed requests are late
	isolate      = "give the generator processors of its own (four cores or more), or run it on another machine"
)

// Judge says why the figures of a load are not to be trusted (void), and what
// the reader must know beside them (warnings).
//
// A run is void for the generator's own reasons only: a request that waited for
// a connection which the target had not freed is the target's slowness, however
// large it makes Lag. On a closed loop achieved equals offered, and lag only
// delays the next request, so that neither voids it.
func Judge(l unpark.Load, c Conditions) (void, warnings []unpark.Notice) {
	for _, rule := range []func(unpark.Load, Conditions) *unpark.Notice{ruleLate, ruleLag, ruleCPU, ruleOwnErrors} {
		if n := rule(l, c); n != nil {
			void = append(void, *n)
		}
	}
	for _, rule := range []func(unpark.Load, Conditions) *unpark.Notice{
		warnLag, warnCPU, warnShared, warnSteal, warnErrors, warnUnfinished, warnFew,
	} {
		if n := rule(l, c); n != nil {
			warnings = append(warnings, *n)
		}
	}
	return void, warnings
}

func ruleLate(l unpark.Load, c Conditions) *unpark.Notice {
	offered := l.OfferedRPS * l.Seconds
	if !l.Mode.Open() || offered <= 0 || l.AchievedRPS >= enoughOffered*l.OfferedRPS {
		return nil
	}
	// The target's own slowness keeps connections busy and makes no arrival late. A
	// shortfall is the generator's when late requests can explain all of it.
	missing := offered - float64(l.Requests)
	if float64(l.Late) < missing || float64(l.Late) <= (1-enoughOffered)*offered {
		return nil
	}
	return &unpark.Notice{
		Code: "generator-late",
		Message: fmt.Sprintf("the generator achieved %s of %s (%.1f %%) and sent %d of %.0f requests more than 1 ms late although a connection was free",
			units.Figure(l.AchievedRPS, ""), units.Figure(l.OfferedRPS, "req/s"), 100*l.AchievedRPS/l.OfferedRPS, l.Late, offered),
		Cure: lateCure(l, c),
	}
}

// ownLag returns the p99 of the lag that the generator is to blame for, and
// whether it is known. In a load without OwnLag it is known only when more than one
// request in a hundred was late, and hardly any other was delayed as much: then
// no arrival waited for the target to free a connection, and all lag is its own.
func ownLag(l unpark.Load) (float64, bool) {
	if l.OwnLag.N > 0 {
		return l.OwnLag.P99, true
	}
	late := float64(l.Late)
	if l.Lag.N == 0 || late <= lateShare*float64(l.Lag.N) || late < mostlyOwn*delayed(l.Lag) {
		return 0, false
	}
	return l.Lag.P99, true
}

// delayed counts the requests whose lag, whoever caused it, is above lateAfter.
func delayed(lag unpark.Latency) float64 {
	n, above := int64(0), false
	for _, b := range lag.Buckets {
		if above {
			n += b.Count
		}
		above = above || b.Le >= seconds(lateAfter)
	}
	return float64(n)
}

func ruleLag(l unpark.Load, c Conditions) *unpark.Notice {
	own, known := ownLag(l)
	floor := lagFloor
	if c.Shared {
		floor = sharedFloor
	}
	if !l.Mode.Open() || !known || l.Response.N == 0 || own <= max(floor, lagShare*l.Response.P99) {
		return nil
	}
	return &unpark.Notice{
		Code: "generator-lag",
		Message: fmt.Sprintf("the generator itself delayed requests by %s at p99, more than half of the response p99 of %s",
			units.Say(own, "s"), units.Say(l.Response.P99, "s")),
		Cure: lateCure(l, c),
	}
}

// lateCure is what helps a generator that sends late. Where processes that are neither side have the
// processors, it is late for want of one at any rate.
func lateCure(l unpark.Load, c Conditions) string {
	if others, ok := c.others(l); ok {
		return fmt.Sprintf("stop what else runs on the machine, which has %s of the %s that are busy, or measure elsewhere", units.Say(others, ""), units.Say(c.Machine.Or(0), "cores"))
	}
	return "lower the rate, or " + isolate
}

// others is how many cores processes other than generator and target use, where the machine is full and counts as theirs.
func (c Conditions) others(l unpark.Load) (float64, bool) {
	busy, target, used := c.Machine.Or(0), c.TargetCores, l.GeneratorCPU
	if c.CPUs <= 0 || busy < busyShare*float64(c.CPUs) || !target.Known() || !used.Known() {
		return 0, false
	}
	others := busy - target.Or(0) - used.Or(0)
	return others, others > unpark.MaxOtherShare*busy
}

// generatorBusy returns the share of its processors that the generator used.
func generatorBusy(l unpark.Load, c Conditions) (used, share float64, known bool) {
	used, known = l.GeneratorCPU.Get()
	if !known || c.CPUs <= 0 {
		return 0, 0, false
	}
	return used, used / min(float64(c.CPUs), c.Quota.Or(math.Inf(1))), true
}

// confined reports whether a quota leaves the generator less than its processors.
func (c Conditions) confined() bool { return c.Quota.Or(math.Inf(1)) < float64(c.CPUs) }

// cores words what the generator may use.
func (c Conditions) cores() string {
	if c.confined() {
		return "the " + unpark.Plural(fmt.Sprintf("%.4g", c.Quota.Or(0)), "core") + " of its quota"
	}
	return "its " + unpark.Counted(int64(c.CPUs), "core")
}

// targetBusy returns the share of its processors that the target used.
func targetBusy(c Conditions) (share float64, known bool) {
	used, okUsed := c.TargetCores.Get()
	allowed, okAllowed := c.TargetAllowed.Get()
	if !okUsed || !okAllowed || allowed <= 0 {
		return 0, false
	}
	return used / allowed, true
}

func ruleCPU(l unpark.Load, c Conditions) *unpark.Notice {
	used, share, known := generatorBusy(l, c)
	target, targetKnown := targetBusy(c)
	// What is taken from shared processors the target has not got either; a quota of
	// the generator's own takes nothing from anybody.
	if c.Shared && !c.confined() || !known || !targetKnown || share <= busyShare || target > busyShare {
		return nil
	}
	return &unpark.Notice{
		Code: "generator-cpu",
		Message: fmt.Sprintf("the generator used %.2f of %s (%.0f %%) while the target used %.0f %% of its own: the generator was the limit",
			used, c.cores(), 100*share, 100*target),
		Cure: "give the generator more processors, use fewer connections, or run it on another machine",
	}
}

// warnCPU is ruleCPU for a target whose usage is unknown.
func warnCPU(l unpark.Load, c Conditions) *unpark.Notice {
	used, share, known := generatorBusy(l, c)
	if _, targetKnown := targetBusy(c); c.Shared && !c.confined() || !known || targetKnown || share <= busyShare {
		return nil
	}
	return &unpark.Notice{
		Code: "generator-cpu",
		Message: fmt.Sprintf("the generator used %.2f of %s (%.0f %%); the target's use is unknown, so the generator may have been the limit",
			used, c.cores(), 100*share),
		Cure: "give the generator more processors, use fewer connections, or run it on another machine",
	}
}

func warnShared(l unpark.Load, c Conditions) *unpark.Notice {
	used, known := l.GeneratorCPU.Get()
	share := used / float64(max(1, c.CPUs))
	if !c.Shared || !known || c.CPUs <= 0 || share <= sharedShare {
		return nil
	}
	return &unpark.Notice{
		Code: "shared-cores",
		Message: fmt.Sprintf("generator and target share %s; the generator took %.2f of that (%.0f %%), which the target could not use",
			unpark.Counted(int64(c.CPUs), "core"), used, 100*share),
		Cure: isolate,
	}
}

func ruleOwnErrors(l unpark.Load, _ Conditions) *unpark.Notice {
	ports, descriptors := l.ErrorKinds[failPorts], l.ErrorKinds[failDescriptors]
	cure := "raise the limit on open files (ulimit -n), or use fewer connections"
	if ports > 0 {
		cure = "let the target keep connections alive, or use fewer connections; `sysctl net.ipv4.ip_local_port_range` shows the range"
	}
	if ports+descriptors == 0 {
		return nil
	}
	return &unpark.Notice{
		Code: "generator-errors",
		Message: fmt.Sprintf("%s failed for want of local ports and %d for want of file descriptors: errors of the generator's own making",
			unpark.Counted(ports, "request"), descriptors),
		Cure: cure,
	}
}
