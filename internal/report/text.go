package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
)

// Text writes a document for a terminal or a log: at most 100 columns wide, no
// colour. The first line is the verdict, or what a load reached, unless the document
// is void or partial.
func Text[D Document](w io.Writer, d D) error { return pageOf(d).write(w, noPaint) }

// Color writes the same with ANSI colours. Whether colours are wanted is for the
// caller to decide.
func Color[D Document](w io.Writer, d D) error { return pageOf(d).write(w, colours()) }

// Brief writes the same with each finding in at most twelve lines: what a reader needs to
// act, and where the rest is: elsewhere says it for one that has neither flags nor files.
func Brief[D Document](w io.Writer, d D, colour bool, elsewhere ...string) error {
	paint := noPaint
	if colour {
		paint = colours()
	}
	if run, ok := any(d).(unpark.Run); ok {
		return runPage(run, &page{brief: true, rest: strings.Join(elsewhere, " ")}).write(w, paint)
	}
	return pageOf(d).write(w, paint)
}

func pageOf[D Document](d D) *page {
	switch d := any(d).(type) {
	case unpark.Run:
		return runPage(d, &page{})
	case unpark.Comparison:
		return comparisonPage(d)
	case unpark.Bisection:
		return bisectionPage(d)
	case unpark.Proof:
		return proofPage(d)
	case unpark.Benchmarks:
		return benchmarksPage(d)
	case unpark.Watch:
		return watchPage(d)
	case unpark.MachineSpeed:
		p := &page{}
		p.flow(nil, say(normal, speed(d)))
		return p
	case LoadRun:
		return loadPage(d)
	}
	return &page{} // Document has no other type
}

// runText prints the sections of a run on its page.
type runText struct {
	*page
	run unpark.Run
}

func runPage(r unpark.Run, onto *page) *page {
	p := runText{onto, r}
	p.banners(r.Void, r.Partial)
	p.trigger()
	p.limit()
	p.blank()
	for _, row := range ran(r) {
		p.row(row)
	}
	p.findings()
	p.costs()
	p.contents()
	p.unsaid()
	p.tail()
	p.levels()
	p.processes()
	p.agents(r.Agents)
	p.notices("WARNINGS", caution, r.Warnings)
	p.files()
	return p.page
}

// banners says why the figures below are not to be trusted, or not complete.
func (p *page) banners(void []unpark.Notice, partial string) {
	for _, n := range void {
		p.flow(line{say(alarm, "VOID"), say(normal, "   ")}, say(alarm, escape.Prose(n.Message)))
		if n.Cure != "" {
			p.flow(line{say(normal, "       ")}, say(normal, escape.Prose(n.Cure)))
		}
	}
	if partial != "" {
		p.flow(line{say(caution, "PARTIAL"), say(normal, " ")}, say(caution, escape.Prose(partial)))
	}
	if len(p.lines) > 0 {
		p.blank()
	}
}

func (p runText) limit() {
	kind, why := verdict(p.run)
	tone := strong
	if p.run.IsVoid() {
		tone = quiet
	}
	spans := []span{say(tone, kind)}
	if why != "" {
		spans = append(spans, say(quiet, " · "), say(tone, why))
	}
	p.flow(line{say(heading, "LIMIT"), say(normal, "  ")}, spans...)
	if more := bounds(p.run.Limit); len(more) > 0 {
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
		p.flow(line{say(t, "  ! ")}, say(normal, escape.Prose(n.Message)))
		if n.Cure != "" {
			p.flow(line{say(quiet, "    ")}, say(quiet, escape.Prose(n.Cure)))
		}
	}
}

// files says what lies in the run directory, and how to open a profile.
func (p runText) files() {
	n, first := 0, ""
	for _, w := range p.run.Windows {
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
	if n == 0 || p.page.rest != "" {
		return
	}
	if handed(p.run) && first == "" {
		return
	}
	p.head("FILES")
	if !handed(p.run) {
		p.flow(line{say(quiet, "  ")}, say(normal, "report.html to look at, run.json to compute with, "),
			say(normal, many(int64(n), "profile")+" in the run directory"))
	}
	if first != "" {
		p.flow(line{say(quiet, "  ")}, say(quiet, escape.Prose(commandText([]string{"go", "tool", "pprof", first}))))
	}
}
