package exectrace_test

import (
	"testing"

	"github.com/unpark-go/unpark/exectrace"
)

// TestHardHolds: mean and spread of holds that are known. A hold that others came to
// while it lasted is a long one, so that where the lock is often free only those
// that somebody waited through may count.
func TestHardHolds(t *testing.T) {
	program := build(t, t.TempDir(), false)
	for _, c := range []struct {
		name  string
		least int64 // holds
		mean  between
		scv   between
		long  bool
	}{
		{"constant-holds", 100, between{4.9e6, 7e6}, between{0, 0.2}, false},
		{"spread-holds", 100, between{4.3e6, 7e6}, between{0.5, 1.4}, false},
		{"sparse-holds", 40, between{3.5e6, 7.5e6}, between{0.4, 1.9}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.long && testing.Short() {
				t.Skip("takes seconds")
			}
			t.Parallel()
			for n := 1; ; n++ {
				count, mean, scv := holdsAt(read(t, record(t, program, c.name)), "main.(*counter).count")
				t.Logf("%d holds, mean %.2f ms, squared coefficient of variation %.3f", count, mean/1e6, scv)
				if count >= c.least && c.mean.holds(mean) && c.scv.holds(scv) {
					return
				}
				if n == recordings {
					t.Errorf("want %d holds or more, a mean in %v ns, a squared coefficient of variation in %v", c.least, c.mean, c.scv)
					return
				}
			}
		})
	}
}

// holdsAt sums the holds of a function's lock.
func holdsAt(tr *exectrace.Trace, function string) (n int64, mean, scv float64) {
	var h exectrace.Holds
	for _, e := range tr.Edges {
		if e.State == exectrace.Lock && on(tr, e.Holder, function) {
			h.N += e.Holds.N
			h.Sum += e.Holds.Sum
			h.Squares += e.Holds.Squares
		}
	}
	mean = float64(h.Sum) / float64(h.N)
	return h.N, mean, h.Squares/float64(h.N)/(mean*mean) - 1
}
