package predict_test

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/predict"
)

// TestChainOfLocks: where the holder of the lock at which requests queue waits for another one, both waits go with what runs under the
// other, and neither stays as what binds. Where it seldom waits for that, it is the other lock that binds afterwards.
func TestChainOfLocks(t *testing.T) {
	const rate, wait, hold = 3500, 3.9e-3, 0.25e-3 // of 4.6 ms; held for seven eighths of the window
	forecast := func(inside float64) unpark.Prediction {
		ev, f := closedEvidence(16, 2, rate, wait, hold, 0.05e-3)
		enters, at := unpark.Site{Function: "app.commit", Line: 5}, unpark.Site{Function: "app.(*conn).add", Line: 31}
		inner, holder := unpark.Site{Function: "app.commit", Line: 6}, unpark.Site{Function: "app.(*conn).flush", Line: 23}
		ev.Locks[0].WaiterAll = []unpark.Site{{Function: "sync.(*Mutex).Lock"}, enters}
		ev.Locks = append(ev.Locks, facts.Lock{
			Side: unpark.RequestPath, Type: "sync.Mutex", Waiter: at, Holder: holder, Delay: inside * ev.Seconds, Count: 500, Utilization: unpark.Num(0.95),
			WaiterAll: []unpark.Site{{Function: "sync.(*Mutex).Lock"}, at, inner}, HolderAll: []unpark.Site{{Function: "sync.(*Mutex).Unlock"}, holder},
		})
		m := model.New(ev)
		if inside > 0.5 {
			f.Holder = &holder
			f.Cost.WaitPerRequest = unpark.Measured(wait+inside/rate, "s/req", 1000)
		}
		return predict.Predict(m, unpark.Limit{Kind: unpark.LimitLock}, f)
	}
	if p := forecast(0.8); p.Throughput.Low.Or(0) < 2.5 || p.NextLimit == unpark.LimitLock {
		t.Errorf("both waits: throughput %+v, then %s", p.Throughput, p.NextLimit)
	}
	if p := forecast(0.05); p.Throughput.Value.Or(9) > 1.2 || p.NextLimit != unpark.LimitLock {
		t.Errorf("the other lock stays: throughput %+v, then %s", p.Throughput, p.NextLimit)
	}
}
