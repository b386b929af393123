package report

import (
	"html/template"
	"io"
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
)

// benchmarksDrawn is how many figures have their rounds drawn: those that changed, in the order of the document.
const benchmarksDrawn = 24

// BenchmarksHTML writes benchmarks of two revisions as one file that opens without a network: every figure, the rounds of
// those that changed, and the functions that did it. rounds are of a benchmark by its package, a dot and its name, with
// figures by unit.
func BenchmarksHTML(w io.Writer, b unpark.Benchmarks, rounds map[string][]Round) error {
	style, script, policy, err := inline([]string{"data.js", "base.js", "charts.js", "dots.js"})
	if err != nil {
		return err
	}
	word, _ := benchmarksOutcome(b)
	v := benchmarksView{
		Policy: policy, Style: style, Script: script, Word: word, Headline: benchmarksHeadline(b),
		Before: or(escape.Prose(b.Before), "before"), After: or(escape.Prose(b.After), "after"),
		Warnings: notices(b.Warnings), Data: data{Metrics: benchmarkMetrics(b, rounds)},
	}
	if len(b.Results) > 0 {
		v.Legend = benchmarksLegend
	}
	for _, unit := range benchmarkUnits(b) {
		header, rows, tones := benchmarkTable(b, unit, 200)
		t := unitView{benchmarkHead(unit), effectsView{Header: header}}
		for i, row := range rows {
			t.Effects.add(toneClass(tones[i]), row)
		}
		v.Units = append(v.Units, t)
	}
	for _, r := range b.Results {
		if r.FunctionsTested == nil {
			continue
		}
		f := benchmarkFunctions{Name: escape.Prose(r.Name)}
		f.Tables, f.Tested = functionViews(r.Functions, r.FunctionsTested)
		v.Functions = append(v.Functions, f)
	}
	for _, only := range []struct {
		arm   string
		names []string
	}{{"Only before", b.OnlyBefore}, {"Only after", b.OnlyAfter}} {
		for _, name := range only.names {
			v.Only = append(v.Only, rowView{only.arm, escape.Prose(name)})
		}
	}
	return execute(w, "bench.html.tmpl", v)
}

// benchmarksView is what the template sees. Texts are plain: the template escapes them.
type benchmarksView struct {
	Policy string
	Style  template.CSS
	Script template.JS

	Before, After  string
	Word, Headline string
	Units          []unitView
	Legend         string
	Functions      []benchmarkFunctions
	Only           []rowView
	Warnings       []unpark.Notice
	Data           data
}

// unitView is one unit of all benchmarks that have it.
type unitView struct {
	Title   string
	Effects effectsView
}

type benchmarkFunctions struct {
	Name   string
	Tables []effectsView
	Tested string
}

// benchmarkMetrics are the figures that changed, with their rounds.
func benchmarkMetrics(b unpark.Benchmarks, rounds map[string][]Round) []metricView {
	var out []metricView
	for _, r := range b.Results {
		for _, e := range r.Effects {
			if e.Verdict != "worse" && e.Verdict != "better" || len(out) == benchmarksDrawn {
				continue
			}
			m := metricView{
				Name: escape.Prose(r.Name) + ", " + escape.Prose(e.Metric), Unit: drawnUnit(e.Metric), Verdict: verdictText(e.Verdict), Change: effectChange(e.Ratio),
				Ratio: e.Ratio.Value, Low: e.Ratio.Low, High: e.Ratio.High,
			}
			for _, round := range rounds[r.Package+"."+r.Name] {
				before, okB := round.Before[e.Metric]
				after, okA := round.After[e.Metric]
				if okB && okA && !math.IsNaN(before) && !math.IsNaN(after) {
					m.Before, m.After, m.Same = append(m.Before, unpark.Num(before)), append(m.After, unpark.Num(after)), append(m.Same, false)
				}
			}
			if len(m.Before) > 0 {
				out = append(out, m)
			}
		}
	}
	return out
}

// drawnUnit is the unit of an axis. What a benchmark reports itself is a count of something.
func drawnUnit(unit string) string {
	switch unit {
	case "s/op":
		return "s"
	case "B/op":
		return "B"
	}
	return "count"
}
