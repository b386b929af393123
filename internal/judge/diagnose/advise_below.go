package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/advice"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// needlessBelow is what the catalogue knows of calls below the culprit that need not be made for
// each request, where they are a good part of its cost: the way forked before it reached them.
func needlessBelow(m *model.Model, f unpark.Finding, c advice.Case, others []unpark.Finding) []advice.Advice {
	tree := m.Ev.CPU.Tree
	if f.Class == unpark.ClassAlloc {
		tree = m.Ev.AllocTree
	}
	if f.Rule == "serving" { // its calls are what the protocol takes
		return nil
	}
	if f.Culprit == nil || f.Class != unpark.ClassAlloc && f.Class != unpark.ClassCPU {
		return nil
	}
	var out []advice.Advice
	least := leastBelow * tree.Through(f.Culprit.Function)
	for _, s := range tree.Below(f.Culprit.Function) {
		if s.Value < least || s.Value == 0 {
			break
		}
		if ofAnother(tree, f, s, others) {
			continue
		}
		c.Stack, c.Culprit, c.Site = []string{s.Site.Function}, 0, 0
		for _, a := range advice.For(c) {
			if a.Remedy.Needless() && !slices.ContainsFunc(out, func(o advice.Advice) bool { return o.ID == a.ID }) {
				out = append(out, a)
			}
		}
	}
	return out
}

// ofAnother reports whether a call below the culprit of a finding is what another finding is of, or is made there: it has no part in
// this one.
func ofAnother(t facts.Tree, f unpark.Finding, call facts.SiteSum, others []unpark.Finding) bool {
	return slices.ContainsFunc(others, func(o unpark.Finding) bool {
		owns := ownerOf(o)
		if o.Rule == "setup" && len(o.Path) > 0 {
			owns = o.Path[0].Function
		}
		if owns == "" || owns == f.Culprit.Function || t.Between(f.Culprit.Function, owns) <= 0 {
			return false
		}
		return owns == call.Site.Function || t.Between(owns, call.Site.Function) >= mostInto*call.Value
	})
}
