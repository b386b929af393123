package model

import (
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/stats"
)

// WaitCost is the cost of waiting for delay seconds in all, seen in n events or
// snapshot sightings. Waits spread like an exponential, so the sum of n of them
// has a relative standard error of about √(2/n).
func (m *Model) WaitCost(delay, n float64) unpark.Cost {
	var c unpark.Cost
	rel := 1.0
	if n > 0 {
		rel = min(1, stats.Z90*math.Sqrt(2/n))
	}
	scaled := func(v float64, unit string) unpark.Quantity {
		return unpark.Between(v, v*(1-rel), v*(1+rel), unit, int64(math.Round(n)))
	}
	if m.Seconds > 0 {
		c.MeanWaiters = scaled(delay/m.Seconds, "waiters")
	}
	if w, ok := m.PerRequest(delay).Get(); ok {
		c.WaitPerRequest = scaled(w, "s/req")
	}
	return c
}

// CPUCost is the cost of a share of the service's CPU; the interval is that of a
// proportion among the profile's samples, which leave the observer out as well.
func (m *Model) CPUCost(share float64) unpark.Cost {
	var c unpark.Cost
	n := m.Ev.CPU.Samples()
	rel := 1.0
	if share > 0 && n > 0 {
		rel = min(1, stats.Z90*math.Sqrt(max(0, 1-share)/(share*n)))
	}
	total, ok := m.Service.Get()
	if !ok {
		return c
	}
	scaled := func(v float64, unit string) unpark.Quantity {
		return unpark.Between(v, v*(1-rel), v*(1+rel), unit, int64(math.Round(n*share)))
	}
	c.Cores = scaled(share*total, "cores")
	if m.RPS > 0 {
		c.CPUPerRequest = scaled(share*total/m.RPS, "s/req")
	}
	return c
}

// Recorded is how many events of the block profile stand behind count waits of
// delay seconds in all. A wait of d shorter than the rate r is recorded with
// probability d/r, and then charged as r/d waits of r in all
// (runtime/mprof.go, saveBlockEventStack): neither the count nor delay ÷ r
// can be smaller than the number of records. Of a part of the window there are as many fewer.
func (m *Model) Recorded(delay, count float64) float64 {
	part := m.Ev.Window.Part(unpark.KindBlock)
	if rate := m.RateOf(unpark.KindBlock) * 1e-9; rate > 0 {
		return part * min(count, delay/rate)
	}
	return part * count
}

// RateOf is the sampling rate of a kind, in its own unit; 0 when it is not known.
func (m *Model) RateOf(k unpark.Kind) float64 {
	rate := 0.0
	for _, f := range m.Ev.Window.Profiles {
		if f.Kind == k && f.State == unpark.Present {
			rate = max(rate, f.Rate.Or(0))
		}
	}
	return rate
}

// Sightings is how often a wait was seen: its records, or the goroutines met in
// snapshots. Its relative error falls with it.
func (m *Model) Sightings(w facts.Wait) float64 {
	if w.Count > 0 {
		return m.Recorded(w.Delay, w.Count)
	}
	return w.Delay / max(m.Seconds, 1e-9) * float64(w.Samples)
}
