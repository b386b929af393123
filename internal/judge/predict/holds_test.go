package predict

import (
	"math"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

func lockAt() (unpark.Site, station) {
	site := unpark.Site{Function: "app.get", File: "/app/get.go", Line: 7}
	return site, station{lock: &model.Lock{Heaviest: facts.Lock{Waiter: site, Holder: site}}, demand: 2e-3}
}

// TestSpread: nine in ten of the intervals hold the spread that the holds were drawn
// with.
func TestSpread(t *testing.T) {
	site, lock := lockAt()
	inside, all := 0, 0
	for _, scv := range []float64{0, 0.3, 1, 2} {
		for _, n := range []int{enoughHolds, 1000} {
			for seed := range uint64(100) {
				s := scene{m: model.New(facts.Evidence{Tracing: heldFor(site, times{2e-3, scv}, n, seed)})}
				got, count := s.spread(lock)
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
	s := scene{m: model.New(facts.Evidence{Tracing: &unpark.Tracing{Edges: edges}})}
	// Half of 1 ms and half of 3 ms: mean 2 ms, variance 1 ms².
	if got, n := s.spread(lock); n != 800 || math.Abs(got.value-0.25) > 0.001 {
		t.Errorf("%+v of %d, want 0.25 of 800", got, n)
	}
	for name, of := range map[string]station{"no place": {demand: 1}, "another": {lock: &model.Lock{Heaviest: facts.Lock{Waiter: unpark.Site{Function: "app.get", Line: 8}}}}} {
		if got, n := s.spread(of); n != 0 {
			t.Errorf("%s: %+v of %d", name, got, n)
		}
	}
	s.m.Ev.Tracing = heldFor(site, times{2e-3, 1}, enoughHolds-1, 1)
	if _, n := s.spread(lock); n != 0 {
		t.Errorf("%d holds are enough", n)
	}
	if _, n := (scene{m: model.New(facts.Evidence{})}).spread(lock); n != 0 {
		t.Error("holds without a trace")
	}
}

// TestMeasuredHolds: a spread that is measured takes the place of the one that is
// fitted, in open and closed loops, and the assumptions say which it was.
func TestMeasuredHolds(t *testing.T) {
	site, lock := lockAt()
	lock.wait = 0.5 * 2e-3 * 2 / 2 / 0.5 // of M/M/1 at ρ 0.5
	none := func() *model.Model { return model.New(facts.Evidence{}) }
	open := scene{m: none(), open: true, rate: 250, load: unpark.Load{Mode: unpark.Poisson}}
	closed := scene{m: none(), rate: 250}
	words := func(s scene) string {
		return strings.Join(aboutHolds(s, cut{station: lock, wait: span{value: lock.wait}}), "")
	}
	if holds, n := open.holds(lock); n != 0 || len(holds) < 3 || !strings.Contains(words(open), "fitted to the mean wait") {
		t.Errorf("open, not measured: %v, %s", holds, words(open))
	}
	if holds, n := closed.holds(lock); n != 0 || holds[0].scv != 0 || holds[2].scv != 1 || closed.queueing(lock) != 1 || !strings.Contains(words(closed), "between constant and exponential") {
		t.Errorf("closed, not measured: %v, %s", holds, words(closed))
	}
	for _, scv := range []float64{0.4, 1} {
		tr := heldFor(site, times{2e-3, scv}, 2000, 5)
		open.m.Ev.Tracing, closed.m.Ev.Tracing = tr, tr
		for _, s := range []scene{open, closed} {
			holds, n := s.holds(lock)
			if n != 2000 || math.Abs(holds[1].scv-scv) > 0.1 || holds[2].scv > 1.5*scv || !strings.Contains(words(s), "measured in 2000 of them") {
				t.Errorf("measured %v: %v, %s", scv, holds, words(s))
			}
		}
		if got := closed.queueing(lock); math.Abs(got-scv) > 0.1 {
			t.Errorf("mean value analysis takes %v for %v", got, scv)
		}
	}
	// Waits that no such holds explain: arrivals come in bursts.
	open.m.Ev.Tracing = heldFor(site, times{2e-3, 0}, 2000, 5)
	lock.wait *= 6
	if holds, n := open.holds(lock); n != 0 || !strings.Contains(words(open), "fitted") {
		t.Errorf("contradicted: %v, %s", holds, words(open))
	}
	// Even arrivals never wait for constant holds.
	open.load.Mode = unpark.Constant
	if holds, _ := open.holds(lock); len(holds) == 0 {
		t.Error("no holds at all")
	}
}
