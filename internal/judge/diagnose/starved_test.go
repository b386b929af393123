package diagnose_test

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestStarvedLocks: where CPU is short, requests meet at locks whose holders have no
// processor. Such a lock is no cause; one that is held for long is, also there.
func TestStarvedLocks(t *testing.T) {
	full := func(ev *facts.Evidence) { ev.CPU.Cores = unpark.Num(2.9) }
	busy := func(ev *facts.Evidence) { ev.CPU.Cores = unpark.Num(2.2) } // of 3
	throttled := func(ev *facts.Evidence) {
		ev.Target.Quota, ev.CPU.Throttled = unpark.Num(2), unpark.Num(0.2)
	}
	crowded := func(ev *facts.Evidence) {
		ev.Target.CPUs, ev.Window.Machine.Busy = nil, unpark.Num(3.9) // others fill the machine
	}
	holders := func(e unpark.Edge) func(*facts.Evidence) {
		return func(ev *facts.Evidence) {
			ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: 1000, Edges: []unpark.Edge{e}}
		}
	}
	at := func(class unpark.WaitClass, count int64) unpark.Edge {
		e := edge(unpark.WaitLock, "app.(*Cache).Get", "app.(*Cache).Get", unpark.Held{Class: class, Share: 0.8}, unpark.Held{Class: unpark.WaitSyscall, Site: fn("app.fill"), Share: 0.2})
		e.Count = count
		return e
	}
	works := func(ev *facts.Evidence) { ev.Locks[0].HolderCPU = 2 }
	asleep := func(ev *facts.Evidence) {
		ev.Locks[0].Held = []facts.SiteSum{{Site: fn("time.Sleep"), Value: 9}}
	}
	unseen := func(ev *facts.Evidence) { // what holders did before they were first seen
		ev.Tracing.Edges[0].Held = []unpark.Held{
			{Class: unpark.WaitUnknown, Share: 0.4}, {Class: unpark.WaitScheduler, Share: 0.4}, {Class: unpark.Running, Share: 0.2},
		}
	}
	hardlySeen := func(ev *facts.Evidence) {
		ev.Tracing.Edges[0].Held = []unpark.Held{{Class: unpark.WaitUnknown, Share: 0.8}, {Class: unpark.WaitScheduler, Share: 0.2}}
	}
	between := func(ev *facts.Evidence) { ev.Tracing.Edges[0].Delay *= 0.1 } // it is held for long every few seconds
	twoEnds := func(ev *facts.Evidence) {
		waiter, holder := ev.Locks[0], ev.Locks[0]
		waiter.Holder, waiter.HolderAll, waiter.Released = unpark.Site{}, nil, 0
		holder.Waiter, holder.WaiterAll, holder.Delay = unpark.Site{}, nil, 0
		ev.Locks = []facts.Lock{waiter, holder}
	}
	tests := []struct {
		name   string
		with   []func(*facts.Evidence)
		listed bool
	}{
		{"CPU is left", nil, true},
		{"full, and no work under the lock", []func(*facts.Evidence){full}, false},
		{"throttled, and no work under the lock", []func(*facts.Evidence){throttled}, false},
		{"the machine is full of others, and no work under the lock", []func(*facts.Evidence){crowded}, false},
		{"the same, with ends that were not paired", []func(*facts.Evidence){full, twoEnds}, false},
		{"full, by the work under the lock", []func(*facts.Evidence){full, works}, true},
		{"full, and held across a sleep", []func(*facts.Evidence){full, asleep}, true},
		{"full, and the trace finds holders without a processor", []func(*facts.Evidence){full, works, holders(at(unpark.WaitScheduler, 500))}, false},
		{"full, and the trace finds holders at work", []func(*facts.Evidence){full, holders(at(unpark.Running, 500))}, true},
		{"full, and the trace finds holders without a processor, as far as it knows", []func(*facts.Evidence){full, works, holders(at(unpark.WaitScheduler, 500)), unseen}, false},
		{"full, and the trace hardly knows", []func(*facts.Evidence){full, works, holders(at(unpark.WaitScheduler, 500)), hardlySeen}, true},
		{"full, and too little of it in the trace", []func(*facts.Evidence){full, works, holders(at(unpark.WaitScheduler, 5))}, true},
		{"full, and the trace shows little of the waits", []func(*facts.Evidence){full, works, holders(at(unpark.WaitScheduler, 500)), between}, true},
		{"mostly busy, and the trace finds holders without a processor", []func(*facts.Evidence){busy, works, holders(at(unpark.WaitScheduler, 500))}, false},
		{"mostly busy, and no trace", []func(*facts.Evidence){busy}, true},
		{"holders without a processor, but not for the want of CPU", []func(*facts.Evidence){holders(at(unpark.WaitScheduler, 500))}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ev := calm()
			ev.Locks = []facts.Lock{contended(20, 0.2)}
			for _, with := range tt.with {
				with(&ev)
			}
			_, findings, _ := diagnose.Verdict(ev, nil)
			if f := of(unpark.ClassLock, findings); (len(f) > 0) != tt.listed {
				t.Errorf("listed %t, want %t: %+v", !tt.listed, tt.listed, f)
			}
		})
	}
}

