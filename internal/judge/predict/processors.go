package predict

import (
	"math"

	"github.com/unpark-go/unpark/internal/judge/model"
)

// processors is what a request takes of them, in seconds of CPU, and how many there are.
type processors struct {
	cpu       float64 // the service's, at the rate of the load; 0 when unknown
	generator float64 // the generator's when it shares the cores, and other services' of the run, else 0
	asked     float64 // of processes beside it, on the same cores, that it asks
	cores     float64 // that both may use; 0 when unknown
}

// processorsOf finds what CPU there is for a request. On a machine that the
// generator shares, a request's CPU is that of both. What else ran on the
// machine is not subtracted: whether it stays is not known. What observing takes is: the
// times that were measured are those of a service without these cores.
func processorsOf(m *model.Model, l load) processors {
	var p processors
	var observer float64 // cores
	if c, ok := m.Service.Get(); ok {
		p.cpu, p.asked = c/l.rate, m.Asked/l.rate
		observer = max(0, m.Cores.Or(c+m.Asked)-c-m.Asked)
	}
	allowed, ok := m.Allowed.Get()
	if !ok {
		return p
	}
	machine := float64(m.Ev.MachineCores())
	p.cores, machine = max(allowed-observer, leastLeft*allowed), max(machine-observer, leastLeft*machine)
	g, ok := l.GeneratorCPU.Get()
	if !ok || !m.Shared || machine == 0 {
		return p
	}
	// Shared: whichever is tighter, the target's own bound or the machine for both.
	g += m.Along
	if both := p.request() + g/l.rate; machine/both < p.cores/p.request() {
		p.cores, p.generator = machine, g/l.rate
	}
	return p
}

// request is what a request costs now.
func (p processors) request() float64 { return p.cpu + p.generator + p.asked }

// used is the share of the cores that is in use at a rate.
func (p processors) used(rate float64) float64 {
	if p.cores <= 0 {
		return 0
	}
	return min(1, rate*p.request()/p.cores)
}

// spent is a request's time on and before the processors when a share of the
// target's CPU is gone: service 1/(1−ρ) for the part that queues.
func (p processors) spent(gone, rate float64) float64 {
	cpu := p.cpu * (1 - gone)
	if p.cores <= 0 {
		return cpu
	}
	m := max(1, p.cores)
	u := min(fullCores, rate*(cpu+p.generator+p.asked)/p.cores)
	return cpu * (1/(1-u)/m + (m-1)/m)
}

// late is how long a goroutine that sleeps, or waits for a socket, goes on waiting when
// the wait is over and every processor is busy: timers and sockets are looked after
// between two goroutines (runtime/proc.go, schedule). Of m goroutines that are
// somewhere in a run of b seconds the first is done after b/(m+1) on average; if all
// began together, or runs differ much, after up to b. Cpu is what a request takes,
// and rate how many there are.
func (p processors) late(cpu, rate float64) span {
	if p.cores <= 0 {
		return span{}
	}
	busy := min(1, rate*(cpu+p.generator+p.asked)/p.cores)
	m := max(1, math.Round(p.cores))
	run := min(cpu, preempted)
	return span{0, math.Pow(busy, m) * run / (m + 1), busy * run}
}
