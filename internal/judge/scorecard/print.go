package scorecard

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// JSON writes the scorecard document.
func JSON(w io.Writer, c unpark.Scorecard) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(c)
}

// Text writes the scorecard for people.
func Text(w io.Writer, c unpark.Scorecard) error {
	var b strings.Builder
	for _, l := range summary(c) {
		fmt.Fprintf(&b, "%s\n", l)
	}
	if len(c.Scores) > 0 {
		b.WriteByte('\n')
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintf(t, "  %s\n", strings.Join(header(), "\t"))
		for _, row := range rows(c) {
			for i := range row {
				row[i] = escape.Prose(row[i])
			}
			fmt.Fprintf(t, "  %s\n", strings.Join(row, "\t"))
		}
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintf(&b, "\n%s\n", strings.Join(legend(), "\n"))
	}
	for _, n := range c.Warnings {
		fmt.Fprintf(&b, "warning: %s: %s\n", escape.Prose(n.Message), escape.Prose(n.Cure))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Markdown writes the scorecard as a page: the summary, and every forecast beside
// its outcome; command is what makes the page again.
func Markdown(w io.Writer, c unpark.Scorecard, command string) error {
	var b strings.Builder
	b.WriteString("# Scorecard\n\n")
	for _, l := range summary(c) {
		fmt.Fprintf(&b, "%s\n", escape.Markdown(l))
	}
	if len(c.Scores) > 0 {
		b.WriteByte('\n')
		table(&b, header(), rows(c))
		fmt.Fprintf(&b, "\n%s\n\n", escape.Markdown(strings.Join(legend(), " ")))
		table(&b, []string{"date", "target", "finding", "metric", "forecast", "measured", ""}, each(c.Scores))
	}
	for _, n := range c.Warnings {
		fmt.Fprintf(&b, "\n- **warning** %s: %s\n", escape.Markdown(n.Message), escape.Markdown(n.Cure))
	}
	fmt.Fprintf(&b, "\nMade by `%s`.\n", command)
	_, err := io.WriteString(w, b.String())
	return err
}

// legend explains the columns, in lines that fit a terminal.
func legend() []string {
	return []string{
		"Coverage: outcomes inside of the promised 90 % interval, with the binomial interval of that share.",
		"Width: high ÷ low of the intervals, geometric mean. Narrow: intervals with at most 1.5.",
		"Error: the typical factor between forecast and outcome. Bias: measured ÷ predicted.",
	}
}

func summary(c unpark.Scorecard) []string {
	if len(c.Scores) == 0 {
		return []string{"No forecast has an outcome yet: unpark ab adds them, where it removes what a finding names."}
	}
	const day = "2006-01-02"
	out := []string{fmt.Sprintf("%d of %d outcomes are inside of the promised interval (%s): %s, %s, %s to %s.",
		int(c.All.Coverage.Value.Or(0)*float64(c.All.N)+0.5), c.All.N, coverage(c.All),
		unpark.Counted(int64(c.Distinct), "forecast"), unpark.Counted(int64(c.Services), "service"), c.First.Format(day), c.Last.Format(day))}
	if c.Distinct < c.All.N {
		out = append(out, "Some forecasts were judged more than once, and such outcomes are not independent:",
			"the interval of the coverage is too narrow.")
	}
	return out
}

func header() []string {
	return []string{"", "n", "coverage", "width", "narrow", "error", "bias"}
}

func rows(c unpark.Scorecard) [][]string {
	out := [][]string{row("all", c.All)}
	for _, g := range c.Metrics {
		out = append(out, row(g.Name, g))
	}
	for _, g := range c.Classes {
		out = append(out, row("class "+g.Name, g))
	}
	return out
}

func row(name string, g unpark.ScoreGroup) []string {
	return []string{name, strconv.Itoa(g.N), coverage(g), factor(g.Width), share(g.Narrow), factor(g.Error), factor(g.Bias)}
}

// coverage prints a share with its interval as tables do: "60 % (27–86)".
func coverage(g unpark.ScoreGroup) string {
	q := g.Coverage
	return share(q.Value) + " (" + strings.TrimSuffix(units.Span(q.Low.Or(0), q.High.Or(0), "ratio"), " %") + ")"
}

func share(n unpark.Number) string { return units.Say(n.Or(math.NaN()), "ratio") }

func factor(n unpark.Number) string { return units.Times(unpark.Quantity{Value: n}) }

func each(all []unpark.Score) [][]string {
	var out [][]string
	for _, s := range all {
		mark := "outside"
		if s.Inside {
			mark = "inside"
		}
		finding := strings.TrimSpace(string(s.Class) + " " + unpark.ShortFunction(s.Function))
		out = append(out, []string{
			s.Time.Format("2006-01-02"), s.Target, finding, s.Metric, units.Times(s.Predicted), units.Times(s.Measured), mark,
		})
	}
	return out
}

func table(b *strings.Builder, header []string, rows [][]string) {
	write := func(row []string) {
		for _, cell := range row {
			fmt.Fprintf(b, "| %s ", escape.Markdown(cell))
		}
		b.WriteString("|\n")
	}
	write(header)
	b.WriteString(strings.Repeat("|---", len(header)) + "|\n")
	for _, row := range rows {
		write(row)
	}
}
