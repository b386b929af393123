package predict

import (
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/stats"
)

// scene is the service under its load, as the models see it. Times in seconds.
type scene struct {
	m     *model.Model
	limit unpark.Limit
	load  unpark.Load

	// rate is the requests that were completed per second of load, which is what the ratios
	// are of. That of the model is of the seconds that were profiled.
	rate float64
	// mean is that of responses, from the intended start: that is what percentiles are of,
	// and what an open loop feels of a queue. That of the model begins when a request is
	// written.
	mean       float64
	population float64 // requests under way on average (Little's law)
	open       bool
	overloaded bool // open loop that offers more than is answered

	cpu       float64 // the service's CPU per request at this rate; 0 when unknown
	observer  float64 // cores that observing took
	generator float64 // the generator's CPU per request when it shares the cores, else 0
	cores     float64 // that both may use; 0 when unknown
	locks     []station
	noise     float64 // relative half-width of the rate's own 90 % interval
}

// station is one resource that serves requests one at a time.
type station struct {
	lock   *model.Lock // nil where the evidence has none
	demand float64     // hold per request, at the rate of the forecast
	wait   float64     // measured wait per request
}

// busyLock is the utilization from which a lock is a station of its own; an
// emptier one adds its hold to a request's time and nothing else.
const busyLock = 0.3

// observe returns the scene, or false and why there is none.
func observe(m *model.Model, limit unpark.Limit) (scene, string) {
	l := m.Load
	switch {
	case l == nil:
		return scene{}, "no load was measured, so there is no response time to start from"
	case l.AchievedRPS <= 0:
		return scene{}, "no request was completed in the window"
	case l.Response.N == 0 || l.Response.Mean <= 0:
		return scene{}, "the load has no response times to start from"
	case l.Mode == unpark.Ramp || l.Mode == unpark.Replay || l.Mode == unpark.NoLoad:
		return scene{}, "the load changed during the window; models need one level"
	}
	s := scene{
		m: m, limit: limit, load: *l, rate: l.AchievedRPS, mean: l.Response.Mean,
		open: l.Mode.Open(), noise: rateNoise(m.Ev.Window.Timeline),
	}
	s.population = s.rate * s.mean
	s.overloaded = m.Overloaded()
	if c, ok := m.Service.Get(); ok {
		s.cpu, s.observer = c/s.rate, max(0, m.Cores.Or(c)-c)
	}
	s.setCores()
	s.setLocks()
	return s, ""
}

// setCores finds what CPU there is for a request. On a machine that the
// generator shares, a request's CPU is that of both. What else ran on the
// machine is not subtracted: whether it stays is not known. What observing takes is: the
// times that were measured are those of a service without these cores.
func (s *scene) setCores() {
	least, ok := s.m.Allowed.Get()
	if !ok {
		return
	}
	machine := float64(s.m.Ev.MachineCores())
	s.cores, machine = max(least-s.observer, leastLeft*least), max(machine-s.observer, leastLeft*machine)
	g, ok := s.load.GeneratorCPU.Get()
	if !ok || !s.m.Shared || machine == 0 {
		return
	}
	// Shared: whichever is tighter, the target's own bound or the machine for both.
	if both := s.cpu + g/s.rate; machine/both < s.cores/s.cpu {
		s.cores, s.generator = machine, g/s.rate
	}
}

// leastLeft is the part of the cores that an observer leaves at least: one that takes
// more is no measurement.
const leastLeft = 0.1

// setLocks makes a station of each busy lock.
func (s *scene) setLocks() {
	for i := range s.m.Contended {
		if l := &s.m.Contended[i]; l.Utilization.Or(0) >= busyLock {
			s.locks = append(s.locks, station{l, l.Utilization.Or(0) / s.rate, s.m.PerRequest(l.Delay).Or(0)})
		}
	}
}

// used is the share of the cores that is in use.
func (s scene) used() float64 {
	if s.cores <= 0 {
		return 0
	}
	return min(1, s.rate*(s.cpu+s.generator)/s.cores)
}

// rateNoise is the relative half-width of the mean rate by its own seconds.
func rateNoise(ticks []unpark.Tick) float64 {
	var v []float64
	for _, t := range ticks {
		if t.Phase == "window" {
			v = append(v, t.RPS)
		}
	}
	// With fewer than five seconds the scatter itself is not known.
	if len(v) < 5 || stats.Mean(v) <= 0 {
		return defaultNoise
	}
	return stats.Bound(stats.Z90*stats.StdDev(v)/stats.Mean(v)/math.Sqrt(float64(len(v))), 0.01, 0.15)
}

// defaultNoise is what two identical runs differ by on a small machine (±3–7 %,
// DESIGN §5).
const defaultNoise = 0.03
