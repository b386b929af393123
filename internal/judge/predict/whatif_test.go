package predict

import (
	"maps"
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/rota"
)

// TestAlternativesCover holds fixes that leave the lock against the same services
// with the fix made.
func TestAlternativesCover(t *testing.T) {
	draws, least := uint64(8), 0.7
	if rota.Long(1, 3) {
		draws, least = 60, 0.9
	}
	for _, open := range []bool{false, true} {
		by := map[string]*tally{"throughput": {}, "p50": {}, "p99": {}}
		for i := range draws {
			d := draw(i, unpark.ClassLock, open)
			before := d.p.run()
			ev, limit, f := d.evidence(before)
			for n, a := range Predict(model.New(ev), limit, f).Alternatives {
				fixed, rest := lockRemedies()[n].apply(d.p, d.p.rest)
				fixed.rest = rest
				after := fixed.run()
				for name, m := range map[string]struct {
					q     unpark.Quantity
					truth float64
				}{
					"throughput": {a.Throughput, after.rate / before.rate * d.given},
					"p50":        {a.P50, after.p50 / before.p50 / d.twoRuns},
					"p99":        {a.P99, after.p99 / before.p99 / d.twoRuns},
				} {
					if !by[name].add(m.q, m.truth) && testing.Verbose() {
						t.Logf("%d %s: %s %.3f, forecast %v (%v–%v), held %.2f, hold %v, %d cores, limit %s", i, a.Fix, name, m.truth, m.q.Value, m.q.Low, m.q.High, before.rate*d.p.hold.mean, d.p.hold, d.cores, limit.Kind)
					}
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(by)) {
			v := by[name]
			t.Logf("open %v, %s: %v", open, name, v)
			if float64(v.inside) < least*float64(v.n) {
				t.Errorf("open %v, %s: %.0f %% inside, want 90 %%", open, name, 100*float64(v.inside)/float64(v.n))
			}
		}
	}
}
