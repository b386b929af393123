package web

import (
	"cmp"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/index"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/units"
)

// table is several runs side by side. Texts are plain: the template escapes them.
type table struct {
	Heads    []tableHead
	Rows     []tableRow
	Withheld bool // some are not compared
}

type tableHead struct{ Name, Href, When, Service, Load, Limit, Finding, Not string }

type tableRow struct {
	Name  string
	Cells []tableCell
}

type tableCell struct{ Figure, Change, Verdict string }

// newTable holds each run against the first.
func newTable(rows []index.Row, runs []unpark.Run) table {
	var out table
	cells := map[string][]tableCell{}
	var order []string
	for i, row := range rows {
		h := tableHead{
			Name: escape.Line(name(row)), Href: address("run", row.Path), When: row.Started.UTC().Format("2 January 2006, 15:04 UTC"),
			Service: row.Service, Load: row.Load, Limit: cmp.Or(row.Limit, units.Unknown), Not: row.Why,
		}
		if len(row.Findings) > 0 {
			h.Finding = row.Findings[0].Title
		}
		c := compare.Runs(runs[0], runs[i])
		if i > 0 && len(c.Refused)+len(c.NotComparable) > 0 {
			h.Not = slices.Concat(c.Refused, c.NotComparable)[0].Message
		}
		out.Heads = append(out.Heads, h)
		out.Withheld = out.Withheld || h.Not != ""
		for _, e := range c.Effects {
			if _, ok := cells[e.Metric]; !ok {
				order = append(order, e.Metric)
				cells[e.Metric] = make([]tableCell, len(rows))
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
