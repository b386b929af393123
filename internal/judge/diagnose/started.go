package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/internal/units"
)

// keepStarted is advice to make once what starts a goroutine of its own: a cache that cleans up, a client that reads. That each request makes one
// is seen by the goroutines, of which each request leaves one more behind; what such a thing is asked, filled with and collected for is then paid
// for each time, whichever of that is the finding.
func keepStarted(m *model.Model, f unpark.Finding) (unpark.Remedy, bool) {
	if !steadyLoad(m) { // requests that queue, or come to more, have their goroutines still
		return unpark.Remedy{}, false
	}
	for _, g := range m.Ev.Goroutines {
		maker, ok := madeWith(m, g)
		if !ok || !concerns(f, g, maker) {
			continue
		}
		n := float64(len(g.Series)) // snapshots are spread evenly over the window, and the last is not at its end
		per, known := m.PerRequest((g.Last - g.First) * n / (n - 1)).Get()
		if n < leakSnapshots || !known || per < leftEach || g.Connection {
			continue
		}
		return unpark.Remedy{
			Title: fmt.Sprintf("Call %s once and keep what it makes, or close that: each starts a goroutine, and requests leave them behind", short(maker)),
			Why: fmt.Sprintf("%s goroutines run in %s in the last snapshot of the window, %s in the first; each keeps what it was started for alive, and wakes for it",
				units.Say(g.Last, ""), short(g.Created.Function), units.Say(g.First, "")),
			Risk: "what is kept is used by many goroutines: its documentation says whether it may be",
		}, true
	}
	return unpark.Remedy{}, false
}

// keepOnce is the same of goroutines that end, as a trace has their go statements: what is made with them is closed again, by each request.
func keepOnce(m *model.Model, f unpark.Finding) (unpark.Remedy, bool) {
	for _, s := range m.Ev.Starts {
		maker := unpark.WithoutTypeArguments(roles.Outer(s.Site.Function))
		_, _, _, module := s.Site.Module()
		per, known := m.PerRequest(s.Value * m.Seconds).Get()
		if !module || !known || per < leftEach || !roles.Constructs(maker) || !ofPackage(f, maker) {
			continue
		}
		return unpark.Remedy{
			Title: fmt.Sprintf("Call %s once for many requests, and keep what it makes: it starts %s goroutines for each", short(maker), units.Say(per, "")),
			Why:   "what has goroutines of its own is made to be used for long; starting them, and what they are started for, is paid for by each request",
			Risk:  "what reads or writes one body alone cannot be kept, unless it has a Reset; whether many goroutines may use one, its documentation says",
		}, true
	}
	return unpark.Remedy{}, false
}

// madeWith is the function of a module that makes what a goroutine belongs to: it starts it, or it makes the type whose method the goroutine
// runs, and requests allocate in it.
func madeWith(m *model.Model, g facts.GoroutineGroup) (string, bool) {
	if _, _, _, module := g.Created.Module(); !module {
		return "", false
	}
	root := unpark.WithoutTypeArguments(g.Created.Function)
	if outer := roles.Outer(root); outer != root && roles.Constructs(outer) {
		return outer, true
	}
	pkg := unpark.PackageOf(root)
	of, _, method := strings.Cut(strings.TrimLeft(strings.TrimPrefix(root, pkg+"."), "(*"), ").")
	if !method {
		return "", false
	}
	for _, a := range m.Ev.Allocs {
		for _, s := range a.Stack {
			f := unpark.WithoutTypeArguments(s.Function)
			name := strings.TrimPrefix(f, pkg+".")
			if a.Side == unpark.RequestPath && unpark.PackageOf(f) == pkg && roles.Constructs(f) && (name == "New" || name == "New"+of || name == "Open") {
				return f, true
			}
		}
	}
	return "", false
}

// concerns reports whether a finding is of such goroutines, or of what is made with them.
func concerns(f unpark.Finding, g facts.GoroutineGroup, maker string) bool {
	if f.Class == unpark.ClassLeak {
		return len(f.Path) > 0 && len(g.Stack) > 0 && f.Path[0].Function == g.Stack[0].Function && f.Site.Function == g.Site.Function
	}
	return ofPackage(f, maker)
}

// ofPackage reports whether the package of a function is on a finding's way.
func ofPackage(f unpark.Finding, maker string) bool {
	of := func(s unpark.Site) bool { return unpark.PackageOf(s.Function) == unpark.PackageOf(maker) }
	return slices.ContainsFunc(way(f), of) || slices.ContainsFunc(f.Into, func(p unpark.Part) bool { return of(p.Site) })
}
