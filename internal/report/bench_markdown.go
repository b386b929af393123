package report

import (
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
)

func benchmarksMarkdown(d unpark.Benchmarks) string {
	var b strings.Builder
	word, _ := benchmarksOutcome(d)
	fmt.Fprintf(&b, "### %s\n\n%s\n\n", escape.Markdown(word), escape.Markdown(benchmarksHeadline(d)))
	for _, unit := range benchmarkUnits(d) {
		header, rows, _ := benchmarkTable(d, unit, 60)
		header[0] = benchmarkHead(unit) // the table has no heading of its own
		mdTable(&b, header, rows)
	}
	if len(d.Results) > 0 {
		b.WriteString(escape.Markdown(benchmarksLegend) + "\n\n")
	}
	for _, r := range d.Results {
		if r.FunctionsTested != nil {
			fmt.Fprintf(&b, "#### Functions of %s\n\n", escape.Markdown(r.Name))
			markdownFunctions(&b, r.Functions, r.FunctionsTested)
		}
	}
	mdOnly(&b, "before", d.OnlyBefore)
	mdOnly(&b, "after", d.OnlyAfter)
	mdNotices(&b, d.Warnings)
	return b.String()
}

// mdOnly lists benchmarks that one revision alone has.
func mdOnly(b *strings.Builder, arm string, names []string) {
	if len(names) == 0 {
		return
	}
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = escape.Markdown(name)
	}
	fmt.Fprintf(b, "Only %s: %s\n\n", arm, strings.Join(shown, ", "))
}
