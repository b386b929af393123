package investigate

import (
	"encoding/json"
	"io"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/store"
)

const (
	// screenPace is how often what a phase shows is written.
	// Unit: time. Source: figures are of the last second. Test: TestScreen.
	screenPace = time.Second
	// screenMost bounds the lines of a run.
	// Unit: lines. Source: a day of seconds, 10 MB. Test: TestScreen.
	screenMost = 86_400
)

// screen writes progress for other processes. What cannot be written is left out: a run does not end for it.
type screen struct {
	to    io.Writer
	lines int
	phase string
	last  time.Time
}

// broadcast lets others follow the run in its directory, until done.
func (r *runner) broadcast() (done func()) {
	w, err := r.dir.Create(store.LiveFile)
	if err != nil {
		return func() {}
	}
	s, shown := &screen{to: w}, r.rec.progress
	r.rec.progress = func(e Event) {
		if shown != nil {
			shown(e)
		}
		s.show(e, time.Now())
	}
	return func() {
		r.rec.progress = shown
		_ = w.Close() // as with the rest of it
	}
}

func (s *screen) show(e Event, now time.Time) {
	if e.Phase == s.phase && e.Load == nil && e.Line == "" && now.Sub(s.last) < screenPace || s.lines >= screenMost {
		return
	}
	line := store.Live{At: now.UTC(), Phase: e.Phase, Detail: unpark.RedactText(e.Detail + e.Line), Left: e.Left.Seconds()}
	if l := e.Live; l != nil {
		line.RPS, line.P99, line.Errors, line.InFlight = finite(l.RPS), finite(l.P99), l.Errors, l.InFlight
	}
	if l := e.Load; l != nil {
		line.RPS, line.P99, line.Errors = finite(l.AchievedRPS), finite(l.Response.P99), l.Errors
	}
	text, err := json.Marshal(line)
	if err != nil {
		return
	}
	s.lines, s.last = s.lines+1, now
	if e.Line == "" {
		s.phase = e.Phase
	}
	_, _ = s.to.Write(append(text, '\n')) // one write: a reader sees whole lines
}

// finite is 0 for what JSON has no word for.
func finite(v float64) float64 { return unpark.Num(v).Or(0) }
