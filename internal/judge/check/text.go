package check

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// Text writes a check for people: the verdict, one line a bound, and how often
// identical runs would break the budget.
func Text(w io.Writer, c unpark.Check) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", escape.Prose(headline(c)))
	for _, n := range c.Void {
		wrap(&b, 2, n.Message+": "+n.Cure)
	}
	if err := boundsText(&b, c.Bounds); err != nil {
		return err
	}
	if len(c.Warnings) > 0 {
		b.WriteByte('\n')
	}
	for _, n := range c.Warnings {
		wrap(&b, 2, "warning: "+n.Message+": "+n.Cure)
	}
	if s := falsely(c); s != "" {
		b.WriteByte('\n')
		wrap(&b, 0, s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// boundsText writes a line a bound, and below it why, where that is to be said.
func boundsText(b *strings.Builder, all []unpark.Judged) error {
	if len(all) == 0 {
		return nil
	}
	var rows strings.Builder
	t := tabwriter.NewWriter(&rows, 0, 0, 2, ' ', 0)
	for _, j := range all {
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", escape.Prose(name(j.Bound)), escape.Prose(j.Text), j.State, escape.Prose(measured(j)))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	b.WriteByte('\n')
	for i, row := range strings.Split(strings.TrimSuffix(rows.String(), "\n"), "\n") {
		b.WriteString(strings.TrimRight(row, " ") + "\n")
		if all[i].Why != "" {
			wrap(b, 6, all[i].Why)
		}
	}
	return nil
}

// wrap writes a text in lines that are indented and no wider than columns, but for
// a word that is.
func wrap(b *strings.Builder, indent int, text string) {
	used := 0
	for _, word := range strings.Fields(escape.Prose(text)) {
		n := utf8.RuneCountInString(word)
		switch {
		case used == 0:
			b.WriteString(strings.Repeat(" ", indent))
			used = indent
		case used+1+n > columns:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			used = indent
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	b.WriteByte('\n')
}

// FalsePositivesText writes how often identical runs would break a budget, by
// service and number of baselines.
func FalsePositivesText(w io.Writer, b unpark.Budget, baselines ...int) error {
	var text strings.Builder
	t := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for i, n := range baselines {
		r := FalsePositives(b, n)
		if !r.All.Known() {
			text.WriteString("no bound of this budget is against a baseline and in what was recorded: throughput, p50, p99, cpu_per_request, bytes_per_request, mean_waiters\n")
			break
		}
		if i == 0 {
			fmt.Fprintf(t, "baselines\tall services")
			for _, s := range r.Services {
				fmt.Fprintf(t, "\t%s (%d runs)", s.Service, s.Runs)
			}
			fmt.Fprintln(t)
		}
		fmt.Fprintf(t, "%d\t%s", n, units.Say(r.All.Value.Or(0), "ratio"))
		for _, s := range r.Services {
			fmt.Fprintf(t, "\t%s", units.Say(s.Share, "ratio"))
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// headline is the verdict on one line.
func headline(c unpark.Check) string {
	if c.IsVoid() {
		return "VOID: the run cannot be judged, so it does not pass"
	}
	word := "KEPT"
	if !c.Holds() {
		word = "BROKEN"
	}
	var parts []string
	for _, s := range []unpark.BoundState{unpark.BoundBroken, unpark.BoundUnmeasured, unpark.BoundUnsure, unpark.BoundKept} {
		if n := c.Count(s); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	if len(parts) == 0 {
		parts = []string{"there was nothing to judge"}
	}
	out := word + ": " + strings.Join(parts, ", ")
	if c.Budget != "" {
		out += " · " + c.Budget
	}
	switch n := len(c.Baselines); {
	case n == 1:
		out += " · against " + c.Baselines[0]
	case n > 1:
		out += fmt.Sprintf(" · against %d baselines", n)
	}
	return out
}

// name is a bound's key, with its site.
func name(b unpark.Bound) string {
	if b.At != "" {
		return b.Metric + " " + b.At
	}
	return b.Metric
}

// measured says what was measured, and against what.
func measured(j unpark.Judged) string {
	switch {
	case !j.Measured.Known():
		return ""
	case j.Metric == keyFindings || j.Metric == keyNew:
		if len(j.Findings) == 0 {
			return "none"
		}
		return units.Number(j.Measured.Value, j.Measured.Unit)
	case j.Change.Known() && j.Metric == keyErrors:
		return units.FromTo(j.Against.Value, j.Measured.Value, j.Measured.Unit)
	case j.Change.Known():
		return units.FromTo(j.Against.Value, j.Measured.Value, j.Measured.Unit) + " (" + change(1+j.Change.Or(0)) + ")"
	default:
		return units.Number(j.Measured.Value, j.Measured.Unit)
	}
}

// outcome says what was measured, and why the state is what it is.
func outcome(j unpark.Judged) string {
	figure := measured(j)
	if figure != "" && j.Why != "" {
		figure += ": "
	}
	return figure + j.Why
}

// falsely says how often identical runs would break the budget; "" when none of its
// bounds can be broken by noise.
func falsely(c unpark.Check) string {
	v, ok := c.False.Value.Get()
	if !ok {
		return ""
	}
	n := len(c.Baselines)
	out := fmt.Sprintf("false positives: identical runs, as recorded on a shared machine with two cores, break the bounds against %s in %s of cases (%s to %s by service)",
		map[bool]string{true: "1 baseline", false: fmt.Sprintf("%d baselines", n)}[n == 1], units.Say(v, "ratio"), units.Say(c.False.Low.Or(0), "ratio"), units.Say(c.False.High.Or(0), "ratio"))
	if n < enough {
		out += "; more baselines make it less"
	}
	reproduce := "unpark check --false-positives"
	if c.Budget != "" {
		reproduce += " --budget " + c.Budget
	}
	return escape.Prose(out + ": " + reproduce)
}

// change prints a ratio to the baseline.
func change(ratio float64) string { return units.SayChange(unpark.Measured(ratio, "ratio", 0)) }
