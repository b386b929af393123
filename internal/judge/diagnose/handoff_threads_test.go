package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestHandsOverThreads: where a third of handing over is passing the processor to a locked goroutine's thread and back, not to lock it
// is the first advice; not where that is a little of it.
func TestHandsOverThreads(t *testing.T) {
	for switches, want := range map[float64]bool{3: true, 1: false} {
		at := unpark.Site{Function: "app.(*Engine).Do"}
		ev := facts.Evidence{Seconds: 10, Requests: unpark.Num(1000), CPU: facts.CPU{Sampled: unpark.Num(10), Cores: unpark.Num(1.95), Allowed: unpark.Num(2), RequestPath: unpark.Num(8)}}
		ev.Signals = []facts.Signal{
			{ID: facts.SignalHandoff, Site: at, Leaf: unpark.Site{Function: "runtime.chansend1"}, CPU: 6, Stack: []unpark.Site{at}},
			{ID: facts.SignalThread, Leaf: unpark.Site{Function: "runtime.startlockedm"}, CPU: switches},
		}
		found := runHandoff(model.New(ev))
		if len(found) != 1 {
			t.Fatalf("%+v", found)
		}
		if got := found[0].Remedies[0].Title; strings.Contains(got, "LockOSThread") != want {
			t.Errorf("%v s of switches: %q", switches, got)
		}
	}
}
