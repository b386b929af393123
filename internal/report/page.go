package report

import (
	"io"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/unpark-go/unpark/internal/escape"
)

// columns is the width that every line of a text report keeps to.
const columns = 100

// tone is what a piece of text means; colour is only ever a repetition of it.
type tone int

const (
	normal tone = iota
	quiet
	strong
	heading
	place
	good
	caution
	alarm
)

// span is text in one tone. Its text is escaped.
type span struct {
	tone tone
	text string
}

type line []span

func say(t tone, text string) span { return span{t, escape.Line(text)} }

// joint stands for a blank at which no line is broken. Escaped text has none.
const joint = "\u00a0"

// whole is say for a short text that stays on one line, such as a figure and
// its unit.
func whole(t tone, text string) span {
	s := say(t, text)
	if width(s.text) <= columns/2 {
		s.text = strings.ReplaceAll(s.text, " ", joint)
	}
	return s
}

func (l line) width() int {
	w := 0
	for _, s := range l {
		w += width(s.text)
	}
	return w
}

// page collects lines of at most [columns] columns.
type page struct {
	lines []line
	brief bool   // findings in a few lines each
	rest  string // where what is left out is, for a reader that has neither flags nor files
}

// add appends one line; what does not fit is cut, which layout should have
// prevented.
func (p *page) add(spans ...span) {
	p.lines = append(p.lines, fit(line(spans), columns))
}

func (p *page) blank() { p.lines = append(p.lines, nil) }

func (p *page) head(title string) {
	p.blank()
	p.add(say(heading, title))
}

// fit cuts a line to w columns.
func fit(l line, w int) line {
	if l.width() <= w {
		return l
	}
	var out line
	for _, s := range l {
		if n := width(s.text); n < w {
			out, w = append(out, s), w-n
			continue
		}
		return append(out, span{s.tone, left(s.text, w-1) + "…"})
	}
	return out
}

// flow appends spans broken at blanks, behind first on the first line and as
// many blanks on the others.
func (p *page) flow(first line, spans ...span) {
	indent := first.width()
	room := columns - indent
	current, used := first, 0
	push := func() {
		p.add(current...)
		current, used = line{{normal, strings.Repeat(" ", indent)}}, 0
	}
	all := words(spans, room)
	for i, word := range all {
		w := width(word.text)
		gap := 0
		if used > 0 && word.blank {
			gap = 1
		}
		if used+gap+w+tail(all[i+1:]) > room && used > 0 && (!word.joins() || used+w > room) {
			push()
			gap = 0
		}
		if gap > 0 {
			current = append(current, span{word.tone, " "})
		}
		current, used = append(current, word.span), used+gap+w
	}
	if used > 0 || len(spans) == 0 {
		p.add(current...)
	}
}

// word is a piece of text that is not broken; blank says that a blank is before
// it.
type word struct {
	span
	blank bool
}

// joins says that a word is never parted from the one before it: a value from its label.
func (w word) joins() bool { return !w.blank && strings.HasPrefix(w.text, joint) }

// tail is the width of the words at the beginning that are not parted from the one before them.
func tail(all []word) int {
	n := 0
	for _, w := range all {
		if !w.joins() {
			break
		}
		n += width(w.text)
	}
	return n
}

// words splits spans at blanks, and words wider than room into pieces. A blank
// belongs to the spans' text: two spans that touch are one word that may break
// between them.
func words(spans []span, room int) []word {
	var out []word
	blank := false
	for _, s := range spans {
		for i, text := range strings.Split(s.text, " ") {
			blank = blank || i > 0
			for text != "" {
				piece := text
				if width(piece) > room {
					piece = left(text, room)
				}
				if piece == "" { // wider than the room, at least one character
					piece = text
				}
				out = append(out, word{span{s.tone, piece}, blank})
				text, blank = text[len(piece):], false
			}
		}
	}
	return out
}

// write prints the page, each span through paint.
func (p *page) write(w io.Writer, paint func(tone, string) string) error {
	var b strings.Builder
	for _, l := range p.lines {
		for i, s := range l {
			text := s.text
			if i == len(l)-1 {
				text = strings.TrimRight(text, " ")
			}
			b.WriteString(paint(s.tone, strings.ReplaceAll(text, joint, " ")))
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func noPaint(_ tone, text string) string { return text }

// colours returns the painter for a terminal. It uses the sixteen colours that
// every terminal maps to its own scheme, so that light and dark both read well.
func colours() func(tone, string) string {
	base := lipgloss.NewStyle()
	styles := map[tone]lipgloss.Style{
		quiet:   base.Faint(true),
		strong:  base.Bold(true),
		heading: base.Bold(true),
		place:   base.Foreground(lipgloss.Cyan),
		good:    base.Foreground(lipgloss.Green),
		caution: base.Foreground(lipgloss.Yellow),
		alarm:   base.Bold(true).Foreground(lipgloss.Red),
	}
	return func(t tone, text string) string {
		style, ok := styles[t]
		if !ok || strings.TrimSpace(text) == "" {
			return text
		}
		return style.Render(text)
	}
}

// table appends rows under a heading; all columns but the first are aligned to
// the right, and quiet rules apply to the heading only.
func (p *page) table(indent int, header []string, rows [][]string, tones []tone) {
	widths := make([]int, len(header))
	for _, row := range append([][]string{header}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], width(escape.Line(cell)))
		}
	}
	print := func(t tone, row []string) {
		l := line{{normal, strings.Repeat(" ", indent)}}
		for i, cell := range row {
			cell = escape.Line(cell)
			pad := strings.Repeat(" ", widths[i]-width(cell))
			if i == 0 {
				cell += pad
			} else {
				cell = "  " + pad + cell
			}
			l = append(l, span{t, cell})
		}
		p.add(l...)
	}
	print(quiet, header)
	for i, row := range rows {
		print(tones[i], row)
	}
}
