package diagnose

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

// The reasons for a limit, and their words.
type (
	byGenerator struct{ notice unpark.Notice }
	isVoid      struct{ notice unpark.Notice }
	atQuota     struct{ cores float64 }
	atCores     struct{} // the service uses all that it may
	atMachine   struct{} // service and generator fill the machine
	atWorker    struct{}
	atTurns     struct{ full float64 } // and hands over between connections
	byOthers    struct{}
	byGarbage   struct{ cpu reason }
	byCollector struct{}
	byMany      struct{ cpu reason } // nothing that it computes stands out
	atCPUOrLock struct{ lock model.Lock }
)

func (r byGenerator) say(m *model.Model) string {
	why := "the generator was the limit, not the service: " + r.notice.Message
	if m.Load == nil {
		return why
	}
	if g, ok := m.Load.GeneratorCPU.Get(); ok {
		why += fmt.Sprintf(" (it used %s cores", units.Say(g, ""))
		if c, ok := m.Cores.Get(); ok {
			why += fmt.Sprintf(", the service %s", units.Say(c, ""))
		}
		why += ")"
	}
	return why + sayTaken(m)
}

// sayTaken says that others had the processors, where they did: what is slow then need not be the service.
func sayTaken(m *model.Model) string {
	if !taken(m) {
		return ""
	}
	return fmt.Sprintf("; the machine is full, and %s of its busy cores are neither the service's nor the generator's%s", units.Say(m.Others, "ratio"), neighbours(m))
}

// taken reports that others fill the machine that the service and the generator run on.
func taken(m *model.Model) bool { return m.MachineFull() && m.Others > unpark.MaxOtherShare }

func (r isVoid) say(*model.Model) string { return "the run is void: " + r.notice.Message }

func (r atQuota) say(m *model.Model) string {
	why := fmt.Sprintf("the cgroup was throttled in %s of its scheduling periods: the quota is %s", units.Say(min(1, m.Throttled), "ratio"), units.Say(r.cores, "cores"))
	if cores, ok := m.Cores.Get(); ok {
		why += fmt.Sprintf(" and the service used %s", units.Say(cores, ""))
	}
	if procs, ok := m.Ev.CPU.Parallel.Get(); ok && procs >= manyProcs*r.cores {
		why += fmt.Sprintf("; GOMAXPROCS %s spends it early in each period", units.Say(procs, ""))
	}
	return why
}

func (atCores) say(m *model.Model) string {
	why := fmt.Sprintf("the service uses %s of the %s it may use", units.Say(m.Cores.Or(0), ""), units.Say(m.Allowed.Or(0), "cores"))
	if m.Observer >= observedPart {
		why += fmt.Sprintf(", %s of them for being captured", units.Say(m.Observer*m.Cores.Or(0), ""))
	}
	if procs, ok := m.Ev.CPU.Parallel.Get(); ok && procs+1 <= m.Ev.CPU.Allowed.Or(0) {
		why += fmt.Sprintf(": GOMAXPROCS is %s where %s are allowed", units.Say(procs, ""), units.Say(m.Ev.CPU.Allowed.Or(0), "cores"))
	}
	return why + sayCPUCost(m)
}

func (atMachine) say(m *model.Model) string {
	stolen := ""
	if s, ok := stolenCores(m); ok {
		stolen = fmt.Sprintf(", %s stolen by other machines on the same host", units.Say(s, ""))
	}
	return fmt.Sprintf("the machine is full (%s of %s busy%s); the service got %s of that",
		units.Say(m.Ev.Window.Machine.Busy.Or(0), ""), unpark.Counted(int64(m.Ev.MachineCores()), "core"), stolen, units.Say(m.Cores.Or(0), "")) + sayCPUCost(m)
}

func (r atTurns) say(m *model.Model) string {
	why := fmt.Sprintf("no wait is most of a request, and the processors are %s busy: the service uses %s of the %s it may use",
		units.Say(r.full, "ratio"), units.Say(m.Cores.Or(0), ""), units.Say(m.Allowed.Or(0), "cores")) + sayCPUCost(m)
	return why + fmt.Sprintf("; what is idle between is %s handing over to each other", connections(m))
}

