package predict

import (
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestTellable holds a p99 whose ends are too far apart against one that can be planned with: of
// the one at most the end that is a gain is said, and the order is by all that was computed.
func TestTellable(t *testing.T) {
	offered := unpark.Between(1, 0.99, 1.01, "ratio", 600)
	tail := func(low, value, high float64) unpark.Prediction {
		return unpark.Prediction{Throughput: offered, P99: unpark.Between(value, low, high, "ratio", 600)}
	}
	for _, c := range []struct {
		name     string
		p        unpark.Prediction
		two, one bool
	}{
		{"near", tail(0.3, 0.6, 1.1), true, true},
		{"wide, and a gain at either end", tail(0.02, 0.3, 0.8), false, true},
		{"wide, and perhaps none", tail(0.02, 0.3, 1.1), false, false},
		{"wide, and worth nothing", tail(0.1, 1, 1.1), true, true},
	} {
		f := unpark.Finding{Prediction: c.p}
		got := Rank([]unpark.Finding{f, {Prediction: tail(0.8, 0.9, 0.95)}})
		for i := range got {
			got[i].Prediction = Said(got[i].Prediction)
		}
		i := slices.IndexFunc(got, func(f unpark.Finding) bool {
			return f.Prediction.P99.N == 600 && f.Prediction.P99.High.Or(0) == c.p.P99.High.Or(0)
		})
		if !c.one {
			i = slices.IndexFunc(got, func(f unpark.Finding) bool { return !f.Prediction.P99.High.Known() })
		}
		if i < 0 {
			t.Errorf("%s: no such finding in %v", c.name, got)
			continue
		}
		q := got[i].Prediction.P99
		if q.Known() != c.two || q.High.Known() != c.one {
			t.Errorf("%s: %v", c.name, q)
		}
		if !c.two && (i != 0 || len(got[i].Prediction.Assumptions) != 1) {
			t.Errorf("%s: place %d, assumptions %q", c.name, i+1, got[i].Prediction.Assumptions)
		}
	}
}
