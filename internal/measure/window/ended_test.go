package window

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestEnded: a window is of processes of which one at least lived to its end.
func TestEnded(t *testing.T) {
	for want, states := range map[string][]string{
		"":                     {"whole", "died"},
		"process 1 ended":      {"died"},
		"processes 1, 2 ended": {"died", "died"},
	} {
		var all []unpark.Process
		for i, s := range states {
			all = append(all, unpark.Process{PID: i + 1, State: s})
		}
		if got := ended(all); got != want {
			t.Errorf("%v: %q, want %q", states, got, want)
		}
	}
	if got := ended(nil); got != "" {
		t.Errorf("of none: %q", got)
	}
}