// connections counts those of a closed loop.
func connections(m *model.Model) string {
	n := m.Ev.Window.Level.Connections
	if n == 0 {
		n = m.Ev.Plan.Connections
	}
	return unpark.Counted(int64(n), "connection")
}

// sayCPUCost says what a request costs, and what a generator on the same cores took.
func sayCPUCost(m *model.Model) string {
	text := sayAsked(m)
	if per, ok := m.CPUPerRequest().Get(); ok {
		text += fmt.Sprintf(", %s a request", units.Say(per, "s"))
	}
	if m.Load == nil || !m.Shared {
		return text
	}
	g, ok := m.Load.GeneratorCPU.Get()
	if !ok || g < leastGenerator {
		return text
	}
	text += fmt.Sprintf("; the generator, on the same cores, used %s", units.Say(g, ""))
	if g > m.Cores.Or(0) && m.Cores.Known() {
		text += ", more than the service: with cores of its own the service could do more than this run shows"
	}
	return text
}

// sayAsked names the processes beside the service that take some of its processors.
func sayAsked(m *model.Model) string {
	if m.Asked < leastGenerator {
		return ""
	}
	var pids []string
	for _, p := range m.Ev.Window.Asked() {
		pids = append(pids, strconv.Itoa(p.PID))
	}
	return fmt.Sprintf(", %s of it in what it asks here (pid %s, without a profile)", units.Say(m.Asked, ""), strings.Join(pids, ", "))
}

func (atWorker) say(m *model.Model) string {
	cores, procs := m.Worker.Cores.Or(0), m.Worker.GOMAXPROCS.Or(0)
	what := "processors"
	if procs == 1 {
		what = "processor"
	}
	return fmt.Sprintf("process %d is full: it uses %s of the %s %s that its GOMAXPROCS allows, and has %s of the service's CPU; "+
		"the others have room: the load does not reach them evenly", m.Worker.PID, units.Say(cores, ""), units.Say(procs, ""), what,
		units.Say(min(1, cores/m.Cores.Or(cores)), "ratio"))
}

func (byOthers) say(m *model.Model) string {
	return fmt.Sprintf("the machine is full, and %s of its %s busy cores are neither the service's (%s) nor the generator's%s: stop what else runs there and measure again",
		units.Say(m.Others, "ratio"), units.Say(m.Ev.Window.Machine.Busy.Or(0)+m.Ev.Window.Machine.Steal.Or(0), ""), units.Say(m.Cores.Or(0), ""), neighbours(m))
}

func (r byGarbage) say(m *model.Model) string {
	return fmt.Sprintf("%s of the CPU goes into garbage (collector %s, allocator %s), and CPU is what binds: %s",
		units.Say(m.GarbageShare, "ratio"), units.Say(m.GCShare, "ratio"), units.Say(m.Ev.CPU.Shares.Malloc.Or(0), "ratio"), r.cpu.say(m))
}

func (byCollector) say(m *model.Model) string {
	return fmt.Sprintf("the collector takes %s of the CPU that the service uses (%s of %s), and requests wait for it%s",
		units.Say(m.GCShare, "ratio"), units.Say(m.Cores.Or(0), ""), units.Say(m.Allowed.Or(0), "cores"), sayTail(m))
}

func (r byMany) say(m *model.Model) string {
	shares := m.Ev.CPU.Shares
	kinds := map[string]float64{"system calls": shares.Syscall.Or(0), "the scheduler": shares.Scheduler.Or(0), "garbage": m.GarbageShare}
	names := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
		return cmp.Or(cmp.Compare(kinds[b], kinds[a]), cmp.Compare(a, b))
	})
	var said []string
	for _, name := range names {
		if kinds[name] >= leastCost {
			said = append(said, units.Say(kinds[name], "ratio")+" is "+name)
		}
	}
	if len(said) == 0 {
		return r.cpu.say(m)
	}
	return r.cpu.say(m) + "; of the service's CPU " + strings.Join(said, ", ") + ", and no function stands out in the rest: more processors, or fewer and larger requests, would help"
}

