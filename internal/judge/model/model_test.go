package model_test

import (
	"reflect"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

func at(function string, line int) unpark.Site {
	return unpark.Site{Function: function, File: "app.go", Line: line}
}

// loaded is evidence of ten seconds of an open loop of a hundred requests a second, each
// of ten milliseconds, on two cores of which a half is used.
func loaded() facts.Evidence {
	return facts.Evidence{
		Seconds: 10, Requests: unpark.Num(1000),
		CPU: facts.CPU{Cores: unpark.Num(1), Allowed: unpark.Num(2), Sampled: unpark.Num(10)},
		Window: unpark.Window{Load: &unpark.Load{
			Mode: unpark.Constant, OfferedRPS: 100, AchievedRPS: 100,
			Response: unpark.Latency{N: 1000, Mean: 0.01, Max: 0.1},
		}},
	}
}

// TestOneLock: what is let go at one place is one lock, whatever waits for it and by
// which side of an RWMutex; without a known holder a lock is what one function waits for.
func TestOneLock(t *testing.T) {
	get, put, other := at("app.get", 10), at("app.put", 20), at("app.other", 30)
	lock := func(kind string, waiter, holder unpark.Site, delay float64) facts.Lock {
		return facts.Lock{Side: unpark.RequestPath, Type: kind, Waiter: waiter, Holder: holder, Delay: delay, Count: 1, WaiterAll: []unpark.Site{waiter}}
	}
	ev := loaded()
	ev.Locks = []facts.Lock{
		lock("sync.RWMutex (read)", get, put, 3), lock("sync.RWMutex (write)", put, put, 2),
		lock("sync.Mutex", get, put, 1), // another one: of another type
		lock("sync.RWMutex (read)", get, at("app.put", 21), 0.5),
		lock("sync.Mutex", other, unpark.Site{}, 0.4), lock("sync.Mutex", at("app.other", 33), unpark.Site{}, 0.3),
		lock("runtime", get, unpark.Site{}, 9), lock(facts.DescriptorLock, get, unpark.Site{}, 0.2),
	}
	background := lock("sync.Mutex", other, unpark.Site{}, 5)
	background.Side = unpark.Background
	ev.Locks = append(ev.Locks, background)
	m := model.New(ev)
	var delays []float64
	for _, l := range m.Locks {
		delays = append(delays, l.Delay)
	}
	if want := []float64{5, 1, 0.7, 0.5}; !reflect.DeepEqual(delays, want) {
		t.Fatalf("locks with delays %v, want %v", delays, want)
	}
	if l := m.Locks[0]; l.Writes != 2 || l.Taker != "app.get" || l.Waiters != 0.5 || l.Share != unpark.Num(0.5) || !l.Binds() {
		t.Errorf("%+v", l)
	}
	if l := m.Locks[0]; !l.Is(ev.Locks[1]) || l.Is(ev.Locks[2]) {
		t.Error("the write side is the same lock, and the Mutex beside it is not")
	}
	if len(m.Contended) != 5 || m.Locks[2].Binds() {
		t.Errorf("%d contended, of which the third is %+v", len(m.Contended), m.Contended[2])
	}
}

// TestWaits: one row a function, joined over lines, without what is idle, of the
// background or not plausible.
func TestWaits(t *testing.T) {
	wait := func(class unpark.WaitClass, site unpark.Site, delay, count float64) facts.Wait {
		return facts.Wait{Class: class, Side: unpark.RequestPath, Waiter: site, Delay: delay, Count: count, Source: unpark.KindBlock.File(), Stack: []unpark.Site{site}}
	}
	ev := loaded()
	parked := wait(unpark.WaitChannel, at("app.worker", 5), 50, 10)
	parked.Idle = true
	ev.Waits = []facts.Wait{
		wait(unpark.WaitPool, at("app.ask", 10), 2, 100), wait(unpark.WaitPool, at("app.ask", 11), 1, 50),
		wait(unpark.WaitChannel, at("app.join", 10), 2, 100), parked,
		wait(unpark.WaitChannel, at("app.loop", 10), 9, 10), // 0.9 s each, and no request takes longer than 0.1 s
	}
	m := model.New(ev)
	if len(m.Pool) != 1 || m.Pool[0].Delay != 3 || m.Pool[0].Count != 150 || m.Pool[0].Heaviest.Waiter.Line != 10 {
		t.Errorf("pool: %+v", m.Pool)
	}
	if len(m.Joins) != 2 || m.Joins[0].Function() != "app.loop" || m.Joins[0].Plausible || !m.Joins[1].Plausible {
		t.Errorf("joins: %+v", m.Joins)
	}
	if !m.Joins[1].Explained { // the pool's three seconds are another sort of goroutine's
		t.Error("a join of two seconds beside a wait of three is not explained")
	}
}

// TestDuring: the model of a stretch has its own rates, and that of the window stays.
func TestDuring(t *testing.T) {
	ev := loaded()
	m, same := model.New(ev), model.New(ev)
	d := m.During(model.Stretch{Offered: 400, Achieved: 200, Cores: unpark.Num(1.9), Generator: unpark.Num(0.1)})
	if d.RPS != 200 || !d.Overloaded() || !d.CPUBound() || d.Used != unpark.Num(0.95) {
		t.Errorf("%+v", d.Usage)
	}
	if !reflect.DeepEqual(m, same) || m.CPUBound() {
		t.Error("the model of the window is another one")
	}
}
