package main

import (
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/rota"
)

// TestOfToday runs one arm a day, of both services, for one short window: which service is named
// does not depend on what else the machine does; forecasts do, and are not held here.
func TestOfToday(t *testing.T) {
	for i, a := range arms() {
		t.Run(a.name, func(t *testing.T) {
			if !rota.Long(i, len(arms())) {
				t.Skip("its turn is another day")
			}
			b, err := build(t.Context(), t.TempDir(), 2*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			r, err := b.measure(t.Context(), a)
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Void) > 0 || r.Limit.Kind == unpark.LimitUnknown {
				t.Skipf("the machine says nothing of it: %v %s", r.Void, r.Limit.Why)
			}
			for _, wrong := range a.check(r) {
				t.Error(wrong)
			}
		})
	}
}
