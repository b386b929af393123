package evidence

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// group is what goroutines are counted by.
type group struct {
	place
	created    unpark.Site
	connection bool
}

// goroutines counts goroutines over the window's dumps.
func goroutines(p *profiles) []facts.GoroutineGroup {
	sums := tally[group]{}
	series := map[group][]float64{}
	n := len(p.instants)
	for i, s := range p.dumped() {
		if len(s.sites) == 0 {
			continue
		}
		g := group{s.place(), s.sites[len(s.sites)-1], s.label.Connection}
		sums.add(g, s, s.value, 0)
		if series[g] == nil {
			series[g] = make([]float64, n)
		}
		series[g][i] += s.value
	}
	rows := make([]facts.GoroutineGroup, 0, len(sums))
	for g, v := range sums.all() {
		rows = append(rows, facts.GoroutineGroup{
			Class: g.class, Side: g.side, Idle: g.idle, Connection: g.connection, Site: g.site, Created: g.created,
			First: series[g][0], Last: series[g][n-1], Mean: v.value / float64(n), Snapshots: n,
			Series: series[g], Stack: clip(v.stack),
		})
	}
	return largest(rows, func(g facts.GoroutineGroup) float64 { return max(g.Mean, g.Last) }, func(g facts.GoroutineGroup) unpark.Site { return g.Site })
}
