package window

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
	"github.com/unpark-go/unpark/internal/measure/target/rusage"
)

// usage is what the target and its machine used between the two ends of a window.
type usage struct {
	o           Options
	watch       *watch
	members     members
	order       []identity // of the processes seen so far, by appearance
	first, last counters
	past        []firstReading // that the window begins with; empty for one that begins when it is opened
	connected   []unpark.Peer  // at the end
	asking      []unpark.Peer  // at the end
}

// counters are what had been used at one instant.
type counters struct {
	at        time.Time
	lives     map[identity]life
	machine   rusage.Machine
	all       map[identity]rusage.Running
	throttled confine.Throttling
}

// begin reads before the window, which begins when all is read.
func (u *usage) begin() {
	u.first = u.read()
	u.first.at = time.Now()
}

// finish reads after the window, which ends before the first is read.
func (u *usage) finish() {
	at := time.Now()
	u.last = u.read()
	u.last.at = at
	u.connected, u.asking = u.peers(), u.clients()
}

func (u *usage) read() counters {
	var c counters
	u.order, c.lives = u.watch.state()
	if c.machine = u.o.machine(); c.machine.CPUs > 0 {
		c.all = everybody()
	}
	if u.o.Throttled != nil {
		c.throttled = u.o.Throttled()
	}
	return c
}

// length is that of the window.
func (u *usage) length() time.Duration { return u.last.at.Sub(u.first.at) }

// window says what was used, without what the load tells.
func (u *usage) window() unpark.Window {
	return unpark.Window{
		Level: u.o.Level, Start: u.first.at, End: u.last.at,
		Machine: u.machine(), Processes: u.processes(), Peers: u.connected, Clients: u.asking,
	}
}

// machine reads what all of the target's machine has used; nothing is known of it where
// a part of the target runs elsewhere.
func (o Options) machine() rusage.Machine {
	if slices.ContainsFunc(o.Endpoints, func(e *Endpoint) bool { return e.Machine != "" }) {
		return rusage.Machine{}
	}
	u, _ := rusage.ReadMachine()
	return u
}

// machineOf numbers the machines that are not this one, from 1.
func (ms members) machineOf(m *member) int {
	var seen []string
	for _, other := range ms {
		if at := other.endpoint.Machine; at != "" && !slices.Contains(seen, at) {
			seen = append(seen, at)
		}
	}
	return slices.Index(seen, m.endpoint.Machine) + 1
}

func (u *usage) machine() unpark.Machine {
	a, b := u.first.machine, u.last.machine
	m := unpark.Machine{CPUs: b.CPUs, GeneratorCPUs: len(confine.Allowed())}
	m.GeneratorQuota = confine.BoundsOf([]int{os.Getpid()}).Quota
	if d := u.length().Seconds(); d > 0 && b.CPUs > 0 {
		m.Busy = unpark.Num((b.Busy - a.Busy) / d)
		m.Steal = unpark.Num((b.Steal - a.Steal) / d)
		m.Neighbours = u.neighbours(d)
	}
	return m
}

// processes tells what became of every process that was seen in the window.
func (u *usage) processes() []unpark.Process {
	members := map[int]*member{}
	for _, m := range u.members {
		if m.endpoint.Local > 0 {
			members[m.endpoint.Local] = m
		}
	}
	var ps []unpark.Process
	for _, id := range u.order {
		first, atStart := u.first.lives[id]
		last, ok := u.last.lives[id]
		m := members[id.pid]
		// One that was to be measured has ended in the window, however early: its profiles
		// are missing, and something has to say why.
		wanted := m != nil || atStart && !first.gone
		if !ok || last.gone && !wanted && last.last.Before(u.first.at) {
			continue
		}
		p := u.seen(id, first, last, atStart)
		if m != nil {
			delete(members, id.pid) // a later process with the number is another one
			m.describe(&p, u.length().Seconds())
		}
		ps = append(ps, p)
	}
	for _, m := range u.members {
		if p, ok := u.told(m); ok {
			ps = append(ps, p)
		}
	}
	if len(ps) > 0 {
		// The quota is the group's; it is told once, with the command itself.
		a, b := u.first.throttled, u.last.throttled
		ps[0].Throttled = growth(a.Seconds, b.Seconds)
		ps[0].Periods, ps[0].StoppedPeriods = growth(a.Periods, b.Periods), growth(a.Stopped, b.Stopped)
	}
	return ps
}

