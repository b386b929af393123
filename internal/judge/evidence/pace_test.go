package evidence

import (
	"math"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

// TestPace: the medians over the collections of all traces; a few say nothing.
func TestPace(t *testing.T) {
	of := func(live, goals []uint64) *traces {
		return &traces{all: []*exectrace.Trace{{Live: live[:1], Goals: goals[:1]}, {Live: live[1:], Goals: goals[1:]}}, fair: []int{0, 1}}
	}
	live, goal := of([]uint64{100, 200, 300}, []uint64{110, 240, 600}).pace()
	if live.Or(0) != 200 || math.Abs(goal.Or(0)-240) > 1e-9 {
		t.Errorf("%v of %v", live, goal)
	}
	if live, goal = of([]uint64{100, 200}, []uint64{110, 240}).pace(); live.Known() || goal.Known() {
		t.Errorf("two collections: %v of %v", live, goal)
	}
}

// TestStarts: goroutines per second by the function that asks for them, over all traces; what only
// starts them is passed over.
func TestStarts(t *testing.T) {
	stack := func(functions ...string) []unpark.Site {
		var out []unpark.Site
		for _, f := range functions {
			out = append(out, unpark.Site{Function: f})
		}
		return out
	}
	tr := func(seconds float64, each, other int64) *exectrace.Trace {
		return &exectrace.Trace{
			Seconds: seconds,
			Stacks:  [][]unpark.Site{nil, stack("main.each.func1"), stack("golang.org/x/sync/errgroup.(*Group).Go", "main.each", "main.handle"), stack("main.other")},
			Starts:  map[int32]map[int32]int64{1: {2: each, 3: other}},
		}
	}
	ts := &traces{all: []*exectrace.Trace{tr(1, 100, 10), tr(3, 300, 30)}, fair: []int{0, 1}}
	got := ts.starts()
	if len(got) != 2 || got[0].Site.Function != "main.each" || got[0].Value != 100 || got[1].Site.Function != "main.other" || got[1].Value != 10 {
		t.Errorf("%+v", got)
	}
}
