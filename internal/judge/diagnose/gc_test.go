package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// What is told as the runtime's own account comes from the runtime's own counters,
// and only then two measurements agree.
func TestTwoAccountsOfCollection(t *testing.T) {
	for _, tt := range []struct {
		name string
		own  unpark.Number
		told bool
		want unpark.Confidence
	}{
		{"both agree", unpark.Num(0.25), true, unpark.High},
		{"they contradict each other", unpark.Num(0.9), true, unpark.Low},
		{"the profile alone", unpark.Number{}, false, unpark.Medium},
	} {
		ev := calm()
		ev.CPU.Cores, ev.CPU.Shares.GC, ev.GC.CPUShare = unpark.Num(2), unpark.Num(0.3), tt.own
		ev.GC.HeapLive = unpark.Num(1 << 20)
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassGC, findings)
		if len(f) != 1 || f[0].Confidence != tt.want {
			t.Errorf("%s: %+v, want confidence %s", tt.name, f, tt.want)
			continue
		}
		told := false
		for _, fact := range f[0].Facts {
			told = told || strings.Contains(fact.Text, "own account")
			if fact.Source == "runtime/metrics" && !tt.told {
				t.Errorf("%s: %q has no such source", tt.name, fact.Text)
			}
		}
		if told != tt.told {
			t.Errorf("%s: facts %+v", tt.name, f[0].Facts)
		}
	}
}
