package predict

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/rota"
)

// TestSmallerFixes: half of a lock, shards and readers are listed as data, in order,
// and no fix that leaves a part buys more than the removal.
func TestSmallerFixes(t *testing.T) {
	for seed := uint64(1); seed < 12; seed++ {
		open := seed%2 == 0
		d := draw(seed, unpark.ClassLock, open)
		ev, limit, f := d.evidence(d.p.run())
		p := Predict(model.New(ev), limit, f)
		if len(p.Alternatives) == 0 {
			if limit.Kind == unpark.LimitLock {
				t.Errorf("seed %d: the lock is the limit, and nothing short of its removal is listed", seed)
			}
			continue
		}
		for i, fix := range []unpark.Fix{unpark.FixHalved, unpark.FixSharded, unpark.FixRWMutex} {
			a := p.Alternatives[i]
			if a.Fix != fix || !a.Throughput.Known() || !a.P50.Known() || !a.P99.Known() {
				t.Fatalf("seed %d: %+v, want %s", seed, a, fix)
			}
			if a.Throughput.Value.Or(0) > p.Throughput.Value.Or(math.Inf(1)) || a.P99.Value.Or(0) < p.P99.Value.Or(0) || a.P50.High.Or(0) < p.P50.High.Or(0) {
				t.Errorf("seed %d: %s buys more than the removal: %+v and %+v", seed, fix, a, p)
			}
		}
	}
	m := full2().m
	p := Predict(m, unpark.Limit{Kind: unpark.LimitCPU}, unpark.Finding{Class: unpark.ClassCPU, Site: unpark.Site{Function: "app.render"}, Cost: unpark.Cost{Cores: unpark.Measured(1, "cores", 1500)}})
	if len(p.Alternatives) != 1 || p.Alternatives[0].Fix != unpark.FixHalved || !about(p.Alternatives[0].Throughput, 1.36, 0.06) {
		t.Errorf("half of the CPU: %+v", p.Alternatives)
	}
	// Half of 1 ms a request, and up to a quarter of the rest as it gets cheaper.
	if v, unit := p.CPUSaved.Value.Or(0), p.CPUSaved.Unit; v < 0.5e-3 || v > 0.65e-3 || unit != "s/req" || p.CPUSaved.Low.Or(1) > v || p.CPUSaved.High.Or(0) < v {
		t.Errorf("CPU saved: %+v", p.CPUSaved)
	}
	if text := strings.Join(p.Assumptions, "; "); !strings.Contains(text, "of CPU (") {
		t.Errorf("%s", text)
	}
	wait := unpark.Finding{Class: unpark.ClassDownstream, Site: unpark.Site{Function: "app.call"}, Cost: unpark.Cost{WaitPerRequest: unpark.Measured(5e-3, "s/req", 1500)}}
	if p := Predict(m, unpark.Limit{Kind: unpark.LimitCPU}, wait); p.CPUSaved.Known() {
		t.Errorf("a wait saves %+v of CPU", p.CPUSaved)
	}
}

// TestReadersShareAlready: what is an RWMutex is not told to become one.
func TestReadersShareAlready(t *testing.T) {
	told := map[string]int{}
	for seed := uint64(1); seed < 12; seed++ {
		d := draw(seed, unpark.ClassLock, seed%2 == 0)
		ev, limit, f := d.evidence(d.p.run())
		for _, typ := range []string{"sync.Mutex", "sync.RWMutex (write)"} {
			ev.Locks[0].Type = typ
			for _, a := range Predict(model.New(ev), limit, f).Alternatives {
				if a.Fix == unpark.FixRWMutex {
					told[typ]++
				}
			}
		}
	}
	if told["sync.Mutex"] == 0 || told["sync.RWMutex (write)"] > 0 {
		t.Errorf("told %v times to share it among readers", told)
	}
}

func about(q unpark.Quantity, want, by float64) bool { return math.Abs(q.Value.Or(0)-want) <= by }

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
				fixed, rest := lockRemedies(station{})[n].apply(d.p, d.p.rest)
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
