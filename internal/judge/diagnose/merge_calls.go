package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// alike makes one finding of waits in several functions for one call of a library which, by the
// catalogue, need not be made for each request: one change takes them all away. The largest,
// which comes first, stands for them.
func alike(m *model.Model, findings []unpark.Finding) []unpark.Finding {
	var out []unpark.Finding
	for _, f := range findings {
		at := slices.IndexFunc(out, func(mine unpark.Finding) bool { return needlessAlike(m, mine, f) })
		if at < 0 {
			out = append(out, f)
			continue
		}
		takeWait(&out[at], f)
	}
	return out
}

func needlessAlike(m *model.Model, mine, other unpark.Finding) bool {
	if mine.Culprit == nil || other.Culprit == nil || mine.Culprit.Function != other.Culprit.Function {
		return false
	}
	a, b := catalogued(m, mine), catalogued(m, other)
	if len(a) == 0 || len(b) == 0 || a[0].ID != b[0].ID || !a[0].Remedy.Needless() {
		return false
	}
	// It must be about the call itself: what is said of all that a client sends is said of different things.
	call := roles.Symbol(mine.Culprit.Function)
	return slices.ContainsFunc(a[0].Culprits, func(of string) bool { return roles.Symbol(of) == call })
}

// takeWait adds the wait of another finding.
func takeWait(mine *unpark.Finding, other unpark.Finding) {
	mine.Cost.WaitPerRequest = both(mine.Cost.WaitPerRequest, other.Cost.WaitPerRequest)
	mine.Cost.MeanWaiters = both(mine.Cost.MeanWaiters, other.Cost.MeanWaiters)
	mine.Title += " and in " + short(other.Site.Function)
	for _, f := range other.Facts[:min(1, len(other.Facts))] {
		f.Text = "the same in " + short(other.Site.Function)
		mine.Facts = append(mine.Facts, f)
	}
	if share, ok := mine.Share.Get(); ok {
		mine.Share = unpark.Num(share + other.Share.Or(0))
	}
}

// both adds two costs; that which is known where the other is not.
func both(a, b unpark.Quantity) unpark.Quantity {
	x, known := a.Value.Get()
	y, also := b.Value.Get()
	switch {
	case !also:
		return a
	case !known:
		return b
	}
	return unpark.Between(x+y, a.Low.Or(x)+b.Low.Or(y), a.High.Or(x)+b.High.Or(y), a.Unit, a.N+b.N)
}
