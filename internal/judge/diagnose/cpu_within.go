package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/owner"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/internal/units"
)

// within is what a cost is made of: the largest of what its owner calls, and of what the runtime does for the owner itself.
func within(m *model.Model, o owner.Owner) []facts.SiteSum {
	all := slices.Concat(o.Into, m.Ev.CPU.Tree.Runtime(o.Culprit.Function))
	slices.SortStableFunc(all, func(a, b facts.SiteSum) int { return cmp.Compare(b.Value, a.Value) })
	all = slices.DeleteFunc(all, func(s facts.SiteSum) bool { return s.Value < leastInto*o.Value })
	return all[:min(len(all), maxInto)]
}

// doLess is the general advice for a function, with what most of it is: a function that computes nothing itself has nothing to hoist.
func doLess(m *model.Model, o owner.Owner, general unpark.Remedy) unpark.Remedy {
	parts := within(m, o)
	if len(parts) > 0 && roles.Is(parts[0].Site.Function, roles.Moves) && parts[0].Value >= mostInto*o.Value {
		return unpark.Remedy{
			Title: fmt.Sprintf("Clear and copy less memory in %s: %s of it is %s", short(o.Culprit.Function), units.Say(parts[0].Value/o.Value, "ratio"), short(parts[0].Site.Function)),
			Why:   "what is written over need not be cleared, what is handed on need not be copied, and a buffer need not be larger than what is put into it",
			Risk:  "what an earlier use has left in a buffer must not be read: keep its length",
		}
	}
	var said []string
	for _, p := range parts {
		if share := p.Value / o.Value; share >= hotKnown && len(said) < maxSaid {
			said = append(said, units.Say(share, "ratio")+" is "+short(p.Site.Function))
		}
	}
	if len(said) > 0 {
		general.Title = fmt.Sprintf("Do less in %s, of which %s: hoist what does not change between requests, and stop at the first answer", short(o.Culprit.Function), strings.Join(said, " and "))
	}
	return general
}
