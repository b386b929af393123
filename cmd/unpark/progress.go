package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
)

// progress shows what a run is doing: one live line on a terminal, one plain
// line per phase elsewhere.
type progress struct {
	w     io.Writer
	live  bool
	quiet bool
	phase string
	width int
}

func newProgress(w io.Writer, quiet bool) *progress {
	return &progress{w: w, live: terminal(w), quiet: quiet}
}

func (p *progress) show(e investigate.Event) {
	if p.quiet {
		return
	}
	if e.Line != "" {
		phase := p.phase
		p.done()
		p.phase = phase
		fmt.Fprintln(p.w, e.Line)
		return
	}
	if e.Load != nil { // stays
		p.done()
		fmt.Fprintln(p.w, p.line(e))
		return
	}
	if !p.live {
		if e.Phase != p.phase {
			p.phase = e.Phase
			fmt.Fprintln(p.w, strings.TrimRight(p.line(e), " "))
		}
		return
	}
	line := p.line(e)
	if len([]rune(line)) > 98 {
		line = string([]rune(line)[:97]) + "…"
	}
	pad := max(0, p.width-len([]rune(line)))
	p.width = len([]rune(line))
	fmt.Fprint(p.w, "\r"+line+strings.Repeat(" ", pad))
}

func (p *progress) line(e investigate.Event) string {
	line := fmt.Sprintf("%-9s", e.Phase)
	if e.Left > 0 {
		line += fmt.Sprintf(" %4s", e.Left.Round(time.Second))
	}
	if e.Detail != "" {
		line += " " + e.Detail
	}
	if l := e.Load; l != nil {
		return line + fmt.Sprintf(" %s req/s  p99 %s", thousands(l.AchievedRPS), round(l.Response.P99))
	}
	// A line that stays is told when its phase begins, where the last second is that of
	// the phase before.
	if e.Live != nil && p.live {
		line += fmt.Sprintf("  %s req/s  p99 %s", thousands(e.Live.RPS), round(e.Live.P99))
		if e.Live.Errors > 0 {
			line += "  " + unpark.Counted(e.Live.Errors, "error")
		}
	}
	return line
}

// done clears the live line.
func (p *progress) done() {
	if p.live && p.width > 0 {
		fmt.Fprint(p.w, "\r"+strings.Repeat(" ", p.width)+"\r")
	}
	p.width, p.phase = 0, ""
}

func thousands(v float64) string {
	s := fmt.Sprintf("%.0f", v)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// round prints seconds with three significant digits.
func round(s float64) time.Duration {
	d := time.Duration(s * float64(time.Second))
	switch {
	case d > time.Second:
		return d.Round(10 * time.Millisecond)
	case d > time.Millisecond:
		return d.Round(10 * time.Microsecond)
	default:
		return d.Round(100 * time.Nanosecond)
	}
}
