package report

import (
	"strconv"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
)

// ranked is a finding with its place among all, from 0.
type ranked struct {
	unpark.Finding
	at int
}

// rank is what a reader calls the finding.
func (f ranked) rank() int {
	if f.Rank > 0 {
		return f.Rank
	}
	return f.at + 1
}

// byWorth splits findings into those printed in full and those that are real and worth
// nothing, by forecasts that are within the noise and that no experiment tried. The
// first is printed in full where no other is worth more: that the ceiling is elsewhere
// is a verdict as well.
func byWorth(all []unpark.Finding) (full, folded []ranked) {
	for i, f := range all {
		if f.Experiment == nil && f.Prediction.BuysNothing() {
			folded = append(folded, ranked{f, i})
		} else {
			full = append(full, ranked{f, i})
		}
	}
	if len(full) == 0 && len(folded) > 0 {
		full, folded = folded[:1], folded[1:]
	}
	return full, folded
}

// foldedTitle counts findings that are worth nothing.
func foldedTitle(n int) string { return strconv.Itoa(n) + " more, real and worth nothing here" }

// foldedName names one of them on the line of count.
func foldedName(f ranked) string {
	name := strconv.Itoa(f.rank()) + " " + escape.Prose(string(f.Class))
	if !f.Site.IsZero() {
		name += " in " + siteText(f.Site, columns/2)
	}
	if at, _, ok := culprit(f.Finding); ok { // of one line two functions may be told
		name += ", " + escape.Prose(unpark.ShortFunction(at.Function))
	}
	return name
}
