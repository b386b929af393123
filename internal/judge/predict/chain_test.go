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

// TestHeldCPUMayGo: where what computes under a lock is a cost of the lock's finding, a fix may save it as well; at least it saves the wait alone.
func TestHeldCPUMayGo(t *testing.T) {
	forecast := func(told bool) unpark.Prediction {
		ev, f := closedEvidence(50, 2, 1000, 10e-3, 0.9e-3, 1.9e-3)
		ev.Locks[0].Held = []facts.SiteSum{{Site: unpark.Site{Function: "app.(*cache).expired"}, Value: 4}}
		root := &facts.Node{Site: *f.Holder, App: true, Value: 4}
		ev.CPU.Tree = facts.Tree{Total: 19, Roots: []*facts.Node{root}}
		root.Calls = []*facts.Node{{Site: unpark.Site{Function: "app.(*cache).expired"}, App: true, Value: 4, Caller: root}}
		if told {
			f.Cost.CPUPerRequest = unpark.Measured(0.4e-3, "s/req", 400)
		}
		return predict.Predict(model.New(ev), unpark.Limit{Kind: unpark.LimitCPU}, f)
	}
	with, without := forecast(true).Throughput, forecast(false).Throughput
	if with.High.Or(0) < 1.05*without.High.Or(9) || with.Low.Or(0) > 1.01*without.Low.Or(0) {
		t.Errorf("told with its CPU %v–%v, without %v–%v", with.Low, with.High, without.Low, without.High)
	}
}
