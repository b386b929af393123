package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
)

func comparisonMarkdown(c unpark.Comparison) string {
	var b strings.Builder
	word, _ := outcome(c)
	fmt.Fprintf(&b, "### %s\n\n%s\n\n", escape.Markdown(word), escape.Markdown(headline(c)))
	if c.Why != "" && len(c.Refused)+len(c.NotComparable) == 0 {
		fmt.Fprintf(&b, "%s\n\n", escape.Markdown(sentence(c.Why)))
	}
	for _, n := range append(slices.Clone(c.Refused), c.NotComparable...) {
		fmt.Fprintf(&b, "- **%s** %s\n", escape.Markdown(sentence(n.Message)), escape.Markdown(sentence(n.Cure)))
	}
	if len(c.NotComparable) > 0 {
		b.WriteByte('\n') // a table does not begin in a list
	}
	if header, rows, _ := effectTable(c); len(rows) > 0 {
		mdTable(&b, header, rows)
		fmt.Fprintf(&b, "%s\n\n", escape.Markdown(strings.Join(notes(c), " ")))
	}
	markdownFunctions(&b, c.Functions, c.FunctionsTested)
	if c.Limits != nil {
		fmt.Fprintf(&b, "- limit before: **%s** %s\n", escape.Markdown(string(c.Limits.Before.Kind)), escape.Markdown(c.Limits.Before.Why))
		fmt.Fprintf(&b, "- limit after: **%s** %s\n\n", escape.Markdown(string(c.Limits.After.Kind)), escape.Markdown(c.Limits.After.Why))
	}
	for _, f := range sortedChanges(c.Findings) {
		text := became(f)
		if text != "" {
			text = " (" + escape.Markdown(text) + ")"
		}
		fmt.Fprintf(&b, "- **%s** %s: %s%s %s\n", escape.Markdown(changeWord(f.Change)), escape.Markdown(string(f.Class)), escape.Markdown(f.Title), text, mdSite(f.Site))
	}
	if len(c.Forecast) > 0 {
		var rows [][]string
		for _, f := range c.Forecast {
			row, _ := forecastRow(f)
			rows = append(rows, row)
		}
		b.WriteByte('\n')
		mdTable(&b, forecastHeader(), rows)
	}
	mdNotices(&b, c.Warnings)
	return b.String()
}
