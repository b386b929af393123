package predict

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// leak abstains on ratios: within a window a leak costs nothing that a ratio
// could show. It says what it costs by the hour.
func leak(limit unpark.LimitKind, f unpark.Finding) unpark.Prediction {
	p := abstain(limit, "a leak has no throughput ratio: it costs memory that grows until the process is stopped")
	if g, ok := f.Cost.GrowthPerSecond.Value.Get(); ok && g > 0 {
		p.Summary = fmt.Sprintf("At this rate it leaves %s goroutines behind per hour, at least %s of memory.",
			units.Say(g*hour, ""), units.Say(g*hour*goroutineBytes, "B"))
	}
	return p
}

// quota bounds throughput by the cores that there are, when a lifted quota or
// GOMAXPROCS is what the target waits for.
func quota(s *service, f unpark.Finding) unpark.Prediction {
	machine := float64(s.m.Ev.MachineCores())
	cores := s.m.Cores.Or(0)
	if machine <= 0 || cores <= 0 {
		return abstain(s.limit, "the CPU that the service used, or the cores of the machine, are not known")
	}
	p := unpark.Prediction{NextLimit: unpark.LimitCPU, Assumptions: []string{
		"how far the quota or GOMAXPROCS is raised is yours to choose; the interval ends where the machine is full",
		"CPU per request stays, and the generator takes from the same cores if it shares them",
	}}
	if s.steady() {
		p.Throughput = s.offered()
		p.Assumptions = append(p.Assumptions, "how much of the latency is throttling is not known: the kernel says for how long, not for which requests")
		p.Summary = fmt.Sprintf("It would take the stalls out of the tail; throughput stays at %s because that is what is offered.", units.Say(s.rate, "req/s"))
		return p
	}
	free := machine
	if busy, ok := s.m.Ev.Window.Machine.Busy.Get(); ok {
		free = max(cores, machine-max(0, busy-cores))
	}
	most := max(1, free/cores)
	if s.Overloaded() {
		most = min(most, s.OfferedRPS/s.rate)
	}
	half := 1 + (most-1)/2
	p.Throughput = unpark.Between(half, 1-s.noise, most*(1+s.noise), "ratio", s.Requests)
	if !f.Cost.Throttled.Known() {
		// GOMAXPROCS: without it the process takes all that is free, but for what more goroutines
		// at once cost each other.
		p.Throughput = unpark.Between((half+most)/2, half*(1-s.noise), most*(1+s.noise), "ratio", s.Requests)
	}
	p.Summary = fmt.Sprintf("With all of the machine's free cores throughput could reach %s (now %s); then CPU is the limit again.",
		units.Say(s.rate*most, "req/s"), units.Say(s.rate, "req/s"))
	return p
}
