package search

import (
	"maps"
	"slices"

	"github.com/unpark-go/unpark"
)

// result turns the probes into the answer.
func (s *searcher) result(c Ceiling) Result {
	r := Result{Ceiling: c, Probes: s.probes, Held: s.unbroken()}
	r.Rate = s.rate(c)
	levels := make([]Level, 0, len(s.probes))
	for _, p := range s.probes {
		if !p.Void {
			levels = append(levels, Level{At: unpark.Level{RateRPS: p.Rate}, Load: p.Load})
		}
	}
	if k, ok := KneeOf(levels); ok {
		r.Knee = &k
	}
	r.Why = r.tell(s.Options)
	return r
}

func (s *searcher) rate(c Ceiling) unpark.Quantity {
	const unit = "req/s"
	rates := slices.Sorted(maps.Keys(s.tally))
	verdicts, held, highest := 0, 0, 0.0
	for _, r := range rates {
		verdicts += s.tally[r].n()
		held += s.tally[r].held
		if s.tally[r].holds() {
			highest = r
		}
	}
	switch {
	case verdicts == 0:
		return unpark.Quantity{Unit: unit}
	case held == 0:
		return unpark.Quantity{Unit: unit, High: unpark.Num(rates[0]), N: int64(verdicts)}
	case highest > 0 && (c == OfGenerator || c == OfOptions || c != OfService && highest == rates[len(rates)-1]):
		return unpark.Quantity{Value: unpark.Num(highest), Unit: unit, Low: unpark.Num(highest), N: int64(verdicts)}
	}
	low, value, high := edgeOf(s.tally)
	if s.lo > 0 && s.hi > 0 {
		// Between two rates that were tried nothing is known.
		low, high = min(low, s.lo), max(high, s.hi)
	}
	return unpark.Between(value, low, high, unit, int64(verdicts))
}

// unbroken returns the highest rate up to which no probe broke.
func (s *searcher) unbroken() unpark.Number {
	var held unpark.Number
	for _, r := range slices.Sorted(maps.Keys(s.tally)) {
		if s.tally[r].broke > 0 {
			break
		}
		held = unpark.Num(r)
	}
	return held
}
