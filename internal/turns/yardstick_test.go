package turns

import (
	"errors"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// still is a yardstick that has figures for windows of one second alone.
type still struct{ stopped int }

func (s *still) start([]int, time.Duration) (Stick, error) {
	if s == nil {
		return nil, errors.New("start the yardstick: not here")
	}
	return s, nil
}

func (s *still) Stop() { s.stopped++ }

func (s *still) Within(from, to time.Time) (time.Duration, int, bool) {
	return 170 * time.Microsecond, 250, to.Sub(from) == time.Second
}

// TestGauge: a gauge that is nil or has nothing to start measures nothing, and one
// whose yardstick has no figure for the window is unknown.
func TestGauge(t *testing.T) {
	for name, g := range map[string]*gauge{"nil": nil, "nothing to start": {}, "cannot start": {start: (*still)(nil).start}} {
		g.Begin([]int{0}, time.Second)
		g.End(unpark.Window{})
		if g != nil && g.piece.Known() {
			t.Errorf("%s: %v", name, g.piece)
		}
	}
	m := &still{}
	g := &gauge{start: m.start}
	g.Begin([]int{0}, time.Second)
	g.End(unpark.Window{Start: time.Unix(0, 0), End: time.Unix(3, 0)})
	if g.piece.Known() || m.stopped != 1 {
		t.Errorf("%v, stopped %d times", g.piece, m.stopped)
	}
}
