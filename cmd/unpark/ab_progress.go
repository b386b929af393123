package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/unpark-go/unpark/internal/ab"
	"github.com/unpark-go/unpark/internal/judge/compare"
)

// abProgress shows an experiment: one line a round, and on a terminal what goes on
// below it.
type abProgress struct {
	w     io.Writer
	quiet bool
	inner *progress
}

func newABProgress(w io.Writer, quiet bool) *abProgress {
	return &abProgress{w: w, quiet: quiet, inner: newProgress(w, quiet)}
}

func (p *abProgress) show(v ab.Event) {
	switch {
	case p.quiet:
	case v.Trial != nil:
		p.say(trialLine(*v.Trial, v.Note))
	case v.Line != "":
		p.say(v.Line)
	case v.Run != nil && v.Label == "": // a build
		p.say(fmt.Sprintf("%-9s %s", v.Run.Phase, v.Run.Detail))
	case v.Run != nil && p.inner.live && v.Run.Load == nil:
		e := *v.Run
		e.Detail = strings.TrimSpace(v.Label + " " + e.Detail)
		p.inner.show(e)
	}
}

// say prints a line that stays.
func (p *abProgress) say(line string) {
	if p.quiet {
		return
	}
	p.inner.done()
	fmt.Fprintln(p.w, line)
}

func (p *abProgress) done() { p.inner.done() }

// trialLine is one round: both arms' throughput and p99, in the order in which they
// ran.
func trialLine(t ab.Trial, note string) string {
	kind, names := "round", [2]string{"before", "after"}
	if t.Identical {
		kind, names[1] = "floor", "before"
	}
	line := fmt.Sprintf("%s %2d", kind, t.Round)
	if t.LeftOut != "" {
		return line + "  left out: " + t.LeftOut
	}
	parts := []string{armLine(names[0], t.Before), armLine(names[1], t.After)}
	if t.AfterFirst {
		parts[0], parts[1] = parts[1], parts[0]
	}
	return fmt.Sprintf("%s  %s  %s  %s", line, parts[0], parts[1], note)
}

func armLine(name string, s compare.Sample) string {
	p99 := "~"
	if v, ok := s["p99"]; ok {
		p99 = round(v).String()
	}
	return fmt.Sprintf("%-6s %9s req/s p99 %8s", name, thousands(s["throughput"]), p99)
}
