package window

import (
	"os"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/target"
)

func (s *session) machineUsed() unpark.Machine {
	a, b := s.machine[0], s.machine[1]
	m := unpark.Machine{CPUs: b.CPUs, GeneratorCPUs: len(target.Allowed())}
	m.GeneratorQuota, _ = target.PIDCgroup(os.Getpid())
	if d := s.end.Sub(s.start).Seconds(); d > 0 && b.CPUs > 0 {
		m.Busy = unpark.Num((b.Busy - a.Busy) / d)
		m.Steal = unpark.Num((b.Steal - a.Steal) / d)
	}
	return m
}

// processes tells what became of every process that was seen in the window.
func (s *session) processes() []unpark.Process {
	seconds := s.end.Sub(s.start).Seconds()
	members := map[int]*member{}
	for _, m := range s.members {
		members[m.endpoint.PID] = m
	}
	var ps []unpark.Process
	for i, pid := range s.order {
		last, ok := s.lastOrder[pid]
		first, atStart := s.firstOrder[pid]
		// Who was to be measured has ended in the window, however early: its profiles are
		// missing, and something has to say why.
		wanted := members[pid] != nil || atStart && !first.gone
		if !ok || last.gone && !wanted && last.last.Before(s.start) {
			continue
		}
		p := unpark.Process{PID: pid, Parent: last.process.Parent, State: "whole"}
		switch {
		case last.gone:
			p.State = "died"
		case !atStart:
			p.State = "born"
		}
		if seconds > 0 {
			p.Cores = unpark.Num((last.usage.CPU - first.usage.CPU) / seconds)
			p.System = unpark.Num((last.usage.System - first.usage.System) / seconds)
		}
		p.Threads = unpark.Num(float64(last.usage.Threads))
		p.RSS = unpark.Num(last.usage.RSS)
		p.Faults = unpark.Num(float64(last.usage.Faults - first.usage.Faults))
		p.Voluntary = unpark.Num(float64(last.usage.Voluntary - first.usage.Voluntary))
		p.Involuntary = unpark.Num(float64(last.usage.Involuntary - first.usage.Involuntary))
		if i == 0 {
			// The quota is the group's; it is told once, with the command itself.
			p.Throttled = growth(s.throttled)
		}
		if m := members[pid]; m != nil {
			m.describe(&p, seconds)
		}
		ps = append(ps, p)
	}
	return ps
}

func growth(n [2]unpark.Number) unpark.Number {
	a, okA := n[0].Get()
	b, okB := n[1].Get()
	if !okA || !okB {
		return unpark.Number{}
	}
	return unpark.Num(b - a)
}

// describe adds what the process itself says.
func (m *member) describe(p *unpark.Process, seconds float64) {
	p.Endpoint = m.endpoint.Address
	p.Metrics = difference(m.metrics[0], m.metrics[1])
	p.Goroutines = p.Metrics.GoroutineEnd
	p.GOMAXPROCS = m.metrics[1].at("/sched/gomaxprocs:threads")
	if info := m.endpoint.Info; info != nil {
		p.Go, p.NumCPU = info.Go, unpark.Num(float64(info.NumCPU))
		if !p.GOMAXPROCS.Known() {
			p.GOMAXPROCS = unpark.Num(float64(info.GOMAXPROCS))
		}
	}
	gc, okGC := p.Metrics.GCCPU.Get()
	cores, okCores := p.Cores.Get()
	if okGC && okCores {
		p.GCShare = unpark.Ratio(gc, cores*seconds)
	}
}
