package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/scorecard"
	"github.com/unpark-go/unpark/labs/score/arms"
)

// card is what became of forecasts.
type card struct {
	planned int
	tried   []tried
	commit  string
	arms.Settings
	length arms.Length
}

// scores are the forecasts that have an outcome.
func (c card) scores() []unpark.Score {
	var out []unpark.Score
	for _, t := range c.tried {
		if t.left != "" {
			continue
		}
		for _, f := range t.forecasts {
			s := unpark.Score{
				Time: t.run.Started.UTC(), Unpark: t.run.Unpark.Version, Target: "labs/" + t.lab.Name, Metric: f.Metric,
				Class: f.Class, Rule: f.Rule, Function: f.Function, Predicted: f.Predicted, Measured: f.Measured, Inside: f.Inside,
			}
			if s.Judgeable() {
				out = append(out, s)
			}
		}
	}
	return out
}

// right reports that every step was carried out, and that forecasts keep what their
// intervals promise.
func (c card) right() bool {
	for _, t := range c.tried {
		if t.failed {
			return false
		}
	}
	kept := scorecard.Sum(c.scores(), nil).All
	return len(c.tried) == c.planned && (kept.N == 0 || kept.Coverage.Value.Or(0) >= promised)
}

// text prints the card for a terminal.
func (c card) text(w io.Writer) error {
	fmt.Fprintln(w)
	if err := scorecard.Text(w, scorecard.Sum(c.scores(), nil)); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s\n", c.touching())
	for _, line := range c.leftOut() {
		fmt.Fprintln(w, line)
	}
	return nil
}

// page writes the card with how it came about.
func (c card) page(w io.Writer) error {
	if err := scorecard.Markdown(w, scorecard.Sum(c.scores(), nil), "make scorecard"); err != nil {
		return err
	}
	var on unpark.Host
	for _, t := range c.tried {
		if t.run != nil {
			on = t.run.Host
		}
	}
	fmt.Fprintf(w, `
## How

Commit %s, %d CPUs, %s. A *forecast* is what the finding of one `+"`unpark run`"+` of the slow arm says of its fix (window of %v after %v,
trace of %v), made before the fixed arm was started. The *outcome* is what `+"`unpark ab`"+` measures of both arms (%d rounds in turns, %v each
after %v, nothing profiled) under the same load, quota and processes beside them; in brackets its own 90 %% interval over the rounds. A forecast
counts as inside when it holds the middle of the outcome. %s

Throughput is forecast where the load is a number of connections; a given rate stays what it is.
`, c.commit, on.CPUs, strings.TrimSpace(on.Model+" "+on.OS+"/"+on.Arch), c.Window, c.Warmup, c.Trace, c.length.Rounds, c.length.Duration, c.length.Warmup, c.touching())
	if left := c.leftOut(); len(left) > 0 {
		fmt.Fprint(w, "\n## Not judged\n\n")
		for _, line := range left {
			fmt.Fprintf(w, "- %s\n", plain(line))
		}
	}
	return nil
}

// touching says how many of the forecasts that were missed the outcome's interval
// reaches: more rounds might have put them inside.
func (c card) touching() string {
	outside, touching := 0, 0
	for _, s := range c.scores() {
		if s.Inside {
			continue
		}
		outside++
		low, high := s.Measured.Low.Or(math.Inf(1)), s.Measured.High.Or(math.Inf(-1))
		if low <= s.Predicted.High.Or(math.Inf(-1)) && high >= s.Predicted.Low.Or(math.Inf(1)) {
			touching++
		}
	}
	return fmt.Sprintf("Of %d outcomes that are outside, the interval of %d reaches into that of the forecast.", outside, touching)
}

// leftOut says which steps are not judged, and why.
func (c card) leftOut() []string {
	var out []string
	for _, t := range c.tried {
		if t.left != "" {
			out = append(out, fmt.Sprintf("%s: %s", t, t.left))
		}
	}
	if n := c.planned - len(c.tried); n > 0 {
		out = append(out, fmt.Sprintf("%d steps were not carried out: run `make scorecard ARGS=-resume`", n))
	}
	return out
}

// says is a trial in a line.
func (t tried) says() string {
	if t.left != "" {
		return "not judged: " + t.left
	}
	var parts []string
	for _, f := range t.forecasts {
		word := "outside"
		switch {
		case !f.Predicted.Known():
			word = "not forecast"
		case !f.Measured.Known():
			word = "not measured"
		case f.Inside:
			word = "inside"
		}
		parts = append(parts, fmt.Sprintf("%s %s of %s %s", f.Metric, ranged(f.Measured), ranged(f.Predicted), word))
	}
	return strings.Join(parts, "; ")
}

// ranged prints a ratio with its interval.
func ranged(q unpark.Quantity) string {
	v, ok := q.Value.Get()
	if !ok {
		return "~"
	}
	low, known := q.Low.Get()
	if !known {
		return times(v)
	}
	return fmt.Sprintf("%s (%s–%s)", times(v), strings.TrimPrefix(times(low), "×"), strings.TrimPrefix(times(q.High.Or(math.NaN())), "×"))
}
