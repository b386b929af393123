package diagnose_test

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// rated says at which rates block (ns) and mutex (1 in n) were recorded.
func rated(ev facts.Evidence, block, mutex float64) facts.Evidence {
	ev.Window.Profiles = []unpark.ProfileFile{
		{Kind: unpark.KindBlock, State: unpark.Present, Rate: unpark.Num(block)},
		{Kind: unpark.KindMutex, State: unpark.Present, Rate: unpark.Num(mutex)},
	}
	return ev
}

func TestBlocking(t *testing.T) {
	lock := func(delay, count, released, releases float64) facts.Lock {
		l := contended(delay, 0.001)
		l.Count, l.Released, l.Releases, l.HolderCPU = count, released, releases, 0.05
		return l
	}
	elsewhere := lock(0.004, 40, 0, 0)
	elsewhere.Waiter, elsewhere.Holder = fn("app.(*Log).Write"), fn("app.(*Log).Write")
	cases := []struct {
		name    string
		locks   []facts.Lock
		waiters float64
		events  float64
		share   float64 // 0: no place is named
	}{
		{"nothing waits", nil, 0, 0, 0},
		// 4 ms at a rate of 1 ms are four records, however many waits they stand for.
		{"four records, scaled to 400 waits", []facts.Lock{lock(0.004, 400, 0, 0)}, 0.0004, 4, 1},
		{"two records are too few", []facts.Lock{lock(0.002, 200, 0, 0)}, 0.0002, 2, 0},
		// A holder that lost its processor once: three long waits.
		{"three waits of 10 ms", []facts.Lock{lock(0.03, 3, 0, 0)}, 0.003, 3, 1},
		{"the mutex profile has every unlock", []facts.Lock{lock(0, 0, 0.001, 52)}, 0.0001, 52, 1},
		{"one unlock in the mutex profile, of 5000 waits", []facts.Lock{lock(50, 5000, 0.001, 1)}, 5, 5000, 1},
		{"half of it elsewhere", []facts.Lock{lock(0.012, 400, 0, 0), elsewhere}, 0.0016, 16, 0.75},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ev := rated(calm(), 1e6, 1)
			ev.Locks = c.locks
			b, ok := diagnose.Blocking(model.New(ev))
			if !ok {
				t.Fatal("no answer although the block profile was recorded")
			}
			near(t, "mean waiters", b.Waiters.Value.Or(-1), c.waiters)
			near(t, "events", b.Events, c.events)
			if c.share == 0 {
				if b.First != nil {
					t.Errorf("named %s by %g events", b.First.Site, b.Events)
				}
				return
			}
			if b.First == nil {
				t.Fatal("no place is named")
			}
			near(t, "share", b.Share.Value.Or(-1), c.share)
			if low := b.Share.Low.Or(-1); low >= c.share || low < c.share/3 {
				t.Errorf("share at least %g", low)
			}
			near(t, "share of CPU", b.CPUShare.Or(-1), 0.01)
		})
	}
}

// TestBlockingUnknown: a profile that was off says nothing, which is not "nothing waits".
func TestBlockingUnknown(t *testing.T) {
	ev := calm()
	ev.Coverage[unpark.KindBlock] = facts.KindCoverage{State: unpark.Off}
	if b, ok := diagnose.Blocking(model.New(ev)); ok {
		t.Errorf("told %+v without a block profile", b)
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if d := got - want; d > 1e-9+0.001*want || d < -1e-9-0.001*want {
		t.Errorf("%s: %g, want %g", what, got, want)
	}
}