// TestStarvedPools: a place in a pool, or another goroutine, that is waited for because
// those who have to run have no processor.
func TestStarvedPools(t *testing.T) {
	for _, tt := range []struct {
		name   string
		cores  float64
		did    unpark.WaitClass
		listed bool
	}{
		{"full, and they have no processor", 2.9, unpark.WaitScheduler, false},
		{"full, and they work", 2.9, unpark.Running, true},
		{"full, and they collect for what they allocate", 2.9, unpark.WaitGCAssist, true},
		{"full, and processors collect meanwhile", 2.9, unpark.WaitGC, false},
		{"room, and they had no processor", 0.5, unpark.WaitScheduler, true},
	} {
		for _, class := range []unpark.WaitClass{unpark.WaitPool, unpark.WaitGroup} {
			ev := calm()
			ev.CPU.Cores = unpark.Num(tt.cores)
			ev.Waits = append(ev.Waits, waits(class, 60, 9000, "block.pb.gz", "runtime.selectgo", "database/sql.(*DB).conn", "app.find", "net/http.(*conn).serve"))
			ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: 1000, Edges: []unpark.Edge{edge(class, "app.find", "app.give", unpark.Held{Class: tt.did, Share: 0.9})}}
			_, findings, _ := diagnose.Verdict(ev, nil)
			if f := append(of(unpark.ClassPool, findings), of(unpark.ClassChannel, findings)...); (len(f) > 0) != tt.listed {
				t.Errorf("%s: %s: %+v", tt.name, class, f)
			}
		}
	}
}

// TestStarvedBehind: those that have the places wait for goroutines of their own, and it is these that
// have no processor.
func TestStarvedBehind(t *testing.T) {
	for _, tt := range []struct {
		name   string
		cores  float64
		did    unpark.WaitClass
		listed bool
	}{
		{"full, and their helpers have no processor", 2.9, unpark.WaitScheduler, false},
		{"full, and their helpers sleep", 2.9, unpark.WaitSleep, true},
		{"room, and their helpers had no processor", 0.5, unpark.WaitScheduler, true},
	} {
		ev := calm()
		ev.CPU.Cores = unpark.Num(tt.cores)
		ev.Waits = append(ev.Waits, waits(unpark.WaitPool, 60, 9000, "block.pb.gz", "runtime.selectgo", "database/sql.(*DB).conn", "app.find", "net/http.(*conn).serve"))
		behind := edge(unpark.WaitGroup, "app.scan", "app.part", unpark.Held{Class: tt.did, Share: 0.9})
		ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: 1000, Edges: []unpark.Edge{
			edge(unpark.WaitPool, "app.find", "app.give", unpark.Held{Class: unpark.WaitGroup, Site: fn("app.scan"), Share: 0.9}), behind,
		}}
		limit, findings, _ := diagnose.Verdict(ev, nil)
		if f := of(unpark.ClassPool, findings); (len(f) > 0) != tt.listed || limit.Kind == unpark.LimitPool && !tt.listed {
			t.Errorf("%s: limit %s, %+v", tt.name, limit.Kind, f)
		}
	}
}

// TestStarvedPoolsWithoutTrace: where CPU is short and no trace tells why places are
// taken, only a wait that may be the limit itself is a finding.
func TestStarvedPoolsWithoutTrace(t *testing.T) {
	for _, tt := range []struct {
		name   string
		cores  float64
		delay  float64 // s, of 100 s of requests
		listed bool
	}{
		{"full, a tenth of a request", 2.9, 10, false},
		{"full, most of a request", 2.9, 60, true},
		{"room, a tenth of a request", 0.5, 10, true},
	} {
		ev := calm()
		ev.CPU.Cores = unpark.Num(tt.cores)
		ev.Waits = append(ev.Waits, waits(unpark.WaitPool, tt.delay, 9000, "block.pb.gz", "runtime.selectgo", "database/sql.(*DB).conn", "app.find", "net/http.(*conn).serve"))
		_, findings, _ := diagnose.Verdict(ev, nil)
		if f := of(unpark.ClassPool, findings); (len(f) > 0) != tt.listed {
			t.Errorf("%s: %+v", tt.name, f)
		}
	}
}
