package exectrace_test

import (
	"testing"

	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

// holdCase is a case of testdata/cases/holds.go: how long a lock is held, of which mean and
// spread are known. A hold that others came to while it lasted is a long one, so that
// where the lock is often free only those that another goroutine waited through count.
type holdCase struct {
	name  string
	least int64 // holds
	mean  between
	scv   between
}

func holdCases() []holdCase {
	return []holdCase{
		{"constant-holds", 100, between{4.9e6, 7e6}, between{0, 0.2}},
		{"spread-holds", 100, between{4.3e6, 7e6}, between{0.5, 1.4}},
		{"sparse-holds", 40, between{3.5e6, 7.5e6}, between{0.4, 1.9}},
	}
}

// fits holds the lock of a trace against the case.
func (c holdCase) fits(t *testing.T, tr *exectrace.Trace) bool {
	t.Helper()
	count, mean, scv := holdsAt(tr, "main.(*counter).count")
	t.Logf("%d holds, mean %.2f ms, squared coefficient of variation %.3f", count, mean/1e6, scv)
	return count >= c.least && c.mean.holds(mean) && c.scv.holds(scv)
}

func TestHardHolds(t *testing.T) {
	for _, c := range holdCases() {
		t.Run(c.name, func(t *testing.T) {
			if !c.fits(t, read(t, fixture(t, recording(c.name)))) {
				t.Errorf("want %d holds or more, a mean in %v ns, a squared coefficient of variation in %v", c.least, c.mean, c.scv)
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
