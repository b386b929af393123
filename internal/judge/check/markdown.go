package check

import (
	"fmt"
	"io"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// Markdown writes a check as the summary of a job or a comment on a pull request.
func Markdown(w io.Writer, c unpark.Check) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### unpark check: %s\n\n", escape.Markdown(headline(c)))
	for _, n := range c.Void {
		fmt.Fprintf(&b, "> **VOID** %s: %s\n\n", escape.Markdown(n.Message), escape.Markdown(n.Cure))
	}
	if len(c.Bounds) > 0 {
		b.WriteString("| | bound | limit | baseline | measured | change | |\n|---|---|---|--:|--:|--:|---|\n")
	}
	for _, j := range c.Bounds {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", mark(j.State), mdName(j.Bound), escape.Markdown(j.Text),
			mdFigure(j.Against), mdMeasured(j), mdChange(j), mdWhy(j))
	}
	if len(c.Bounds) > 0 {
		b.WriteByte('\n')
	}
	for _, n := range c.Warnings {
		fmt.Fprintf(&b, "- **warning** %s: %s\n", escape.Markdown(n.Message), escape.Markdown(n.Cure))
	}
	if len(c.Warnings) > 0 {
		b.WriteByte('\n')
	}
	if s := falsely(c); s != "" {
		fmt.Fprintf(&b, "%s\n", escape.Markdown(s))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func mark(s unpark.BoundState) string {
	switch s {
	case unpark.BoundKept:
		return "✅ kept"
	case unpark.BoundBroken:
		return "❌ **broken**"
	case unpark.BoundUnmeasured:
		return "❌ **not measured**"
	default:
		return "❔ cannot tell"
	}
}

// mdName prints a bound's key, and its site as code. An HTML element is used, not
// backticks: a name may hold backticks and pipes.
func mdName(b unpark.Bound) string {
	if b.At == "" {
		return escape.Markdown(b.Metric)
	}
	return escape.Markdown(b.Metric) + " <code>" + escape.Markdown(b.At) + "</code>"
}

func mdFigure(q unpark.Quantity) string {
	if !q.Known() {
		return ""
	}
	return escape.Markdown(units.Number(q.Value, q.Unit))
}

func mdMeasured(j unpark.Judged) string {
	if j.Metric == keyFindings || j.Metric == keyNew {
		return fmt.Sprint(len(j.Findings))
	}
	return mdFigure(j.Measured)
}

func mdChange(j unpark.Judged) string {
	v, ok := j.Change.Get()
	if !ok || j.Metric == keyErrors {
		return ""
	}
	return escape.Markdown(change(1 + v))
}

func mdWhy(j unpark.Judged) string {
	if len(j.Findings) == 0 {
		return escape.Markdown(j.Why)
	}
	var out []string
	for _, f := range j.Findings {
		s := escape.Markdown(string(f.Class) + ": " + f.Title)
		if !f.Site.IsZero() {
			s += " <code>" + escape.Markdown(short(f.Site.Function)+" "+f.Site.Place()) + "</code>"
		}
		out = append(out, s)
	}
	return strings.Join(out, "<br>")
}
