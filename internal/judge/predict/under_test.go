package predict_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/predict"
)

// TestUnderAnUnknownHold: what is computed in a function that holds the lock which binds may be what it is held for, and where that is
// not known nothing is said of it. Beside the lock, and where the hold is known, something is.
func TestUnderAnUnknownHold(t *testing.T) {
	for _, c := range []struct {
		name  string
		in    string // the function that computes
		hold  bool   // is known
		limit unpark.LimitKind
		said  bool // that it abstains, and why
	}{
		{"in what holds it", "app.commit", false, unpark.LimitLock, true},
		{"beside it", "app.render", false, unpark.LimitLock, false},
		{"for a known time", "app.commit", true, unpark.LimitLock, false},
		{"CPU binds", "app.commit", false, unpark.LimitCPU, false},
	} {
		ev, _ := closedEvidence(20, 2, 1000, 15e-3, 0.9e-3, 1e-3)
		if !c.hold {
			ev.Locks[0].Utilization = unpark.Number{}
		}
		f := cpuFinding(ev, unpark.ClassCPU, 0.4)
		f.Site.Function = c.in
		p := predict.Predict(model.New(ev), unpark.Limit{Kind: c.limit}, f)
		if strings.Contains(strings.Join(p.Assumptions, "; "), "holds the lock which binds") != c.said || p.Throughput.Low.Known() == c.said {
			t.Errorf("%s: throughput %v; %v", c.name, p.Throughput, p.Assumptions)
		}
	}
}
