package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestYield: a loop that yields keeps processors busy with the scheduler, whose own stack does
// not say for whom; samples or dumps do.
func TestYield(t *testing.T) {
	scheduler := func(cpu float64) facts.Signal {
		return facts.Signal{ID: facts.SignalYield, Leaf: fn("runtime.gosched_m"), CPU: cpu, Stack: stack("runtime.schedule", "runtime.gosched_m", "runtime.mcall")}
	}
	caller := stack("runtime.Gosched", "lib.(*Queue).Take", "app.worker")
	sampled := facts.Signal{ID: facts.SignalYield, Site: caller[2], Leaf: caller[0], CPU: 0.1, Stack: caller}
	met := facts.GoroutineGroup{Side: unpark.Background, Site: caller[2], Stack: caller, Mean: 1}
	for _, c := range []struct {
		name    string
		cores   float64
		signals []facts.Signal
		dumps   []facts.GoroutineGroup
		want    bool
	}{
		{"samples have the caller", 2.95, []facts.Signal{scheduler(12), sampled}, nil, true},
		{"dumps have it", 2.95, []facts.Signal{scheduler(12)}, []facts.GoroutineGroup{met}, true},
		{"nothing says who", 2.95, []facts.Signal{scheduler(12)}, nil, false},
		{"a little of it", 2.95, []facts.Signal{scheduler(2), sampled}, nil, false},
		{"on idle processors", 0.4, []facts.Signal{scheduler(2), sampled}, nil, false},
	} {
		ev := calm()
		ev.CPU.Cores, ev.CPU.Sampled = unpark.Num(c.cores), unpark.Num(10*c.cores)
		ev.Signals, ev.Goroutines = c.signals, c.dumps
		_, findings, _ := diagnose.Verdict(ev, nil)
		var found []unpark.Finding
		for _, f := range of(unpark.ClassCPU, findings) {
			if f.Rule == "yield" {
				found = append(found, f)
			}
		}
		if (len(found) == 1) != c.want {
			t.Errorf("%s: %d findings, want %v", c.name, len(found), c.want)
			continue
		}
		if c.want && (found[0].Culprit == nil || found[0].Culprit.Function != "lib.(*Queue).Take" || found[0].Site.Function != "app.worker" ||
			!strings.HasPrefix(found[0].Remedies[0].Title, "Wait for what")) {
			t.Errorf("%s: %+v", c.name, found[0])
		}
	}
}
