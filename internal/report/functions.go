package report

import (
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// functionsShown is how many functions a terminal and a comment list: the page and the document have all.
const functionsShown = 10

// functionWidth is how much of a name is on a line of the terminal; the page has twice as much.
const functionWidth = 30

// functionTables prints the functions that changed, at most so many of them, a table for each metric; names have at most width columns.
func functionTables(all []unpark.FunctionChange, most, width int) (tables []functionTable, shown int) {
	for _, f := range all {
		if f.Verdict == "moved" && f.Share.Value.Or(0) > 0 {
			continue // the row of the other end tells of both
		}
		if shown++; shown > most {
			return tables, most
		}
		if n := len(tables); n == 0 || tables[n-1].metric != f.Metric {
			tables = append(tables, functionTable{metric: f.Metric, header: []string{functionMetric(f.Metric), "before", "after", share(f.Metric), "p", "verdict"}})
		}
		t := &tables[len(tables)-1]
		t.rows = append(t.rows, []string{
			functionName(f, width), units.Number(f.Before.Value, f.Before.Unit), units.Number(f.After.Value, f.After.Unit),
			shareChange(f.Share), probability(f.P), functionVerdict(f),
		})
		t.tones = append(t.tones, functionTone(f.Verdict))
	}
	return tables, shown
}

// functionTable is the functions that changed in one metric.
type functionTable struct {
	metric string
	header []string
	rows   [][]string
	tones  []tone
}

// share heads the column of changes as a part of all.
func share(metric string) string {
	if strings.HasSuffix(metric, "_op") {
		return "of the operation"
	}
	return "of the service"
}

func functionTone(verdict string) tone {
	if verdict == "moved" {
		return quiet
	}
	return changeTone(verdict)
}

// functionMetric heads a table.
func functionMetric(metric string) string {
	switch metric {
	case "cpu_per_request":
		return "CPU per request"
	case "bytes_per_request":
		return "allocated per request"
	case "wait_per_request":
		return "waiting per request"
	case "cpu_per_op":
		return "CPU per operation"
	case "bytes_per_op":
		return "allocated per operation"
	}
	return metricName(metric)
}

// functionName has at most so many columns.
func functionName(f unpark.FunctionChange, most int) string {
	const callees = " + callees"
	name := func(function string, w int) string { return symbol(escape.Prose(unpark.ShortFunction(function)), w) }
	switch {
	case f.Verdict == "moved":
		return name(f.Function, most/2) + " → " + name(f.Moved, most/2)
	case f.Inclusive:
		return name(f.Function, most-len(callees)) + callees
	}
	return name(f.Function, most)
}

// shareChange prints a change as a part of what the whole service costs: "+2.1 % (+1.6 to +2.5)".
func shareChange(q unpark.Quantity) string {
	one := func(n *unpark.Number) {
		if v, ok := n.Get(); ok {
			*n = unpark.Num(1 + v)
		}
	}
	for _, n := range []*unpark.Number{&q.Value, &q.Low, &q.High} {
		one(n)
	}
	v, ok := q.Value.Get()
	low, okLow := q.Low.Get()
	high, okHigh := q.High.Get()
	switch {
	case !ok:
		return units.Unknown
	case !okLow || !okHigh:
		return gained(v) + " %"
	}
	return gained(v) + " % (" + gained(low) + " to " + gained(high) + ")"
}

// functionVerdict is one word: a function that one arm alone has is new or gone.
func functionVerdict(f unpark.FunctionChange) string {
	switch {
	case f.Verdict == "moved":
		return "moved"
	case f.Only == "after":
		return "new"
	case f.Only == "before":
		return "gone"
	}
	return verdictText(f.Verdict)
}

// functionNotes are the sentences below the table: what was looked at, and what could have been found.
func functionNotes(all []unpark.FunctionChange, t *unpark.FunctionsTested, shown int) string {
	if t == nil {
		return ""
	}
	if t.Why != "" {
		return "Which functions changed is not known: " + escape.Prose(t.Why) + "."
	}
	var out []string
	if len(all) == 0 {
		out = append(out, "No function changed beyond the noise.")
	}
	if _, rows := functionTables(all, len(all), functionWidth); rows > shown {
		out = append(out, "The other "+units.Count(int64(rows-shown))+" are in the document and on the page.")
	}
	out = append(out, "Looked at: "+many(int64(t.Functions), "function")+" with "+units.Percent(t.Floor.Or(0))+" or more of a cost in either arm, in "+
		many(int64(t.Rounds), "round")+"; p is corrected for all of them.")
	if len(all) > 0 {
		what := "A function's cost is its own, with what it calls of Go and of other modules"
		if slices.ContainsFunc(all, func(f unpark.FunctionChange) bool { return f.Inclusive }) {
			what += "; with its callees, of all stacks that it is on"
		}
		out = append(out, what+".")
	}
	if v, ok := t.Resolution.Value.Get(); ok {
		out = append(out, "Such rounds find a change of "+units.Percent(v)+" of all CPU in any one function four times in five.")
	}
	return strings.Join(out, " ")
}

// functions is the part of the terminal's page.
func (p *page) functions(title string, all []unpark.FunctionChange, tested *unpark.FunctionsTested) {
	if tested == nil {
		return
	}
	p.head(title)
	tables, shown := functionTables(all, functionsShown, functionWidth)
	for _, t := range tables {
		p.table(2, t.header, t.rows, t.tones)
		p.blank()
	}
	p.flow(line{say(quiet, "  ")}, say(quiet, functionNotes(all, tested, shown)))
}

// markdownFunctions is the part of a comment.
func markdownFunctions(b *strings.Builder, all []unpark.FunctionChange, tested *unpark.FunctionsTested) {
	if tested == nil {
		return
	}
	tables, shown := functionTables(all, functionsShown, functionWidth)
	for _, t := range tables {
		mdTable(b, t.header, t.rows)
	}
	b.WriteString(escape.Markdown(functionNotes(all, tested, shown)) + "\n\n")
}

// functionViews is the part of the page: all of them, and the sentences below.
func functionViews(all []unpark.FunctionChange, tested *unpark.FunctionsTested) (tables []effectsView, notes string) {
	found, listed := functionTables(all, len(all), 2*functionWidth)
	for _, t := range found {
		v := effectsView{Header: t.header}
		for i, row := range t.rows {
			v.add(toneClass(t.tones[i]), row)
		}
		tables = append(tables, v)
	}
	return tables, functionNotes(all, tested, listed)
}

// toneClass is how the page shows a row: as a change for better or worse, or as none.
func toneClass(t tone) string {
	switch t {
	case good:
		return "better"
	case alarm:
		return "worse"
	}
	return "same"
}
