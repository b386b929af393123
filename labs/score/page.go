package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"
)

// text prints the table for a terminal.
func (b board) text(w io.Writer) {
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	table := func(cells ...[]string) {
		for _, c := range cells {
			fmt.Fprintln(t, strings.Join(c, "\t"))
		}
		t.Flush()
		fmt.Fprintln(w)
	}
	table(append([][]string{armHead}, b.armCells()...)...)
	if len(b.steps) > 0 {
		table(append([][]string{stepHead}, b.stepCells()...)...)
	}
	for _, line := range b.summary() {
		fmt.Fprintln(w, line)
	}
	for _, r := range b.rows {
		for _, p := range r.problems {
			fmt.Fprintf(w, "MISS  %s/%s #%d: %s\n      %s\n", r.lab, r.arm, p.repeat, p.text, p.dir)
		}
	}
}

var (
	armHead  = []string{"lab", "arm", "right", "limit", "said", "top 1", "top 3", "waiter", "holder", "false alarms", "time"}
	stepHead = []string{"lab", "step", "metric", "forecast", "interval", "width", "measured", "inside"}
)

func (b board) armCells() [][]string {
	var out [][]string
	for _, r := range b.rows {
		cells := []string{r.lab, r.arm}
		if r.skipped != "" {
			out = append(out, append(cells, "left out", "", "", "", "", "", "", "", ""))
			continue
		}
		var said []string
		for _, k := range r.said {
			said = append(said, string(k))
		}
		out = append(out, append(cells, r.verdict(), r.limit.String(), strings.Join(said, ", "),
			r.top1.String(), r.top3.String(), r.waiter.String(), r.holder.String(), fmt.Sprint(r.alarms), inSeconds(r.seconds)))
	}
	return out
}

// verdict is the count with what a reader must see beside it.
func (r row) verdict() string {
	text := r.right.String()
	if r.miss() {
		text += " MISS"
	}
	if r.void > 0 {
		text += fmt.Sprintf(", %d void", r.void)
	}
	if r.again > 0 {
		text += fmt.Sprintf(", %d again", r.again)
	}
	if r.busy > 0 {
		text += fmt.Sprintf(", %d busy", r.busy)
	}
	if r.failed > 0 {
		text += fmt.Sprintf(", %d failed", r.failed)
	}
	if !r.complete() {
		text += fmt.Sprintf(", %d not run", r.planned-r.right.of)
	}
	return text
}

// String prints "2/3", or a dash where nothing was asked.
func (c count) String() string {
	if c.of == 0 {
		return "–"
	}
	return fmt.Sprintf("%d/%d", c.n, c.of)
}

// times prints a ratio; NaN is unknown.
func times(v float64) string {
	switch {
	case math.IsNaN(v):
		return "~"
	case v >= 100:
		return fmt.Sprintf("×%.0f", v)
	default:
		return fmt.Sprintf("×%.3g", v)
	}
}

func inSeconds(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return fmt.Sprintf("%.1f s", v)
}

// summary says in words what must hold, and whether it does.
func (b board) summary() []string {
	t := b.totals()
	out := []string{
		fmt.Sprintf("Arms right in every repeat: %s.", t.arms),
		fmt.Sprintf("Limit right: %s. Cause in the first place: %s; among the first three: %s. Waiter right: %s. Holder right: %s.", t.limit, t.top1, t.top3, t.waiter, t.holder),
		fmt.Sprintf("False alarms on %d arms that are fixed or controls: %d.", t.healthy, t.alarms),
	}
	if t.inside.of+t.ends.of+t.none > 0 {
		line := fmt.Sprintf("Forecasts inside of their interval: %s", t.inside)
		if t.inside.of > 0 {
			line += fmt.Sprintf(" (%.0f %% were promised; high ÷ low is %.2g, geometric mean)", 100*promised, t.width)
		}
		out = append(out, line+fmt.Sprintf("; of one end, true: %s; %d without a forecast.", t.ends, t.none))
	}
	if t.busy > 0 {
		out = append(out, fmt.Sprintf("DISTURBED: something else had the processors during %d runs, also the second time: no figure of them can be relied on.", t.busy))
	}
	if t.unfinished > 0 {
		out = append(out, fmt.Sprintf("INCOMPLETE: %d arms are not done; -resume goes on.", t.unfinished))
	}
	if t.skipped > 0 {
		out = append(out, fmt.Sprintf("Left out, because no CPU quota can be set here: %d arms.", t.skipped))
	}
	return out
}

