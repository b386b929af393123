package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/internal/units"
)

func yieldRule() Rule {
	return Rule{
		ID: "yield", Title: "goroutines that yield in a loop", Class: unpark.ClassCPU,
		Doc: "Reads the CPU below runtime.Gosched and of the scheduler on its behalf, of any goroutine, and who calls it from samples and dumps. " +
			"Fires when CPU is scarce and that takes a fifth of it: nothing else runs while the scheduler looks for the same goroutine again. " +
			"Silent where nothing says who yields.",
		Needs: []unpark.Kind{unpark.KindCPU},
		Run:   runYield,
	}
}

func runYield(m *model.Model) []unpark.Finding {
	if !m.CPUMatters() {
		return nil
	}
	var total float64
	for _, s := range m.Ev.Signals {
		if s.ID == facts.SignalYield {
			total += s.CPU
		}
	}
	share := m.CPUShare(total)
	stack, site, ok := yields(m)
	if share < yieldShare || !ok {
		return nil
	}
	f := unpark.Finding{
		Rule: "yield", Class: unpark.ClassCPU, Site: site, Path: path(stack),
		Title: fmt.Sprintf("%s yields in a loop in place of waiting: the scheduler takes %s of the CPU for it", short(site.Function), units.Say(share, "ratio")),
		Share: unpark.Num(share), ShareOf: "the target's CPU", Confidence: unpark.Medium, Cost: m.CPUCost(share),
		Facts: []unpark.Fact{fact("CPU of giving the processor up and looking for work", total, "s", "cpu.pb.gz")},
	}
	reach(&f, stack)
	if f.Culprit != nil {
		f.Title = fmt.Sprintf("%s yields in a loop in place of waiting: the scheduler takes %s of the CPU for it", short(f.Culprit.Function), units.Say(share, "ratio"))
	}
	f.Remedies = []unpark.Remedy{{
		Title: "Wait for what it looks for: a channel, a sync.Cond, or a call that blocks",
		Why:   "a goroutine that waits costs nothing; one that yields is run again at once, and each turn takes the scheduler's lock",
	}, {
		Title: "Try once and do something else, or sleep for longer after each try that failed",
		Why:   "where nothing can wake it, seldom tries cost less than many",
		Risk:  "what it looks for is found later by up to one sleep",
	}}
	return []unpark.Finding{f}
}

// yields is who gives processors up: the heaviest sample that still has its caller, else the
// goroutines that dumps met there.
func yields(m *model.Model) ([]unpark.Site, unpark.Site, bool) {
	own := func(s unpark.Site) bool { return !s.IsZero() && !roles.Is(s.Function, roles.Standard) }
	for _, s := range m.Ev.Signals { // the largest come first
		if s.ID == facts.SignalYield && own(s.Site) {
			return s.Stack, s.Site, true
		}
	}
	for _, g := range m.Ev.Goroutines {
		if roles.On(g.Stack, roles.Yield) && own(g.Site) {
			return g.Stack, g.Site, true
		}
	}
	return nil, unpark.Site{}, false
}
