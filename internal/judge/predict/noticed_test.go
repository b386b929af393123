package predict_test

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/predict"
)

// TestNoticed: of 10 ms a wait of 0.5 ms that buys nothing is left out; one that buys something stays, as does a longer one, one that
// makes the slowest requests slow, and what is no wait.
func TestNoticed(t *testing.T) {
	nothing := unpark.Prediction{Throughput: unpark.Between(1, 0.9, 1.1, "ratio", 9), P50: unpark.Between(1, 0.9, 1.1, "ratio", 9), P99: unpark.Between(1, 0.7, 1.4, "ratio", 9)}
	more, tail := nothing, nothing
	more.Throughput = unpark.Between(1.05, 1.04, 1.1, "ratio", 9)
	tail.P99 = unpark.Between(0.5, 0.3, 0.7, "ratio", 9)
	for _, c := range []struct {
		name string
		wait float64
		p    unpark.Prediction
		cpu  bool
		stay bool
	}{
		{"short, and worth nothing", 0.5e-3, nothing, false, false},
		{"short, and worth something", 0.5e-3, more, false, true},
		{"short, and behind the slowest", 0.5e-3, tail, false, true},
		{"longer", 0.7e-3, nothing, false, true},
		{"no wait", 0.5e-3, nothing, true, true},
	} {
		f := unpark.Finding{Class: unpark.ClassLock, Waiter: &unpark.Site{Function: "app.get"}, Prediction: c.p}
		f.Cost.WaitPerRequest = unpark.Measured(c.wait, "s/req", 9)
		if c.cpu {
			f.Class, f.Waiter = unpark.ClassCPU, nil
		}
		ev, _ := closedEvidence(10, 2, 1000, 1e-3, 1e-3, 1e-3) // 10 ms each
		if got := len(predict.Noticed(model.New(ev), []unpark.Finding{f})); (got == 1) != c.stay {
			t.Errorf("%s: %d findings", c.name, got)
		}
	}
}
