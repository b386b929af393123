package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// Markdown writes a document as a comment for a pull request: the verdict, a table
// of what matters, and the rest behind a fold.
func Markdown[D unpark.Run | unpark.Comparison | unpark.Benchmarks](w io.Writer, d D) error {
	text := ""
	switch d := any(d).(type) {
	case unpark.Run:
		text = runMarkdown(d)
	case unpark.Comparison:
		text = comparisonMarkdown(d)
	case unpark.Benchmarks:
		text = benchmarksMarkdown(d)
	}
	_, err := io.WriteString(w, text)
	return err
}

func runMarkdown(r unpark.Run) string {
	var b strings.Builder
	for _, n := range r.Void {
		fmt.Fprintf(&b, "> **VOID** %s %s\n\n", escape.Markdown(n.Message), escape.Markdown(n.Cure))
	}
	if r.Partial != "" {
		fmt.Fprintf(&b, "> **PARTIAL** %s\n\n", escape.Markdown(r.Partial))
	}
	if t := triggered(r.Trigger); t != "" {
		fmt.Fprintf(&b, "**Trigger** %s\n\n", escape.Markdown(t))
	}
	kind, why := verdict(r)
	fmt.Fprintf(&b, "### Limit: %s\n\n", escape.Markdown(kind))
	if why != "" {
		fmt.Fprintf(&b, "%s\n\n", escape.Markdown(why))
	}
	if more := bounds(r.Limit); len(more) > 0 {
		fmt.Fprintf(&b, "%s\n\n", escape.Markdown(strings.Join(more, " · ")))
	}
	mdFindings(&b, r)
	mdCosts(&b, r)
	mdContents(&b, r)
	mdTail(&b, r)
	mdDetails(&b, r)
	return b.String()
}

// mdFindings writes the table, one row a finding.
func mdFindings(b *strings.Builder, r unpark.Run) {
	if len(r.Findings) == 0 {
		if nothingFound(r) {
			b.WriteString(noCause(r) + "\n\n")
		}
		return
	}
	b.WriteString("| # | class | cause | line | cost | fixing buys | confidence |\n|--:|---|---|---|---|---|---|\n")
	l := loadOf(r)
	full, folded := byWorth(r.Findings)
	for _, f := range full {
		cost := costs(f.Finding, l)
		if len(cost) > 2 {
			cost = cost[:2]
		}
		var spent []string
		for _, c := range cost {
			spent = append(spent, escape.Markdown(c.Label+" "+c.Value))
		}
		fmt.Fprintf(b, "| %d | %s | %s | %s | %s | %s | %s |\n", f.rank(), escape.Markdown(string(f.Class)), escape.Markdown(f.Title),
			mdSite(f.Site), strings.Join(spent, "<br>"), mdGains(f.Prediction, l), escape.Markdown(string(f.Confidence)))
	}
	b.WriteByte('\n')
	if len(folded) > 0 {
		var names []string
		for _, f := range folded {
			names = append(names, escape.Markdown(foldedName(f)))
		}
		fmt.Fprintf(b, "%s: %s\n\n", foldedTitle(len(folded)), strings.Join(names, " · "))
	}
}

func mdGains(p unpark.Prediction, l *unpark.Load) string {
	all := gains(p, l)
	if len(all) == 0 {
		return escape.Markdown(units.Unknown + " " + abstains(p))
	}
	var out []string
	for _, g := range all {
		out = append(out, escape.Markdown(g.metric+" "+g.text))
	}
	if parts := byParts(p); len(parts) > 0 {
		out = append(out, escape.Markdown(strings.Join(parts, " · ")))
	}
	return strings.Join(out, "<br>")
}

