package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestRecord: what noting allocations takes is told as that, not as garbage of the code that
// allocates; what it takes at the default rate is nothing.
func TestRecord(t *testing.T) {
	for _, c := range []struct {
		name  string
		share float64
		want  bool
	}{
		{"every allocation", 0.6, true},
		{"one in 512 KiB", 0.008, false},
		{"none", 0, false},
	} {
		ev := calm()
		ev.CPU.Cores = unpark.Num(2.9)
		at := stack("runtime.profilealloc", "app.take", "app.handle")
		if c.share > 0 {
			ev.Signals = append(ev.Signals, facts.Signal{
				ID: facts.SignalRecord, Site: at[1], Leaf: at[0], CPU: c.share * ev.CPU.Sampled.Or(0), Stack: at,
			})
		}
		_, findings, _ := diagnose.Verdict(ev, nil)
		var got *unpark.Finding
		for i, f := range findings {
			if f.Rule == "record" {
				got = &findings[i]
			}
		}
		switch {
		case (got != nil) != c.want:
			t.Errorf("%s: %v, want %v", c.name, got != nil, c.want)
		case got != nil && (!strings.Contains(got.Remedies[0].Title, "runtime.MemProfileRate") || got.Culprit.Function != "runtime.profilealloc"):
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}
