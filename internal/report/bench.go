package report

import (
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// benchmarksLegend is what is below the tables.
const benchmarksLegend = "Before and after are medians; change is that of the rounds, with its 90 % interval, at one speed of the machine; p is corrected for all benchmarks and units; ~ means that no change was shown."

// benchmarksPage prints benchmarks of two revisions: those that changed in a word, then every figure, the functions
// that did it, and what could not be compared.
func benchmarksPage(b unpark.Benchmarks) *page {
	p := &page{}
	word, t := benchmarksOutcome(b)
	p.flow(line{say(heading, word), say(normal, "  ")}, say(t, benchmarksHeadline(b)))
	for _, unit := range benchmarkUnits(b) {
		title := benchmarkHead(unit)
		if title != escape.Prose(unit) {
			title = strings.ToUpper(title)
		}
		p.head(title)
		header, rows, tones := benchmarkTable(b, unit, 34)
		p.table(2, header, rows, tones)
	}
	if len(b.Results) > 0 {
		p.blank()
		p.flow(line{say(quiet, "  ")}, say(quiet, benchmarksLegend))
	}
	for _, r := range b.Results {
		p.functions("FUNCTIONS OF "+escape.Prose(r.Name), r.Functions, r.FunctionsTested)
	}
	p.only("ONLY BEFORE", b.OnlyBefore)
	p.only("ONLY AFTER", b.OnlyAfter)
	p.notices("WARNINGS", caution, b.Warnings)
	return p
}

// only lists benchmarks that one revision alone has.
func (p *page) only(title string, names []string) {
	if len(names) == 0 {
		return
	}
	p.head(title)
	for _, name := range names {
		p.flow(line{say(normal, "  ")}, say(normal, escape.Prose(name)))
	}
}

func benchmarksOutcome(b unpark.Benchmarks) (string, tone) {
	c := unpark.Comparison{Warnings: b.Warnings}
	for _, r := range b.Results {
		c.Effects = append(c.Effects, r.Effects...)
	}
	return outcome(c)
}

// benchmarksHeadline counts benchmarks by what became of them.
func benchmarksHeadline(b unpark.Benchmarks) string {
	counts := map[string]int64{}
	for _, r := range b.Results {
		seen := map[string]bool{}
		for _, e := range r.Effects {
			seen[e.Verdict] = true
		}
		switch {
		case seen["better"] && seen["worse"]:
			counts["better and worse"]++
		case seen["worse"]:
			counts["worse"]++
		case seen["better"]:
			counts["better"]++
		}
	}
	var parts []string
	for _, word := range []string{"worse", "better and worse", "better"} {
		if n := counts[word]; n > 0 {
			parts = append(parts, units.Count(n)+" "+word)
		}
	}
	if len(parts) == 0 && len(b.Results) > 0 {
		parts = append(parts, "no benchmark changed beyond the noise")
	}
	parts = append(parts, many(int64(len(b.Results)), "benchmark"), many(int64(b.Rounds), "round"))
	return strings.Join(parts, " · ") + " · " + escape.Prose(b.Before) + " → " + escape.Prose(b.After)
}

// benchmarkUnits lists the units in the order of the document.
func benchmarkUnits(b unpark.Benchmarks) []string {
	var out []string
	seen := map[string]bool{"": true}
	for _, r := range b.Results {
		for _, e := range r.Effects {
			if !seen[e.Metric] {
				seen[e.Metric] = true
				out = append(out, e.Metric)
			}
		}
	}
	return out
}

// benchmarkTable is one unit of all benchmarks that have it, with so many columns of their names.
func benchmarkTable(b unpark.Benchmarks, unit string, most int) (header []string, rows [][]string, tones []tone) {
	for _, r := range b.Results {
		for _, e := range r.Effects {
			if e.Metric != unit {
				continue
			}
			rows = append(rows, []string{
				symbol(escape.Prose(r.Name), most), units.Number(e.Before.Value, e.Before.Unit), units.Number(e.After.Value, e.After.Unit),
				effectChange(e.Ratio), probability(e.P), verdictText(e.Verdict),
			})
			tones = append(tones, changeTone(e.Verdict))
		}
	}
	return []string{"benchmark", "before", "after", "change", "p", "verdict"}, rows, tones
}

// benchmarkHead names what a unit is of; one that a benchmark reports itself stands for itself.
func benchmarkHead(unit string) string {
	switch unit {
	case "s/op":
		return "Time"
	case "B/op":
		return "Allocated"
	case "allocs/op":
		return "Allocations"
	}
	return escape.Prose(unit)
}
