package investigate

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
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

// Broadcast lets other processes follow in a directory what c.Progress is told through show (store.LiveFile), until done. What cannot be
// written there is left out.
func (c Config) Broadcast(dir string) (show func(Event), done func()) {
	if show = c.Progress; show == nil {
		show = func(Event) {}
	}
	w, err := os.OpenFile(filepath.Join(dir, store.LiveFile), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return show, func() {}
	}
	s, shown := &screen{to: w}, show
	show = func(e Event) {
		shown(e)
		s.show(e, time.Now())
	}
	return show, func() { _ = w.Close() } // as with the rest of it
}

// broadcast lets others follow the run in its directory, until done.
func (r *runner) broadcast() (done func()) {
	shown := r.rec.progress
	show, ended := Config{Progress: shown}.Broadcast(r.dir.Path())
	r.rec.progress = show
	return func() {
		r.rec.progress = shown
		ended()
	}
}

func (s *screen) show(e Event, now time.Time) {
	if e.Phase == s.phase && e.Load == nil && e.Line == "" && now.Sub(s.last) < screenPace || s.lines >= screenMost {
		return
	}
	line := store.Live{At: now.UTC(), Phase: e.Phase, Detail: unpark.RedactText(e.Detail + e.Line), Left: e.Left.Seconds(), Cores: finite(e.Cores)}
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
