package diagnose

import (
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/advice"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// kept is what a client's experts say of keeping its connections, apart from what else is known of opening them. A function of the
// service that opens them for a client is called by that, so all that is on the way counts. What
// is said of Go's own client is said of all that have it below them, and of the class.
func kept(m *model.Model, f unpark.Finding, known []unpark.Remedy) (keep, other []unpark.Remedy) {
	c := caseOf(m, f)
	c.Site = 0
	for _, a := range advice.For(c) {
		if slices.ContainsFunc(a.Culprits, func(f string) bool { return roles.Is(f, roles.Standard) }) {
			continue
		}
		if r := remedyOf(a); a.Remedy == advice.Kept || a.Remedy.Needless() && slices.ContainsFunc(known, func(k unpark.Remedy) bool { return k.Title == r.Title }) {
			keep = append(keep, r)
		}
	}
	for _, r := range known {
		if !slices.ContainsFunc(keep, func(k unpark.Remedy) bool { return k.Title == r.Title }) {
			other = append(other, r)
		}
	}
	return keep[:min(len(keep), maxKnown)], other
}

// remedyOf is a finding's remedy by the catalogue.
func remedyOf(a advice.Advice) unpark.Remedy {
	r := unpark.Remedy{Title: a.Title, When: a.When, Risk: a.Risk, Change: strings.Join(a.Change, "\n"), Sources: a.Sources, Spares: a.Spares()}
	if a.Remedy == advice.Together {
		r.Fix = unpark.FixTogether
	}
	return r
}