// writePage replaces the file as a whole, so that a reader never sees half of it.
func writePage(file string, print func(io.Writer) error) error {
	var page bytes.Buffer
	if err := print(&page); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	tmp := filepath.Join(filepath.Dir(file), "."+filepath.Base(file)+".new")
	if err := os.WriteFile(tmp, page.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	if err := os.Rename(tmp, file); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

func (b board) page(w io.Writer) error {
	s := b.Settings
	fmt.Fprintf(w, `# Scoreboard

Made by `+"`make score`"+` (`+"`go run ./labs/score`"+`), which builds unpark and every lab from the tree, runs each arm of the labs under
`+"`unpark run`"+` and holds what it says against the lab's `+"`expect.yaml`"+`. Windows of %v after %v of warm-up, %v of trace:
enough to be right by, and short for an interval to be narrow. Repeats of each arm: %d. An arm is right when every repeat is: right
twice of three is a miss. Services that others wrote, with what is missed there, are [in the wild](wild.md).

Commit %s, %s, %d CPUs, %s. %d runs, which took unpark %v together.

`, s.Window, s.Warmup, s.Trace, b.repeats, b.Commit, b.version.Go, b.host.CPUs, strings.TrimSpace(b.host.Model+" "+b.host.OS+"/"+b.host.Arch),
		b.runs, b.spent.Round(time.Second))
	for _, line := range b.summary() {
		fmt.Fprintf(w, "- %s\n", line)
	}
	fmt.Fprintf(w, "\n## Arms\n\n")
	markdown(w, armHead, b.armCells())
	fmt.Fprint(w, `
*limit*, *top 1*, *top 3*, *waiter*, *holder*: repeats that had it right, of those that were asked. *said*: what the limit was called.
*false alarms*: findings of a class that the arm must not have, summed over the repeats. *time*: of one `+"`unpark run`"+`, median.
A run that is void, or during which something else had the processors (warning `+"`busy-host`"+`), is repeated once (*again*); the second
time it counts, and is marked (*void*, *busy*).
`)
	if len(b.steps) > 0 {
		fmt.Fprintf(w, "\n## Forecasts\n\nWhat the first arm's finding promised, against the second arm in the same repeat: two short windows, whose own noise is in both.\nThe [scorecard](scorecard.md) has forecasts against outcomes measured in rounds.\n\n")
		markdown(w, stepHead, b.stepCells())
		fmt.Fprintf(w, "\n*forecast*, *interval*, *width* (high ÷ low): medians of the repeats; of some the least or the most alone is said. *measured*: each repeat, after ÷ before.\n*disturbed*: something else had the processors in one of the two runs, which says nothing of a forecast.\n")
	}
	fmt.Fprintf(w, "\n## Misses\n\n")
	b.misses(w)
	return nil
}

func (b board) misses(w io.Writer) {
	none := true
	for _, r := range b.rows {
		for _, p := range r.problems {
			none = false
			fmt.Fprintf(w, "- `%s/%s`, repeat %d: %s\n", r.lab, r.arm, p.repeat, plain(p.text))
		}
		if r.known != "" && len(r.problems) > 0 {
			fmt.Fprintf(w, "- `%s/%s` is known: %s\n", r.lab, r.arm, plain(r.known))
		}
	}
	if none {
		fmt.Fprintln(w, "None.")
	}
}

func markdown(w io.Writer, head []string, rows [][]string) {
	line := func(cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }
	line(head)
	line(strings.Split(strings.Repeat("---,", len(head)-1)+"---", ","))
	for _, r := range rows {
		for i := range r {
			r[i] = plain(r[i])
		}
		line(r)
	}
}

// plain keeps text from being taken for markup.
func plain(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "*", `\*`).Replace(s)
}
