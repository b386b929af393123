package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestOnBehalf: of a goroutine that a function starts and waits for, and that function, the caller stays; not where the callers wait for less
// or for something else, or where the goroutine is none that the function starts.
func TestOnBehalf(t *testing.T) {
	wait := func(waiters float64, path string) unpark.Finding {
		f := unpark.Finding{Class: unpark.ClassDownstream}
		f.Cost.MeanWaiters = unpark.Measured(waiters, "waiters", 100)
		for function := range strings.FieldsSeq(path) {
			f.Path = append(f.Path, unpark.Site{Function: function})
		}
		return f
	}
	const sends = "runtime.selectgo h2.(*stream).write h2.(*conn).roundTrip.gowrap1"
	for what, c := range map[string]struct {
		other unpark.Finding
		left  int
	}{
		"its caller":                 {wait(9, "runtime.selectgo h2.(*conn).roundTrip main.ask"), 1},
		"callers that wait less":     {wait(2, "runtime.selectgo h2.(*conn).roundTrip main.ask"), 2},
		"they wait in what it calls": {wait(9, "runtime.selectgo h2.(*conn).place h2.(*conn).roundTrip main.ask"), 2},
		"another function":           {wait(9, "runtime.selectgo h2.(*conn).ping main.ask"), 2},
	} {
		if got := onBehalf([]unpark.Finding{wait(10, sends), c.other}); len(got) != c.left {
			t.Errorf("%s: %d are left, want %d", what, len(got), c.left)
		}
	}
	if got := onBehalf([]unpark.Finding{wait(10, "runtime.selectgo h2.(*conn).loop"), wait(9, "runtime.selectgo h2.(*conn).roundTrip main.ask")}); len(got) != 2 {
		t.Errorf("a goroutine that is not started for a call: %d are left, want 2", len(got))
	}
}
