package predict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// Headed is the forecast of a finding by its first remedy, at a rate in requests per second: where that leaves something of the
// finding, what was said of doing so, if anything was. What removing all of it would do is then one of the alternatives.
func Headed(f unpark.Finding, rate float64) unpark.Prediction {
	p := f.Prediction
	if len(f.Remedies) == 0 || f.Remedies[0].Fix == "" || p.BuysNothing() {
		return p
	}
	i := slices.IndexFunc(p.Alternatives, func(a unpark.Alternative) bool {
		return a.Fix == f.Remedies[0].Fix && a.Throughput.Known()
	})
	if i < 0 {
		return p
	}
	own, all := p.Alternatives[i], unpark.Alternative{Fix: unpark.FixGone, Throughput: p.Throughput, P50: p.P50, P99: p.P99}
	p.Alternatives = slices.Clone(p.Alternatives)
	p.Fix = own.Fix
	p.Throughput, p.P50, p.P99 = own.Throughput, own.P50, own.P99
	if p.P99Unsaid = ""; !p.P99.Known() && !p.P99.High.Known() {
		p.P99Unsaid = "its interval would be more than four times as high as low"
	}
	q, rises := own.Throughput, "Asked at once, throughput would rise from "+units.Say(rate, "req/s")+" to "
	if q.High.Or(0) > widestGain*q.Low.Or(0) { // the middle is said beside it
		p.Throughput, p.P50 = unpark.Quantity{Unit: q.Unit, Low: q.Low, N: q.N}, unpark.Quantity{}
		p.Summary = rises + units.Say(rate*q.Low.Or(1), "req/s") + " or more."
		return p
	}
	p.Alternatives = slices.Delete(p.Alternatives, i, i+1)
	p.Assumptions = slices.DeleteFunc(slices.Clone(p.Assumptions), func(a string) bool { return strings.HasPrefix(a, notMore) }) // it was said of the removal
	if all.Throughput.Known() {
		p.Alternatives = append(p.Alternatives, all)
	}
	p.Summary = fmt.Sprintf("%s%s (%s–%s).", rises, units.Say(rate*q.Value.Or(1), "req/s"), units.Say(rate*q.Low.Or(1), ""), units.Say(rate*q.High.Or(1), ""))
	return p
}
