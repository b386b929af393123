package report

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// contents is one table of what the profiles hold, as text.
type contents struct {
	title  string
	lead   string // total, interval and what is behind it
	header []string
	rows   []contentRow
	note   string
}

// contentRow is the figures of a place, and the place itself.
type contentRow struct {
	cells  []string
	site   unpark.Site
	class  string
	holder *unpark.Site
}

func contentsOf(r unpark.Run) []contents {
	var out []contents
	for _, t := range r.Tables {
		out = append(out, newContents(t))
	}
	return out
}

func newContents(t unpark.Table) contents {
	c := contents{title: escape.Prose(t.Title), note: escape.Prose(t.Note), lead: units.Number(t.Total, t.Unit) + " in all"}
	if s, ok := t.Seconds.Get(); ok {
		c.lead += " over " + units.Figure(s, "s")
	}
	if t.Events > 0 {
		c.lead += ", from " + units.Count(t.Events) + " " + eventsOf(t.Kind, t.Events)
	}
	cpu := t.Kind == unpark.KindCPU
	c.header = []string{headOf(t), "share"}
	if cpu {
		c.header = append(c.header, "cumulative")
	}
	counted := !cpu && t.Kind != unpark.KindGoroutine
	if counted {
		c.header = append(c.header, eventsOf(t.Kind, 0))
	}
	for _, row := range t.Rows {
		value := units.Figure(row.Value, t.Unit)
		if t.Unit == "waiters" || t.Unit == "goroutines" {
			value = units.Figure(row.Value, "")
		}
		cells := []string{value, units.Percent(row.Share)}
		if cpu {
			cells = append(cells, units.Number(row.Cum, t.Unit))
		}
		if counted {
			cells = append(cells, units.Number(row.Events, "count"))
		}
		class := escape.Prose(string(row.Class))
		if row.Class == unpark.WaitLock && row.Holder == nil || row.Class == unpark.WaitUnknown {
			class = ""
		}
		c.rows = append(c.rows, contentRow{cells, row.Site, class, row.Holder})
	}
	return c
}

// headOf names the column of a table's values.
func headOf(t unpark.Table) string {
	switch {
	case t.Flat:
		return "flat"
	case t.Kind == unpark.KindCPU:
		return "CPU"
	case t.Unit == "waiters":
		return "mean waiters"
	case t.Unit == "s":
		return "waited"
	case t.Kind == unpark.KindAllocs:
		return "allocated"
	case t.Kind == unpark.KindHeap:
		return "in use"
	default:
		return escape.Prose(t.Unit)
	}
}

// eventsOf names what a kind counts.
func eventsOf(k unpark.Kind, n int64) string {
	name := "waits"
	switch k {
	case unpark.KindCPU:
		name = "samples"
	case unpark.KindAllocs, unpark.KindHeap:
		name = "objects"
	case unpark.KindGoroutine:
		name = "snapshots"
	}
	if n == 1 {
		return name[:len(name)-1]
	}
	return name
}
