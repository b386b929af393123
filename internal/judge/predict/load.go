package predict

import (
	"errors"
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/stats"
)

// load is what was asked of the service and how it answered: where a forecast starts.
type load struct {
	unpark.Load
	// rate is the requests that were completed per second of load, which is what the ratios
	// are of. That of the model is of the seconds that were profiled.
	rate float64
	// took is how long requests took, from the intended start: that is what percentiles are of,
	// and what an open loop feels of a queue. Of an open loop that offers too much it is from when a request
	// is written: what grows before that is the generator's queue, and the service has so many
	// requests as connections.
	took       unpark.Latency
	mean       float64 // of took, in seconds; that of the model begins when a request is written
	population float64 // requests under way on average (Little's law)
	noise      float64 // relative half-width of the rate's own 90 % interval
}

// loadOf returns the load of a window; an error says why no forecast can start from it.
func loadOf(m *model.Model) (load, error) {
	l := m.Load
	switch {
	case l == nil:
		return load{}, errors.New("no load was measured, so there is no response time to start from")
	case l.AchievedRPS <= 0:
		return load{}, errors.New("no request was completed in the window")
	case l.Response.N == 0 || l.Response.Mean <= 0:
		return load{}, errors.New("the load has no response times to start from")
	case l.Mode == unpark.Ramp || l.Mode == unpark.Replay || l.Mode == unpark.NoLoad:
		return load{}, errors.New("the load changed during the window; models need one level")
	}
	took := l.Response
	if l.Overloaded() && l.Service.N > 0 && l.Service.Mean < took.Mean {
		took = l.Service
	}
	return load{Load: *l, rate: l.AnsweredRPS(), took: took, mean: took.Mean, population: l.AnsweredRPS() * took.Mean, noise: rateNoise(m.Ev.Window.Timeline)}, nil
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

// steady reports an open loop below saturation: throughput is what is offered.
func (l load) steady() bool { return l.Mode.Open() && !l.Overloaded() }

// offered is its throughput, after ÷ before.
func (l load) offered() unpark.Quantity {
	return unpark.Between(1, 1-l.noise, 1+l.noise, "ratio", l.Requests)
}

// measured widens what a fix does to what a second run would show of it: the
// change carries the noise of two runs.
func (l load) measured(x span) unpark.Quantity {
	x = x.scattered(math.Hypot(math.Sqrt2*l.noise, twoRuns))
	return unpark.Between(x.value, x.low, x.high, "ratio", l.Requests)
}

// ratio turns seconds after into a quantity after ÷ before. Percentiles of two
// runs of the same thing differ, so no interval is narrower than that.
func (l load) ratio(after span, before float64) unpark.Quantity {
	if before <= 0 {
		return unpark.Quantity{}
	}
	v := after.value / before
	return unpark.Between(v, min(after.low/before, v*(1-l.noise)), max(after.high/before, v*(1+l.noise)), "ratio", l.Response.N)
}
