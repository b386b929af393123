package predict_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/predict"
)

// TestManyRequests: with more requests under way than the model computes with it
// says so; it does not answer for fewer.
func TestManyRequests(t *testing.T) {
	for n, known := range map[int]bool{19_900: true, 20_100: false, 60_000: false} {
		rate := float64(n) / 10
		ev, f := closedEvidence(n, 2, rate, 5, 0.2/rate, 0.1/rate)
		p := predict.Predict(model.New(ev), unpark.Limit{Kind: unpark.LimitLock}, f)
		why := strings.Join(p.Assumptions, "; ")
		if p.Throughput.Known() != known || strings.Contains(why, "requests were under way") == known {
			t.Errorf("%d requests: throughput %v; %s", n, p.Throughput, why)
		}
	}
	// Below saturation the models of an open loop follow the rate, however long a
	// request takes.
	ev, f := closedEvidence(60_000, 2, 6000, 5, 0.2/6000, 0.1/6000)
	ev.Window.Load.Mode = unpark.Constant
	if p := predict.Predict(model.New(ev), unpark.Limit{Kind: unpark.LimitLock}, f); !p.Throughput.Known() {
		t.Errorf("an open loop: %v", p.Assumptions)
	}
}