func (r atCPUOrLock) say(m *model.Model) string {
	return fmt.Sprintf("CPU and a lock are both near saturation, and either may cause the other: %s of the allowed cores are used, "+
		"and %s of a request's time is waiting for the lock in %s; fix the lock first and measure again",
		units.Say(m.Used.Or(0), "ratio"), units.Say(r.lock.Share.Or(0), "ratio"), short(r.lock.Taker))
}

// sayStretch says what the mean of a ramp hides.
func sayStretch(s model.Stretch) string {
	return fmt.Sprintf("%s after the load began the service fell behind the ramp, which the window's mean hides: from then on it answered %s of %s",
		units.Say(math.Round(s.From), "s"), units.Say(s.Achieved, "req/s"), units.Say(s.Offered, "req/s"))
}

// sayTail names the 99th percentile, which a queue stretches most.
func sayTail(m *model.Model) string {
	if m.Load == nil || m.Load.Response.N == 0 {
		return ""
	}
	return fmt.Sprintf("; p99 is %s", units.Say(m.Load.Response.P99, "s"))
}

// sayUse says how full the cores are, where that is known.
func sayUse(m *model.Model) string {
	if used, ok := m.Used.Get(); ok {
		return "; CPU is at " + units.Say(used, "ratio")
	}
	return ""
}

// lacks is what a verdict needs and was not measured, or what was measured does not explain.
type lacks int

const (
	noLoad lacks = iota
	noRequests
	noTimes
	noCPU
	noWaits
	noCause
	noCores
)

func (l lacks) say(m *model.Model) string {
	use := "unknown"
	if u, ok := m.Used.Get(); ok {
		use = units.Say(u, "ratio")
	}
	switch l {
	case noLoad:
		return "no load was measured, so nothing says which of the costs and waits below limits requests" + sayUse(m)
	case noRequests:
		return "no request was completed in the window"
	case noTimes:
		return "the load has no response times, so waits cannot be compared with them; CPU is at " + use
	case noCPU:
		return "the target's use of CPU is not known"
	case noWaits:
		return "neither block profile nor goroutine snapshots were measured, so waits are not known; CPU is at " + use
	case noCause:
		return fmt.Sprintf("the service answered %s of %s offered, and neither CPU (%s) nor a wait that was measured explains it",
			units.Say(m.Load.AchievedRPS, "req/s"), units.Say(m.Load.OfferedRPS, "req/s"), use)
	default:
		return fmt.Sprintf("a closed loop asks for all that the service can do, and how many cores that may use is not known (it used %s): "+
			"whether CPU is what binds cannot be told", units.Say(m.Cores.Or(0), ""))
	}
}

// isUnexplained is the time of a request, in seconds, that nothing measured explains.
type isUnexplained struct{ rest float64 }

func (r isUnexplained) say(m *model.Model) string {
	why := fmt.Sprintf("%s of the %s that a request takes are neither CPU nor a wait that was measured", units.Say(r.rest, "s"), units.Say(m.Mean, "s"))
	var off []string
	for _, k := range []unpark.Kind{unpark.KindBlock, unpark.KindGoroutine} {
		if !m.Present(k) {
			off = append(off, string(k))
		}
	}
	if len(off) > 0 {
		why += " (not measured: " + strings.Join(off, ", ") + ")"
	}
	if taken(m) {
		why += sayTaken(m) + ": stop what else runs there and measure again"
	}
	return why
}

// stolenCores is what the host gave to other machines, where that is worth a word.
func stolenCores(m *model.Model) (float64, bool) {
	s := m.Ev.Window.Machine.Steal.Or(0)
	return s, s > leastStolen*float64(m.Ev.MachineCores())
}

// neighbours names the machines and processes that took this one, in brackets; empty where none is known.
func neighbours(m *model.Model) string {
	var names []string
	if s, ok := stolenCores(m); ok {
		names = append(names, fmt.Sprintf("other machines on the same host, %s cores", units.Say(s, "")))
	}
	for _, n := range m.Ev.Window.Machine.Neighbours {
		names = append(names, fmt.Sprintf("%s, pid %d, %s cores", n.Name, n.PID, units.Say(n.Cores, "")))
	}
	if len(names) == 0 {
		return ""
	}
	return " (" + strings.Join(names, "; ") + ")"
}
