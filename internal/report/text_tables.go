package report

import (
	"strings"

	"github.com/unpark-go/unpark/internal/escape"
)

// contents prints what the profiles hold.
func (p runText) contents() {
	for i, c := range contentsOf(p.run) {
		if i == 0 {
			p.head("WHAT THE PROFILES HOLD")
		} else {
			p.blank()
		}
		p.flow(line{say(normal, "  ")}, say(strong, c.title), say(quiet, " · "+c.lead))
		rows := [][]string{append([]string{}, c.header...)}
		for _, row := range c.rows {
			rows = append(rows, append([]string{}, row.cells...))
		}
		every := make([]int, len(c.header))
		for j := range every {
			every[j] = j
		}
		aligned(rows, every...)
		for j, cells := range rows {
			text := "  " + strings.Join(cells, "  ")
			if j == 0 {
				p.add(say(quiet, text))
				continue
			}
			p.contentRow(text+"  ", c.rows[j-1])
		}
		if c.note != "" {
			p.flow(line{say(normal, "  ")}, say(quiet, c.note))
		}
	}
}

// unsaid prints what cannot be said without more.
func (p runText) unsaid() {
	if len(p.run.Unsaid) == 0 {
		return
	}
	p.head("NOT KNOWN WITHOUT MORE DATA")
	for _, n := range p.run.Unsaid {
		p.flow(line{say(quiet, "  ? ")}, say(normal, escape.Prose(n.Message)))
		if n.Cure != "" {
			p.flow(line{say(quiet, "    ")}, say(quiet, escape.Prose(n.Cure)))
		}
	}
}

// contentRow prints a row's figures, and its place in what is left of the line. What
// lets a waiter go is on a line of its own.
func (p runText) contentRow(figures string, row contentRow) {
	l := line{say(normal, figures)}
	if row.class != "" {
		l = append(l, say(quiet, row.class+" "))
	}
	p.add(append(l, say(place, siteText(row.site, columns-l.width())))...)
	if row.holder != nil {
		first := line{say(quiet, strings.Repeat(" ", width(figures))+"← ")}
		p.add(append(first, say(place, siteText(*row.holder, columns-first.width())))...)
	}
}
