package evidence

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// allocations sums bytes by allocating application line: of the window for allocs,
// in use at its end for heap.
func allocations(p *profiles, kind unpark.Kind) []facts.AllocSite {
	sums := tally[unpark.Site]{}
	for s := range p.of(kind) {
		// In-use values of a delta may be negative: what was freed has no site.
		if s.value <= 0 {
			continue
		}
		v := sums.add(s.site(), s, s.value, s.count)
		if i := s.label.App; i > 0 {
			v.part(s.sites[i-1], s.value)
		}
	}
	rows := make([]facts.AllocSite, 0, len(sums))
	for site, v := range sums.all() {
		rows = append(rows, facts.AllocSite{
			Site: site, Bytes: v.value, Objects: v.count, Side: v.side(),
			Callees: v.callees(maxCallees), Stack: clip(v.stack),
		})
	}
	return largest(rows, func(a facts.AllocSite) float64 { return a.Bytes }, func(a facts.AllocSite) unpark.Site { return a.Site })
}
