package ab

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark/internal/turns"
)

// madeUp is a yardstick whose piece takes as long as the machine is slow.
type madeUp struct {
	slow    float64 // of the round that goes on
	cpus    []int
	started int
	stopped int
}

func (m *madeUp) start(cpus []int, most time.Duration) (turns.Stick, error) {
	if m == nil {
		return nil, errors.New("start the yardstick: not here")
	}
	if most < time.Second {
		return nil, errors.New("it would end before the window")
	}
	m.cpus, m.started = cpus, m.started+1
	return m, nil
}

func (m *madeUp) Stop() { m.stopped++ }

func (m *madeUp) Within(from, to time.Time) (time.Duration, int, bool) {
	return time.Duration(m.slow * 170e3), 250, to.Sub(from) == time.Second
}

// TestYardstick: the yardstick of each arm is written down, ends with it, and takes
// what the machine did out of the ratios.
func TestYardstick(t *testing.T) {
	a := &arms{stick: &madeUp{}, cost: map[string]float64{"old": 100e-6, "new": 110e-6}}
	out, err := trial(t, t.Context(), a, Config{Rounds: 14, Identical: 3})
	if err != nil {
		t.Fatal(err)
	}
	if a.stick.started != 34 || a.stick.stopped != 34 || !slices.Equal(a.stick.cpus, []int{0, 1}) {
		t.Errorf("started %d times, stopped %d times, on %v", a.stick.started, a.stick.stopped, a.stick.cpus)
	}
	speed := out.Comparison.Speed
	if speed == nil || !slices.Contains(speed.Corrected, "cpu_per_request") || math.Abs(speed.Varied.Value.Or(0)-0.06) > 0.03 {
		t.Fatalf("speed %+v", speed)
	}
	for _, e := range out.Comparison.Effects {
		if e.Metric == "cpu_per_request" && (e.Verdict != "worse" || !e.Raw.Known() || math.Abs(e.Slope.Or(0)-1) > 0.5) {
			t.Errorf("%+v", e)
		}
	}
	b, err := os.ReadFile(filepath.Join(out.Dir, roundsFile))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		var s sampleLine
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		if v := s.Sample["yardstick"]; v < 100e-6 || v > 300e-6 {
			t.Errorf("line %s", line)
		}
	}
}

// TestWithoutYardstick: where none can be started the rounds count, and the
// comparison says why nothing is corrected.
func TestWithoutYardstick(t *testing.T) {
	out, err := trial(t, t.Context(), &arms{}, Config{Rounds: 12})
	if err != nil {
		t.Fatal(err)
	}
	if s := out.Comparison.Speed; s == nil || s.Why == "" || len(s.Corrected) > 0 || s.Varied.Known() || out.Comparison.Rounds != 12 {
		t.Errorf("speed %+v after %d rounds", s, out.Comparison.Rounds)
	}
}
