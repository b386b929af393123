package report

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// precisionParts is empty unless it was asked how well the p99 is known.
func precisionParts(p *unpark.Precision) []string {
	if p == nil {
		return nil
	}
	low, known := p.P99.Low.Get()
	high, bounded := p.P99.High.Get()
	reached, ok := p.Reached.Get()
	if !known || !bounded || !ok {
		return []string{"no interval: too few slow answers"}
	}
	how := "steady"
	if !p.Steady {
		how = "not steady"
	}
	return []string{
		units.Figure(low, "s") + "–" + units.Figure(high, "s") + " (90 %)",
		"within " + units.Percent(reached) + " of " + units.Percent(p.Asked) + " asked",
		how + " after " + units.Figure(p.Settled, "s"),
	}
}
