package report

import (
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
)

// mdContents writes what the profiles hold, and what cannot be said without more.
func mdContents(b *strings.Builder, r unpark.Run) {
	for _, c := range contentsOf(r) {
		fmt.Fprintf(b, "**%s**: %s\n\n|", escape.Markdown(c.title), escape.Markdown(c.lead))
		for _, h := range c.header {
			fmt.Fprintf(b, " %s |", escape.Markdown(h))
		}
		fmt.Fprintf(b, " place |\n|%s---|\n", strings.Repeat("--:|", len(c.header)))
		for _, row := range c.rows {
			b.WriteByte('|')
			for _, cell := range row.cells {
				fmt.Fprintf(b, " %s |", escape.Markdown(cell))
			}
			at := strings.TrimSpace(escape.Markdown(row.class) + " " + mdSite(row.site))
			if row.holder != nil {
				at += " ← " + mdSite(*row.holder)
			}
			fmt.Fprintf(b, " %s |\n", at)
		}
		b.WriteByte('\n')
		if c.note != "" {
			fmt.Fprintf(b, "%s\n\n", escape.Markdown(c.note))
		}
	}
	if len(r.Unsaid) > 0 {
		b.WriteString("**Not known without more data**\n\n")
		for _, n := range r.Unsaid {
			fmt.Fprintf(b, "- %s %s\n", escape.Markdown(n.Message), escape.Markdown(n.Cure))
		}
		b.WriteByte('\n')
	}
}
