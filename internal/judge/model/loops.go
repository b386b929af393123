package model

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// loop is goroutines with one entry that serve one request after another.
type loop struct {
	counts   map[int]float64 // how many there were, by dump
	busy     float64         // how many wait for something of a request, mean
	ended    float64         // how many of these waits were over
	met      float64         // how many dumps met there, mean
	heaviest facts.Wait      // of these
}

// loops finds a fixed few goroutines that are always inside of a request while more requests are
// under way: event loops, readers of one socket, loops that accept and serve. What is behind
// waits in no goroutine, so no profile has it; by Little's law it is what is left of a request.
func loops(m *Model) []Wait {
	per, known := m.CPUPerRequest().Get()
	if !known || m.Requests <= 0 || m.Mean <= 0 || m.Short {
		return nil
	}
	all := map[string]*loop{}
	of := func(stack []unpark.Site) *loop {
		root := strings.TrimSuffix(begin(stack).Function, "-fm") // a method value: dumps have the method itself
		if all[root] == nil {
			all[root] = &loop{counts: map[int]float64{}}
		}
		return all[root]
	}
	dumps := 0
	for _, g := range m.Ev.Goroutines {
		l := of(g.Stack)
		for i, n := range g.Series {
			l.counts[i] += n
		}
		if g.Side == unpark.RequestPath && !g.Idle {
			l.met += g.Mean
		}
		dumps = max(dumps, len(g.Series))
	}
	waited := per * m.Requests
	for _, w := range m.Ev.Waits {
		if w.Side != unpark.RequestPath || w.Idle {
			continue
		}
		waited += w.Delay
		l := of(w.Stack)
		l.busy, l.ended = l.busy+w.Delay/m.Seconds, l.ended+w.Count
		if w.Delay > l.heaviest.Delay {
			l.heaviest = w
		}
	}
	rest := m.Requests*m.Mean - waited
	if rest < BindingShare*m.Requests*m.Mean || dumps < leastDumps {
		return nil
	}
	for _, root := range slices.Sorted(maps.Keys(all)) {
		l := all[root]
		places, ok := l.always(dumps)
		if !ok || root == "" || m.RPS*m.Mean < crowdedLoop*places || l.busy < Saturated*places || l.met < mostRequests*places || l.ended < mostRequests*m.Requests {
			continue
		}
		h := l.heaviest
		h.Class, h.Delay, h.Count, h.Source = unpark.WaitPool, rest, 0, string(unpark.KindGoroutine)
		return []Wait{{
			Heaviest: h, Delay: rest, Seen: places * float64(dumps), Sources: map[string]float64{h.Source: rest},
			Within: root, Busy: places, Plausible: true, Loops: true,
		}}
	}
	return nil
}

// always is how many there are, where every dump has as many.
func (l *loop) always(dumps int) (float64, bool) {
	places := math.Round(l.counts[0])
	for i := range dumps {
		if l.counts[i] != places {
			return 0, false
		}
	}
	return places, places > 0
}
