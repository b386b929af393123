package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/advice"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/owner"
	"github.com/unpark-go/unpark/internal/roles"
)

// known goes on from where the way forks to the arm of which the catalogue says that it can go, where that has a
// good part of the cost: what is needed is no cause, however much it takes. Of what the owner itself is
// known for nothing nearer is said, and Go's own packages are how others do what they are there for. An arm that is
// another owner, or below one, is told with that, and has no part in the cost of o.
func known(m *model.Model, class unpark.Class, t facts.Tree, o owner.Owner, owners []owner.Owner) owner.Owner {
	if len(o.With) > 0 || o.Makes || o.Kernel >= foreignWork {
		return o
	}
	least := leastBelow * o.Value
	for _, s := range t.Below(o.Culprit.Function) {
		if s.Value < least || s.Value == 0 {
			break
		}
		f := s.Site.Function
		if roles.Is(f, roles.Standard) && unpark.PackageOf(f) != unpark.PackageOf(o.Culprit.Function) || !avoidable(m, class, s.Site, o.Culprit.Function) {
			continue
		}
		if within, ok := owner.Within(t, o.Culprit.Function, f); ok && !within.App && !told(owners, o, within) {
			return within
		}
	}
	return o
}

// told reports whether the way to an arm below o leads through another of the owners.
func told(owners []owner.Owner, o, arm owner.Owner) bool {
	return slices.ContainsFunc(owners, func(other owner.Owner) bool {
		return other.Culprit.Function != o.Culprit.Function && facts.Through(arm.Stack, other.Culprit.Function)
	})
}

// avoidable reports whether the catalogue says of a function, by its name and not of the one that it is
// below, that a setting or another use of it takes its cost away.
func avoidable(m *model.Model, class unpark.Class, at unpark.Site, below string) bool {
	c := advice.Case{Class: string(class), Stack: []string{at.Function}, Go: m.Ev.Target.Go, Modules: map[string]string{}}
	if module, version, _, ok := at.Module(); ok {
		c.Modules[module] = version
	}
	named := func(a advice.Advice, function string) bool {
		return slices.ContainsFunc(a.Culprits, func(of string) bool { return roles.Symbol(of) == roles.Symbol(function) })
	}
	return slices.ContainsFunc(advice.For(c), func(a advice.Advice) bool {
		return (a.Remedy.Needless() || a.Remedy == advice.Setting) && named(a, at.Function) && !named(a, below)
	})
}
