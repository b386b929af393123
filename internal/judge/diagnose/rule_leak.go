package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

func leakRule() Rule {
	return Rule{
		ID: "leak", Title: "goroutine leak", Class: unpark.ClassLeak,
		Doc: "Reads groups of goroutines over the window's snapshots. Fires when a group grows in nearly every snapshot, in " +
			"the second half as in the first, at constant load that the service keeps up with, and the runtime's own count grows " +
			"as well. Silent for a ramp-up that settles, for a growing load, for idle connections, and for requests that queue because the service is overloaded.",
		Needs: []unpark.Kind{unpark.KindGoroutine},
		Run:   runLeak,
	}
}

func runLeak(m *model.Model) []unpark.Finding {
	if !steadyLoad(m) {
		return nil
	}
	own, known := growthOf(m)
	var out []unpark.Finding
	for _, g := range m.Ev.Goroutines {
		if known && leaks(g) && own.confirms(g) && len(out) < maxOfRule {
			out = append(out, leakFinding(m, g, own))
		}
	}
	return out
}

// unproven notes growth that one signal alone shows: that is not yet a leak.
func unproven(m *model.Model) []unpark.Notice {
	own, known := growthOf(m)
	if !steadyLoad(m) {
		return nil
	}
	for _, g := range m.Ev.Goroutines {
		if !leaks(g) || known && own.confirms(g) {
			continue
		}
		n := unpark.Notice{
			Code:    "leak-unproven",
			Message: fmt.Sprintf("goroutines in %s grew from %s to %s in the dumps of the window, but the runtime's own count of them is not known: one signal is no proof of a leak", short(g.Site.Function), units.Say(g.Series[0], ""), units.Say(g.Series[len(g.Series)-1], "")),
			Cure:    "start the service with unpark's probe, or watch its dumps for longer: unpark watch",
		}
		if known {
			n.Message = fmt.Sprintf("goroutines in %s grew from %s to %s in the dumps of the window, and by the runtime's own count there are not as many more: one signal is no proof of a leak", short(g.Site.Function), units.Say(g.Series[0], ""), units.Say(g.Series[len(g.Series)-1], ""))
		}
		return []unpark.Notice{n} // the largest
	}
	return nil
}

// steadyLoad reports that growth cannot come from the load: its level is
// constant, and the target keeps up with it.
func steadyLoad(m *model.Model) bool {
	if m.Ev.Plan.Mode == unpark.Ramp {
		return false
	}
	return !m.Overloaded()
}

// leaks reports whether a group grows: by enough, in nearly every snapshot, in the
// second half as in the first, and by an interval that does not reach zero.
// Goroutines of connections that idle come and go with their peers.
func leaks(g facts.GoroutineGroup) bool {
	s := g.Series
	if len(s) < leakSnapshots || g.Connection || g.Side == unpark.RuntimeSide || g.Side == unpark.ObserverSide {
		return false
	}
	growth := s[len(s)-1] - s[0]
	if growth < max(leakLeast, leakPart*s[0]) {
		return false
	}
	up := 0
	for i := 1; i < len(s); i++ {
		if s[i] > s[i-1] {
			up++
		}
	}
	if float64(up) < leakSteps*float64(len(s)-1) || trendOf(s).low() <= 0 {
		return false
	}
	// The middle snapshot belongs to both halves.
	middle := s[len(s)/2]
	if len(s)%2 == 0 {
		middle = (s[len(s)/2-1] + s[len(s)/2]) / 2
	}
	return s[len(s)-1]-middle >= leakSteady*(middle-s[0])
}

func leakFinding(m *model.Model, g facts.GoroutineGroup, own runtimeGrowth) unpark.Finding {
	n := len(g.Series)
	growth := g.Series[n-1] - g.Series[0]
	site := g.Site
	if site.IsZero() {
		site = g.Created
	}
	f := unpark.Finding{
		Rule: "leak", Class: unpark.ClassLeak, Site: site, Waiter: pointer(g.Site), Path: path(g.Stack),
		Title:      fmt.Sprintf("Goroutines that wait in %s never end", short(site.Function)),
		Confidence: unpark.Medium,
		Facts: []unpark.Fact{
			fact("in the first snapshot", g.Series[0], "goroutines", "goroutine.pb.gz"),
			fact("in the last snapshot", g.Series[n-1], "goroutines", "goroutine.pb.gz"),
		},
		Remedies: leakRemedies(g),
	}
	f.Cost.Goroutines = unpark.Measured(g.Series[n-1], "goroutines", int64(n))
	if t := trendOf(g.Series); m.Seconds > 0 { // snapshots are spread evenly over the window
		perStep := float64(n) / m.Seconds
		f.Cost.GrowthPerSecond = unpark.Between(t.slope*perStep, t.low()*perStep, (t.slope+t.half)*perStep, "goroutines/s", int64(n))
	}
	if per, ok := m.PerRequest(growth).Get(); ok {
		f.Facts = append(f.Facts, fact("left behind per request", per, "goroutines", "goroutine.pb.gz"))
	}
	f.Facts = append(f.Facts, fact("least memory that they hold (stacks)", g.Series[n-1]*stackBytes, "B", "goroutine.pb.gz"))
	if own.dumped {
		f.Facts = append(f.Facts, fact("more goroutines of all sorts in the last snapshot, without idle connections", own.growth, "goroutines", "goroutine.pb.gz"))
		return f
	}
	f.Facts = append(f.Facts, fact("more goroutines at the end of the window by the runtime's own count, without idle connections", own.growth, "goroutines", "runtime/metrics"))
	if own.growth <= leakCounted*growth {
		f.Confidence = unpark.High
	}
	return f
}

func leakRemedies(g facts.GoroutineGroup) []unpark.Remedy {
	created := short(g.Created.Function)
	if created == "" {
		created = "the function that starts them"
	}
	return []unpark.Remedy{{
		Title: "Give the goroutine a way to end: a context that is cancelled with the request, or a channel that is closed",
		Why:   fmt.Sprintf("goroutines started as %s are still waiting when their request is long answered", created),
		Risk:  "cancel only what the request owns",
	}, {
		Title: "If it sends its result on a channel, give that channel room for one",
		Why:   "a sender whose receiver gave up (timeout, early return) waits for ever on an unbuffered channel",
	}, {
		Title: "Take a goroutineleak profile (Go 1.26 and later, where enabled): it names what can never be woken",
		Why:   "it proves the leak instead of inferring it from growth",
	}}
}
