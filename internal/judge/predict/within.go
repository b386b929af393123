package predict

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

// Within bounds a forecast by what another service answers at most, which each request passes as
// well: by its processors and by its locks, as they are now. M is of that service, for the same
// requests; name is its.
func Within(p unpark.Prediction, m *model.Model, limit unpark.LimitKind, name string) unpark.Prediction {
	x, ok := p.Throughput.Value.Get()
	s, err := observe(m, limit)
	if !ok || err != nil {
		return p
	}
	most := s.ceiling(station{}, s.request()) / s.rate
	high := p.Throughput.High.Or(x)
	if high <= most {
		return p
	}
	kind := unpark.LimitCPU
	if s.cores <= 0 || s.request() <= 0 || s.cores/s.request() > most*s.rate {
		kind = unpark.LimitLock
	}
	low := min(p.Throughput.Low.Or(x), most)
	p.Assumptions = append(p.Assumptions, fmt.Sprintf("%s answers at most %s: %s binds there", name, units.Say(most*s.rate, "req/s"), named(kind)))
	// Ceilings are crossed a little where requests become cheaper by the way.
	p.Throughput = unpark.Between(min(x, most), low, min(high, most*(1+2*s.noise)), "ratio", p.Throughput.N)
	if x <= most {
		return p
	}
	p.NextLimit = kind
	p.Summary = fmt.Sprintf("Removing it would raise throughput from %s to %s (%s–%s); then %s in %s is the limit.",
		units.Say(s.rate, "req/s"), units.Say(s.rate*most, "req/s"), units.Say(s.rate*low, ""), units.Say(s.rate*p.Throughput.High.Or(most), ""), named(kind), name)
	if most-1 < unpark.LeastGain {
		p.Summary = fmt.Sprintf("Real, and worth at most +%s: %s in %s is what binds.", units.Say(max(0, p.Throughput.High.Or(most)-1), "ratio"), named(kind), name)
	}
	if s.Mode == unpark.Closed && !s.Overloaded() {
		// As many requests are under way as before: they take longer than the forecast has it.
		p.P50, p.P99 = longer(p.P50, x/most), longer(p.P99, x/most)
	}
	return p
}

// longer multiplies a ratio of latencies; what is surely faster stays the low end.
func longer(q unpark.Quantity, by float64) unpark.Quantity {
	v, ok := q.Value.Get()
	if !ok {
		return q
	}
	return unpark.Between(v*by, q.Low.Or(v), max(v, q.High.Or(v))*by, q.Unit, q.N)
}
