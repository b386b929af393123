package predict

import (
	"math"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/owner"
)

func lockAt() (unpark.Site, *model.Lock) {
	site := unpark.Site{Function: "app.get", File: "/app/get.go", Line: 7}
	return site, &model.Lock{Heaviest: facts.Lock{Waiter: site, Holder: site}}
}

// TestSpread: nine in ten of the intervals hold the spread that the holds were drawn
// with.
func TestSpread(t *testing.T) {
	site, lock := lockAt()
	inside, all := 0, 0
	for _, scv := range []float64{0, 0.3, 1, 2} {
		for _, n := range []int{enoughHolds, 1000} {
			for seed := range uint64(100) {
				lock := stationOf(lock, heldFor(site, times{2e-3, scv}, n, seed), 2e-3, 0)
				got, count := lock.scv, lock.holds
				if count != int64(n) || got.low > got.value || got.value > got.high {
					t.Fatalf("%d of %d holds, %+v", count, n, got)
				}
				if all++; got.low <= scv && scv <= got.high {
					inside++
				}
			}
		}
	}
	if part := float64(inside) / float64(all); part < 0.9 {
		t.Errorf("%.3f inside, want 0.90", part)
	}
}

// TestSpreadOfManyEdges: what is pooled is what it would be of one edge, and only
// waits for this lock count.
func TestSpreadOfManyEdges(t *testing.T) {
	site, lock := lockAt()
	other := unpark.Site{Function: "app.put", Line: 9}
	hold := func(n int64, mean, scv float64) *unpark.Hold {
		return &unpark.Hold{N: n, Mean: mean, SCV: unpark.Num(scv)}
	}
	edges := []unpark.Edge{
		{Class: unpark.WaitLock, Waiter: site, Holder: site, Hold: hold(400, 1e-3, 0)},
		{Class: unpark.WaitLock, Waiter: site, Holder: other, Hold: hold(400, 3e-3, 0)},
		{Class: unpark.WaitLock, Waiter: other, Holder: other, Hold: hold(9000, 9e-3, 3)},
		{Class: unpark.WaitChannel, Waiter: site, Holder: site, Hold: hold(9000, 9e-3, 3)},
		{Class: unpark.WaitLock, Waiter: site, Holder: site},
		{Class: unpark.WaitLock, Waiter: site, Holder: site, Hold: &unpark.Hold{N: 1, Mean: 1}},
	}
	traces := &unpark.Tracing{Edges: edges}
	// Half of 1 ms and half of 3 ms: mean 2 ms, variance 1 ms².
	if got := stationOf(lock, traces, 2e-3, 0); got.holds != 800 || math.Abs(got.scv.value-0.25) > 0.001 {
		t.Errorf("%+v, want 0.25 of 800", got)
	}
	for name, of := range map[string]facts.Lock{"no place": {}, "another": {Waiter: unpark.Site{Function: "app.get", Line: 8}}} {
		if got := stationOf(&model.Lock{Heaviest: of}, traces, 1, 0); got.holds != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := stationOf(lock, heldFor(site, times{2e-3, 1}, enoughHolds-1, 1), 2e-3, 0); got.holds != 0 {
		t.Errorf("%d holds are enough", enoughHolds-1)
	}
	if got := stationOf(lock, nil, 2e-3, 0); got.holds != 0 {
		t.Error("holds without a trace")
	}
}

// TestMeasuredHolds: a spread that is measured takes the place of the one that is
// fitted, in open and closed loops, and the assumptions say which it was.
func TestMeasuredHolds(t *testing.T) {
	site, of := lockAt()
	wait := 0.5 * 2e-3 * 2 / 2 / 0.5 // of M/M/1 at ρ 0.5
	open := &service{load: load{Load: unpark.Load{Mode: unpark.Poisson}, rate: 250}}
	closed := &service{load: load{rate: 250}}
	words := func(s *service, lock station) string {
		return strings.Join(change{s, cut{station: lock, wait: span{value: lock.wait}}}.aboutHolds(), "")
	}
	lock := stationOf(of, nil, 2e-3, wait)
	if holds, n := open.holds(lock); n != 0 || len(holds) < 3 || !strings.Contains(words(open, lock), "fitted to the mean wait") {
		t.Errorf("open, not measured: %v, %s", holds, words(open, lock))
	}
	if holds, n := closed.holds(lock); n != 0 || holds[0].scv != 0 || holds[2].scv != 1 || lock.queueing() != 1 || !strings.Contains(words(closed, lock), "between constant and exponential") {
		t.Errorf("closed, not measured: %v, %s", holds, words(closed, lock))
	}
	for _, scv := range []float64{0.4, 1} {
		lock := stationOf(of, heldFor(site, times{2e-3, scv}, 2000, 5), 2e-3, wait)
		for _, s := range []*service{open, closed} {
			holds, n := s.holds(lock)
			if n != 2000 || math.Abs(holds[1].scv-scv) > 0.1 || holds[2].scv > 1.5*scv || !strings.Contains(words(s, lock), "measured in 2000 of them") {
				t.Errorf("measured %v: %v, %s", scv, holds, words(s, lock))
			}
		}
		if got := lock.queueing(); math.Abs(got-scv) > 0.1 {
			t.Errorf("mean value analysis takes %v for %v", got, scv)
		}
	}
	// Waits that no such holds explain: arrivals come in bursts.
	lock = stationOf(of, heldFor(site, times{2e-3, 0}, 2000, 5), 2e-3, 6*wait)
	if holds, n := open.holds(lock); n != 0 || !strings.Contains(words(open, lock), "fitted") {
		t.Errorf("contradicted: %v, %s", holds, words(open, lock))
	}
	// Even arrivals never wait for constant holds.
	open.Mode = unpark.Constant
	if holds, _ := open.holds(lock); len(holds) == 0 {
		t.Error("no holds at all")
	}
}

// TestLockBehindPool: a lock that is always held and never waited for is no station, as what
// is before it lets one request at a time in; what waits for the pool is its queue.
func TestLockBehindPool(t *testing.T) {
	site, lock := lockAt()
	m := &model.Model{Seconds: 10, Requests: 1000, RPS: 100}
	q := *lock
	q.Utilization, q.Waiters = unpark.Num(0.97), 0.001
	m.Contended = []model.Lock{q}
	if got := stations(m, 100); len(got) != 0 {
		t.Errorf("no request waits for it: %+v", got)
	}
	m.Contended[0].Waiters = 3
	if got := stations(m, 100); len(got) != 1 || got[0].lock == nil {
		t.Errorf("three wait for it: %+v", got)
	}
	m.Contended = nil
	m.Pool = []model.Wait{{Heaviest: facts.Wait{Waiter: site}, Delay: 40, Within: site.Function}}
	if got := stations(m, 100); len(got) != 0 {
		t.Errorf("what it is held for is not known: %+v", got)
	}
	m.Pool[0].Under = &owner.Owner{Value: 8}
	if got := stations(m, 100); len(got) != 1 || got[0].within() != site.Function || got[0].demand != 0.01 {
		t.Errorf("a full pool: %+v", got)
	}
}
