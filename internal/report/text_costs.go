package report

import (
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
)

// costs prints a line for each function that the CPU goes to, and below it what it
// calls where that does not fit on the line.
func (p runText) costs() {
	s := spendingOf(p.run)
	if s == nil {
		return
	}
	p.blank()
	lead := []span{say(quiet, s.title+": "+doubt)}
	if s.low {
		lead = append(lead, say(quiet, " · "), whole(confidenceTone(unpark.Low), "confidence low"))
	}
	p.flow(line{say(heading, "COSTS"), say(normal, "  ")}, lead...)
	rows, beside := costRows(*s)
	p.add(costLine(rows[0], [4]tone{quiet, quiet, quiet, quiet})...)
	for i, row := range s.rows {
		tones := [4]tone{normal, place, normal, quiet}
		if row.gain != nil {
			tones[2] = gainTone(*row.gain)
		}
		p.add(costLine(rows[i+1], tones)...)
		if c := row.callee; !beside && c.name != "" {
			indent := costGap + width(rows[0][0]) + costGap
			c.name = symbol(c.name, columns-indent-width(c.before()))
			p.add(say(normal, strings.Repeat(" ", indent)), say(quiet, c.text()))
		}
	}
}

// costGap is between columns, and before the first.
const costGap = 2

// costLine joins the cells of a row. An empty column has no gap either.
func costLine(cells []string, tones [4]tone) line {
	var l line
	for j, text := range cells {
		if text != "" {
			l = append(l, say(tones[j], strings.Repeat(" ", costGap)+text))
		}
	}
	return trimmed(l)
}

// costRows returns the heading and a row for each function: share, place, gain and
// callee, as wide as their columns. The callees are left out where they do not fit
// the line, and then a place gives way where it does not either.
func costRows(s spending) (rows [][]string, beside bool) {
	gains, callees := costGains(s), costCallees(s)
	rows = [][]string{{"CPU", "function", "", ""}}
	if s.metric != "" {
		rows[0][2] = s.without()
	}
	if s.calls() {
		rows[0][3] = "of it in"
	}
	for i, r := range s.rows {
		rows = append(rows, []string{r.share, fullSite(withoutPath(r.site)), gains[i], callees[i]})
	}
	if w := tableWidth(aligned(rows, 0)); w <= columns {
		return rows, true
	}
	for i := range rows {
		rows[i] = rows[i][:3]
	}
	if over := tableWidth(rows) - columns; over > 0 {
		room := max(width(rows[0][1])-over, len("function"))
		rows[0][1] = "function"
		for i, r := range s.rows {
			rows[i+1][1] = siteText(withoutPath(r.site), room)
		}
		aligned(rows, 0)
	}
	return rows, false
}

// tableWidth is that of rows whose cells are as wide as their columns.
func tableWidth(rows [][]string) int {
	w := 0
	for _, cell := range rows[0] {
		if cell != "" {
			w += costGap + width(cell)
		}
	}
	return w
}

// costGains prints the gains so that the figures and their intervals line up.
func costGains(s spending) []string {
	var cells [][]string
	for _, r := range s.rows {
		value, between := apart(r.brief())
		cells = append(cells, []string{value, between})
	}
	return joined(aligned(cells, 0))
}

// costCallees prints what the functions call, and for how much of their CPU.
func costCallees(s spending) []string {
	var cells [][]string
	for _, r := range s.rows {
		cells = append(cells, []string{r.callee.part, r.callee.name})
	}
	return joined(aligned(cells, 0))
}

// withoutPath drops the import path of a function but for its last element.
func withoutPath(s unpark.Site) unpark.Site {
	name := escape.Line(s.Function)
	last, _ := pathEnd(name)
	s.Function = name[last:]
	return s
}
