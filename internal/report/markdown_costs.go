package report

import (
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
)

// mdCosts writes a row for each function that the CPU goes to.
func mdCosts(b *strings.Builder, r unpark.Run) {
	s := spendingOf(r)
	if s == nil {
		return
	}
	fmt.Fprintf(b, "**%s**: %s.", s.heading(), doubt)
	if s.low {
		b.WriteString(" Confidence low.")
	}
	header, rule := "| CPU | function |", "|--:|---|"
	if s.metric != "" {
		header, rule = header+" "+s.without()+" |", rule+"---|"
	}
	if s.calls() {
		header, rule = header+" of it in |", rule+"---|"
	}
	fmt.Fprintf(b, "\n\n%s\n%s\n", header, rule)
	for _, row := range s.rows {
		fmt.Fprintf(b, "| %s | %s |", escape.Markdown(row.share), mdSite(row.site))
		if s.metric != "" {
			text := ""
			if row.gain != nil {
				text = row.gain.text
			}
			fmt.Fprintf(b, " %s |", escape.Markdown(text))
		}
		if s.calls() {
			fmt.Fprintf(b, " %s |", mdCallee(row.callee))
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
}

func mdCallee(c callee) string {
	if c.name == "" {
		return ""
	}
	return strings.TrimSpace(escape.Markdown(c.part) + " <code>" + escape.Markdown(symbol(c.name, columns)) + "</code>")
}