// seen describes a process of this machine by what the kernel says of it.
func (u *usage) seen(id identity, first, last life, atStart bool) unpark.Process {
	p := unpark.Process{PID: id.pid, Parent: last.process.Parent, State: "whole"}
	switch {
	case last.gone:
		p.State = "died"
	case !atStart:
		p.State = "born"
	}
	if seconds := u.length().Seconds(); seconds > 0 {
		p.Cores = unpark.Num((last.usage.CPU - first.usage.CPU) / seconds)
		p.System = unpark.Num((last.usage.System - first.usage.System) / seconds)
	}
	p.Threads = unpark.Num(float64(last.usage.Threads))
	p.RSS = unpark.Num(last.usage.RSS)
	p.Faults = unpark.Num(float64(last.usage.Faults - first.usage.Faults))
	p.Voluntary = unpark.Num(float64(last.usage.Voluntary - first.usage.Voluntary))
	p.Involuntary = unpark.Num(float64(last.usage.Involuntary - first.usage.Involuntary))
	if a, b := first.usage.Calls, last.usage.Calls; b.Known && (a.Known || !atStart) {
		p.Reads, p.Writes = unpark.Num(float64(b.Reads-a.Reads)), unpark.Num(float64(b.Writes-a.Writes))
		p.Written = unpark.Num(float64(b.Written - a.Written))
	}
	return p
}

// told describes a process that this machine cannot see, or not certainly, by what its
// probe says of it; false where the kernel told of it already. Of a target that was
// started here every process was seen, under whichever number.
func (u *usage) told(m *member) (unpark.Process, bool) {
	e := m.endpoint
	if e.Local > 0 || u.o.Processes != nil && (e.Info == nil || e.Machine == "") {
		return unpark.Process{}, false
	}
	p := unpark.Process{PID: e.PID, Machine: u.members.machineOf(m), State: "whole"}
	if e.Info != nil {
		p.Parent = e.Info.Parent
	}
	a, b := m.pages[0], m.pages[1]
	seconds := b.At.Sub(a.At).Seconds()
	rate := func(a, b unpark.Number) unpark.Number {
		if v, ok := growth(a, b).Get(); ok {
			return unpark.Ratio(v, seconds)
		}
		return unpark.Number{}
	}
	p.Cores, p.System = rate(a.CPU, b.CPU), rate(a.System, b.System)
	p.Faults, p.Voluntary, p.Involuntary = growth(a.Faults, b.Faults), growth(a.Voluntary, b.Voluntary), growth(a.Involuntary, b.Involuntary)
	p.Threads = b.metrics.at("/sched/threads/total:threads") // Go 1.26
	m.describe(&p, seconds)
	return p, true
}

// growth is what a count grew by; unknown where it fell, being another's then.
func growth(first, last unpark.Number) unpark.Number {
	a, okA := first.Get()
	b, okB := last.Get()
	if !okA || !okB || b < a {
		return unpark.Number{}
	}
	return unpark.Num(b - a)
}

// procs is GOMAXPROCS at both ends of the window: from Go 1.25 on the runtime follows the
// cgroup's quota and the affinity while it runs (runtime.sysmonUpdateGOMAXPROCS).
func (m *member) procs() (before, after unpark.Number) {
	const name = "/sched/gomaxprocs:threads"
	return m.pages[0].metrics.at(name), m.pages[1].metrics.at(name)
}

// changed warns of processes whose GOMAXPROCS was not the same all the time.
func (u *usage) changed() []unpark.Notice {
	var out []unpark.Notice
	for _, m := range u.members {
		a, b := m.procs()
		if !a.Known() || !b.Known() || a == b {
			continue
		}
		out = append(out, unpark.Notice{
			Code:    "gomaxprocs-changed",
			Message: fmt.Sprintf("GOMAXPROCS of process %d went from %.0f to %.0f within the window: how many processors it could use is not known", m.endpoint.PID, a.Or(0), b.Or(0)),
			Cure:    "keep its CPU limit as it is while you measure, or set GOMAXPROCS in its environment",
		})
	}
	return out
}

// describe adds what the process itself says.
func (m *member) describe(p *unpark.Process, seconds float64) {
	p.Endpoint = m.endpoint.Address
	p.Metrics = difference(m.pages[0].metrics, m.pages[1].metrics)
	p.Goroutines = p.Metrics.GoroutineEnd
	before, after := m.procs()
	p.GOMAXPROCS = after
	if info := m.endpoint.Info; info != nil {
		p.Go, p.NumCPU = info.Go, unpark.Num(float64(info.NumCPU))
		if !after.Known() {
			p.GOMAXPROCS = unpark.Num(float64(info.GOMAXPROCS))
		}
	}
	if before.Known() && after.Known() && before != after {
		p.GOMAXPROCS = unpark.Number{} // no number holds for the window
	}
	gc, okGC := p.Metrics.GCCPU.Get()
	cores, okCores := p.Cores.Get()
	if okGC && okCores {
		p.GCShare = unpark.Ratio(gc, cores*seconds)
	}
}
