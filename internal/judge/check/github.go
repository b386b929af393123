package check

import (
	"fmt"
	"io"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
)

// GitHub writes a check as workflow commands, which GitHub Actions turns into
// annotations of lines: an error for what is broken or not measured, at the line of
// the finding where there is one and else of the budget, a warning for what cannot
// be told. Nothing that is kept is written.
func GitHub(w io.Writer, c unpark.Check, p Places) error {
	var b strings.Builder
	p = p.Learn(c.Findings)
	for _, n := range c.Void {
		annotate(&b, "error", "", 0, "unpark: void", n.Message+": "+n.Cure)
	}
	for _, j := range c.Bounds {
		level := "error"
		switch j.State {
		case unpark.BoundKept:
			continue
		case unpark.BoundUnsure:
			level = "warning"
		}
		title := "unpark: " + name(j.Bound) + " " + string(j.State)
		text := strings.TrimSpace(name(j.Bound)+" "+j.Text) + ": " + or(outcome(j), string(j.State))
		if len(j.Findings) == 0 {
			annotate(&b, level, c.Budget, j.Line, title, text)
		}
		for _, f := range j.Findings {
			file, ok := p.File(f.Site)
			if !ok {
				file = ""
			}
			about := named(f)
			if j.Metric == keyWaiters {
				about = text + ": " + about
			}
			annotate(&b, level, file, f.Site.Line, title, about)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// annotate writes one command. The escapes are those of the runner
// (actions/toolkit, packages/core/src/command.ts).
func annotate(b *strings.Builder, level, file string, line int, title, message string) {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	fmt.Fprintf(b, "::%s ", level)
	if file != "" {
		fmt.Fprintf(b, "file=%s,", property.Replace(escape.Prose(file)))
		if line > 0 {
			fmt.Fprintf(b, "line=%d,", line)
		}
	}
	fmt.Fprintf(b, "title=%s::%s\n", property.Replace(escape.Prose(title)), data.Replace(escape.Prose(message)))
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}
