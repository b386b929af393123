package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestStop: a call that stops the world costs everybody's time, and not only its own CPU; what is
// computed at the same line is no second cause.
func TestStop(t *testing.T) {
	stop := func(share float64) facts.Stop {
		at := stack("runtime.ReadMemStats", "app.heap", "app.handle")
		return facts.Stop{Site: at[1], Call: at[0], Share: share, Rate: 1000, Stack: at}
	}
	for _, c := range []struct {
		name  string
		stops []facts.Stop
		want  string // first remedy; empty: no finding
	}{
		{"half of the time", []facts.Stop{stop(0.5)}, "Read runtime/metrics"},
		{"a little", []facts.Stop{stop(0.02)}, ""},
		{"never", nil, ""},
	} {
		ev := calm()
		ev.Stops = c.stops
		_, findings, _ := diagnose.Verdict(ev, nil)
		got := ""
		for _, f := range findings {
			if f.Rule == "stop" {
				got = f.Remedies[0].Title
				if f.Culprit == nil || f.Culprit.Function != "runtime.ReadMemStats" || f.Site.Function != "app.heap" {
					t.Errorf("%s: %+v", c.name, f)
				}
			}
		}
		if (got == "") != (c.want == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
