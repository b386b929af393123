package browse

import (
	"cmp"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// Side is one of several runs, held against the first of them; the first against itself.
type Side struct {
	Name, Href string
	At         time.Time // when it began
	Load       string    // in words
	Limit      string    // "" where it is not known
	Finding    string    // the first one's title; "" without one
	Why        string    // it has no figures; "" where it has
	Against    unpark.Comparison
}

// table is several runs side by side. Texts are plain: the template escapes them.
type table struct {
	Heads    []tableHead
	Rows     []tableRow
	Withheld bool // some are not compared
}

type tableHead struct{ Name, Href, When, Load, Limit, Finding, Not string }

type tableRow struct {
	Name  string
	Cells []tableCell
}

type tableCell struct{ Figure, Change, Verdict string }

// Several writes the page of runs side by side, in the order in which they are given.
func Several(w io.Writer, sides []Side) error {
	return render(w, "several.html.tmpl", newTable(sides))
}

func newTable(sides []Side) table {
	var out table
	cells := map[string][]tableCell{}
	var order []string
	for i, s := range sides {
		h := tableHead{
			Name: escape.Line(s.Name), Href: s.Href, When: s.At.UTC().Format("2 January 2006, 15:04 UTC"),
			Load: s.Load, Limit: cmp.Or(s.Limit, units.Unknown), Finding: s.Finding, Not: s.Why,
		}
		if i > 0 && len(s.Against.Refused)+len(s.Against.NotComparable) > 0 {
			h.Not = slices.Concat(s.Against.Refused, s.Against.NotComparable)[0].Message
		}
		out.Heads = append(out.Heads, h)
		out.Withheld = out.Withheld || h.Not != ""
		for _, e := range s.Against.Effects {
			if _, ok := cells[e.Metric]; !ok {
				order = append(order, e.Metric)
				cells[e.Metric] = make([]tableCell, len(sides))
			}
			cell := tableCell{Figure: units.Quantity(e.After)}
			if i > 0 && e.Verdict != "unknown" {
				cell.Change, cell.Verdict = units.Changed(e.Ratio), e.Verdict
			}
			cells[e.Metric][i] = cell
		}
	}
	for _, metric := range order {
		out.Rows = append(out.Rows, tableRow{strings.ReplaceAll(metric, "_", " "), cells[metric]})
	}
	return out
}