func mdDetails(b *strings.Builder, r unpark.Run) {
	for i, f := range r.Findings {
		fmt.Fprintf(b, "<details><summary>%d: %s</summary>\n\n", max(f.Rank, i+1), escape.Markdown(f.Title))
		waiter, holder := lockSites(f)
		if waiter != nil {
			fmt.Fprintf(b, "- waiter %s\n", mdSite(*waiter))
		}
		if holder != nil {
			fmt.Fprintf(b, "- holder %s\n", mdSite(*holder))
		}
		if at, via, ok := culprit(f); ok {
			fmt.Fprintf(b, "- culprit %s", mdSite(at))
			if len(via) > 0 {
				fmt.Fprintf(b, " through %s", escape.Markdown(strings.Join(via, " → ")))
			}
			b.WriteByte('\n')
		}
		for _, x := range f.Remedies {
			fmt.Fprintf(b, "- **%s**", escape.Markdown(sentence(x.Title)))
			if x.Why != "" {
				fmt.Fprintf(b, " %s", escape.Markdown(sentence(x.Why)))
			}
			if x.When != "" {
				fmt.Fprintf(b, " *When:* %s", escape.Markdown(sentence(x.When)))
			}
			if x.Risk != "" {
				fmt.Fprintf(b, " *Risk:* %s", escape.Markdown(sentence(x.Risk)))
			}
			b.WriteByte('\n')
		}
		for _, x := range f.Facts {
			fmt.Fprintf(b, "- %s (%s)\n", escape.Markdown(factText(x)), escape.Markdown(or(x.Source, units.Unknown)))
		}
		if s := f.Prediction.Summary; s != "" {
			fmt.Fprintf(b, "- %s\n", escape.Markdown(s))
		}
		mdSlowed(b, slowed(f.Experiment, loadOf(r)))
		b.WriteString("\n</details>\n\n")
	}
	b.WriteString("<details><summary>What was run</summary>\n\n| | |\n|---|---|\n")
	for _, row := range ran(r) {
		fmt.Fprintf(b, "| %s | %s |\n", escape.Markdown(row.label), escape.Markdown(strings.Join(row.parts, " · ")))
	}
	b.WriteByte('\n')
	if w := r.Measured(); w != nil && len(w.Processes) > 1 {
		var rows [][]string
		for _, p := range w.Processes {
			rows = append(rows, processRow(p))
		}
		mdTable(b, processHeader(), append(rows, totalRow(*w)))
	}
	b.WriteString("</details>\n")
	mdNotices(b, r.Warnings)
}

func mdSlowed(b *strings.Builder, s *slowdown) {
	switch {
	case s == nil:
	case s.Gain == "":
		fmt.Fprintf(b, "- slowed down: %s\n", escape.Markdown(s.Sentences[0]))
	default:
		fmt.Fprintf(b, "- slowed down: throughput %s; %s\n", escape.Markdown(s.Gain), escape.Markdown(strings.Join(append([]string{or(s.Verdict, units.Unknown)}, s.Sentences...), "; ")))
	}
}

func mdNotices(b *strings.Builder, all []unpark.Notice) {
	if len(all) == 0 {
		return
	}
	b.WriteString("\n**Warnings**\n\n")
	for _, n := range all {
		fmt.Fprintf(b, "- %s %s\n", escape.Markdown(sentence(n.Message)), escape.Markdown(sentence(n.Cure)))
	}
}

func mdTable(b *strings.Builder, header []string, rows [][]string) {
	write := func(row []string) {
		for _, cell := range row {
			fmt.Fprintf(b, "| %s ", escape.Markdown(cell))
		}
		b.WriteString("|\n")
	}
	write(header)
	b.WriteString("|---" + strings.Repeat("|--:", len(header)-1) + "|\n")
	for _, row := range rows {
		write(row)
	}
	b.WriteByte('\n')
}

// mdSite prints a site as code. An HTML element is used, not backticks: a name
// may hold backticks and pipes.
func mdSite(s unpark.Site) string {
	if s.IsZero() {
		return ""
	}
	return "<code>" + escape.Markdown(siteText(s, columns)) + "</code>"
}
