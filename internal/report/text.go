package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/unpark-go/unpark"
)

// Text writes the run for a terminal or a log: at most 100 columns wide, no
// colour. The first line is the verdict, unless the run is void or partial.
func Text(w io.Writer, r unpark.Run) error {
	return runPage(r).write(w, noPaint)
}

// Color writes the same with ANSI colours. Whether colours are wanted is for the
// caller to decide.
func Color(w io.Writer, r unpark.Run) error {
	return runPage(r).write(w, colours())
}

func runPage(r unpark.Run) *page {
	p := &page{}
	p.banners(r)
	p.limit(r)
	p.blank()
	for _, row := range ran(r) {
		p.row(row)
	}
	p.findings(r)
	p.costs(r)
	p.contents(r)
	p.tail(r)
	p.windows(r)
	p.processes(r)
	p.notices("WARNINGS", caution, r.Warnings)
	p.files(r)
	return p
}

// banners says why the figures below are not to be trusted, or not complete.
func (p *page) banners(r unpark.Run) {
	for _, n := range r.Void {
		p.flow(line{say(alarm, "VOID"), say(normal, "   ")}, say(alarm, prose(n.Message)))
		if n.Cure != "" {
			p.flow(line{say(normal, "       ")}, say(normal, prose(n.Cure)))
		}
	}
	if r.Partial != "" {
		p.flow(line{say(caution, "PARTIAL"), say(normal, " ")}, say(caution, prose(r.Partial)))
	}
	if len(p.lines) > 0 {
		p.blank()
	}
}

func (p *page) limit(r unpark.Run) {
	kind, why := verdict(r)
	tone := strong
	if r.IsVoid() {
		tone = quiet
	}
	spans := []span{say(tone, kind)}
	if why != "" {
		spans = append(spans, say(quiet, " · "), say(tone, why))
	}
	p.flow(line{say(heading, "LIMIT"), say(normal, "  ")}, spans...)
	if more := bounds(r.Limit); len(more) > 0 {
		p.flow(line{say(normal, "       ")}, say(quiet, strings.Join(more, " · ")))
	}
}

// row prints a label and its parts. Parts are not broken where they fit a line.
func (p *page) row(r row) {
	const label = 10
	first := line{say(quiet, fmt.Sprintf("  %-*s", label, r.label))}
	var spans []span
	for i, part := range r.parts {
		if i > 0 {
			spans = append(spans, say(quiet, " · "))
		}
		spans = append(spans, whole(normal, part))
	}
	p.flow(first, spans...)
}

func (p *page) notices(title string, t tone, all []unpark.Notice) {
	if len(all) == 0 {
		return
	}
	p.head(title)
	for _, n := range all {
		p.flow(line{say(t, "  ! ")}, say(normal, prose(n.Message)))
		if n.Cure != "" {
			p.flow(line{say(quiet, "    ")}, say(quiet, prose(n.Cure)))
		}
	}
}

// files says what lies in the run directory, and how to open a profile.
func (p *page) files(r unpark.Run) {
	n, first := 0, ""
	for _, w := range r.Windows {
		for _, f := range w.Profiles {
			if f.File == "" || f.State == unpark.Bad {
				continue
			}
			n++
			if first == "" && f.Kind != unpark.KindTrace {
				first = f.File
			}
		}
	}
	if n == 0 {
		return
	}
	w := r.Measured()
	given := w != nil && loose(*w) // nothing was written
	if given && first == "" {
		return
	}
	p.head("FILES")
	if !given {
		p.flow(line{say(quiet, "  ")}, say(normal, "report.html to look at, run.json to compute with, "),
			say(normal, many(int64(n), "profile")+" in the run directory"))
	}
	if first != "" {
		p.flow(line{say(quiet, "  ")}, say(quiet, prose(commandText([]string{"go", "tool", "pprof", first}))))
	}
}
