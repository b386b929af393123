package evidence

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// functions sums CPU by function, whatever module it is of: flat where a sample's leaf
// is, cumulative for all that its stack is on. The line of a function is the one with
// most of its flat time, or, without any, of its cumulative time.
func (r *reducer) functions() []facts.CPUSite {
	sums := tally[string]{}
	own := map[string]*lines{}
	for _, s := range r.stacks[unpark.KindCPU] {
		if s.label.Side == unpark.ObserverSide {
			continue
		}
		seen := map[string]bool{}
		for i, site := range s.sites {
			l := own[site.Function]
			if l == nil {
				l = &lines{self: map[unpark.Site]float64{}, cum: map[unpark.Site]float64{}}
				own[site.Function] = l
			}
			if i == 0 {
				l.flat += s.value
				l.self[site] += s.value
			}
			if !seen[site.Function] {
				seen[site.Function] = true
				sums.add(site.Function, s, s.value, s.count)
				l.cum[site] += s.value
			}
		}
	}
	rows := make([]facts.CPUSite, 0, len(sums))
	for f, v := range sums.all() {
		l := own[f]
		at := l.self
		if len(at) == 0 {
			at = l.cum
		}
		rows = append(rows, facts.CPUSite{Site: heaviestSite(at), Self: l.flat, Flat: l.flat, Cum: v.value, Side: v.side()})
	}
	rows = largest(rows, func(s facts.CPUSite) float64 { return s.Flat }, func(s facts.CPUSite) unpark.Site { return s.Site })
	return rows[:min(len(rows), maxFunctions)]
}

// maxFunctions is as many as a reader goes through.
const maxFunctions = 50
