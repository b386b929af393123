package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// added returns the findings that no baseline has.
func (j *judge) added() []unpark.Finding {
	var out []unpark.Finding
	if len(j.baselines) == 0 {
		return nil
	}
	for _, f := range j.run.Run.Findings {
		fresh := true
		for _, b := range j.baselines {
			fresh = fresh && slices.ContainsFunc(b.found, func(c unpark.Changed) bool {
				return unseen(c) && c.Rule == f.Rule && c.Class == f.Class && c.Site == f.Site
			})
		}
		if fresh {
			out = append(out, f)
		}
	}
	return out
}

// unseen reports whether the run before did not have a finding, be it that times of the
// two cannot be compared.
func unseen(c unpark.Changed) bool {
	return c.Change == "new" || c.Change == "unknown" && c.Was == unpark.Cost{}
}

// judgeFindings forbids findings of the bound's classes. One of low confidence is
// not held against a run: it may not be there the next time.
func judgeFindings(b unpark.Bound, all []unpark.Finding) unpark.Judged {
	out := unpark.Judged{Bound: b, State: unpark.BoundKept}
	var doubtful []string
	n := int64(0)
	for _, f := range all {
		switch {
		case len(b.Classes) > 0 && !slices.Contains(b.Classes, f.Class):
		case f.Confidence == unpark.Low:
			doubtful = append(doubtful, named(f))
		default:
			n++
			out.Findings = append(out.Findings, f)
		}
	}
	out.Measured = unpark.Measured(float64(n), "count", n)
	switch {
	case n > 0:
		var names []string
		for _, f := range out.Findings {
			names = append(names, named(f))
		}
		out.State, out.Why = unpark.BoundBroken, strings.Join(names, "; ")
	case len(doubtful) > 0:
		out.State = unpark.BoundUnsure
		out.Why = fmt.Sprintf("of low confidence: %s: run again, longer", strings.Join(doubtful, "; "))
	}
	return out
}

// named is a finding on one line.
func named(f unpark.Finding) string {
	if f.Site.IsZero() {
		return fmt.Sprintf("%s: %s", f.Class, f.Title)
	}
	return fmt.Sprintf("%s: %s (%s)", f.Class, f.Title, strings.TrimSpace(short(f.Site.Function)+" "+f.Site.Place()))
}
