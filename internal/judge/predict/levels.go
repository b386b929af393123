package predict

import (
	"fmt"
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// miss is how far the model, fitted at one level of a sweep, is from what another
// level measured.
type miss struct {
	level    unpark.Level
	said     float64 // req/s, by the model
	measured float64 // req/s
	error    float64 // |log(said ÷ measured)|
	slope    float64 // error by the logarithm of the load's change
}

// misfit holds the model of a closed loop against the other levels of a sweep over
// connections and returns the worst; false when there is none. Over rates there is nothing to
// check: below saturation throughput is what is offered.
func (s *service) misfit() (worst miss, ok bool) {
	here := float64(s.m.Ev.Window.Level.Connections)
	if s.Mode.Open() || here <= 0 {
		return miss{}, false
	}
	n := s.network(station{})
	for _, d := range s.m.Ev.Doses {
		if d.Level.Connections <= 0 || d.Level.RateRPS > 0 || d.RPS <= 0 {
			continue
		}
		times := float64(d.Level.Connections) / here
		if s.population*times > maxPopulation {
			continue
		}
		m := miss{level: d.Level, measured: d.RPS, said: s.at(n, times)}
		m.error = math.Abs(math.Log(m.said / m.measured))
		m.slope = m.error / max(nearLevels, math.Abs(math.Log(times)))
		if !ok || m.slope > worst.slope {
			worst, ok = m, true
		}
	}
	return worst, ok
}

// at is the throughput that the model has for a load some times as large.
func (s *service) at(n network, times float64) float64 {
	x := n.throughput(s.population * times)
	if !cpuLike(s.limit) || times > 1 {
		return x
	}
	// Where CPU binds, time that nothing explains is queueing for it: with fewer
	// connections it is not there.
	free := s.population * times / max(1e-9, s.measuredWaits()+s.request())
	return x * math.Pow(min(free, s.rate)/x, 1-s.slack())
}

// refit widens a forecast by what the model misses at another level, in proportion
// to how far the forecast goes.
func (s *service) refit(x span) span {
	m, ok := s.misfit()
	if !ok {
		return x
	}
	by := func(v float64) float64 {
		return math.Exp(min(1.5*m.error, m.slope*math.Abs(math.Log(max(v, 1e-9)))))
	}
	return span{x.low / by(x.low), x.value, x.high * by(x.high)}
}

// fitted says how the model did at another level.
func (s *service) fitted() []string {
	m, ok := s.misfit()
	if !ok {
		return nil
	}
	return []string{fmt.Sprintf("fitted at %d connections, the model says %s for %d where %s were measured; the interval is wider by that",
		s.m.Ev.Window.Level.Connections, units.Say(m.said, "req/s"), m.level.Connections, units.Say(m.measured, ""))}
}
