package window

import (
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// TestCrowdIsNotTraced: a process with more than 100,000 goroutines is not traced, and that is said; one with fewer is, and one that does not say.
func TestCrowdIsNotTraced(t *testing.T) {
	counted := func(n float64) page {
		return page{metrics: reading{"/sched/goroutines:goroutines": {number: unpark.Num(n)}}}
	}
	for _, c := range []struct {
		name   string
		m      *member
		traced int
	}{
		{"seen from outside", &member{living: unpark.Num(1e6)}, 0},
		{"counted by its own metrics", &member{pages: [2]page{{}, counted(150_000)}}, 0},
		{"fewer", &member{living: unpark.Num(99_000)}, 1},
		{"fewer by its own metrics", &member{pages: [2]page{{}, counted(20)}}, 1},
		{"not told", &member{}, 1},
	} {
		c.m.endpoint = &Endpoint{PID: 7}
		tr := &tracer{o: Options{Trace: time.Second}, members: members{c.m}}
		if got := len(tr.traced()); got != c.traced {
			t.Errorf("%s: %d traced, want %d", c.name, got, c.traced)
		}
		if c.traced > 0 {
			continue
		}
		if s := tr.trace(t.Context()); s != nil || len(tr.notes) != 1 || !strings.Contains(tr.notes[0].Message, "No execution trace was taken of process 7") || tr.notes[0].Cure == "" {
			t.Errorf("%s: stretch %v, told %+v", c.name, s, tr.notes)
		}
	}
}
