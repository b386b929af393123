package evidence

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// find returns the lock whose waiter is this function.
func find(locks []facts.Lock, waiter string) *facts.Lock {
	for i := range locks {
		if locks[i].Waiter.Function == waiter {
			return &locks[i]
		}
	}
	return nil
}

func TestLocksArePaired(t *testing.T) {
	lock, unlock := "sync.(*Mutex).Lock ", "sync.(*Mutex).Unlock "
	for _, c := range []struct {
		name         string
		block, mutex []made
		want         map[string]string // waiter → holder, "" for none
	}{
		{
			"one function at both ends",
			[]made{{lock + "main.(*cache).get@10" + serve, 10, 100}},
			[]made{{unlock + "runtime.deferreturn main.(*cache).get@20" + serve, 9.5, 100}},
			map[string]string{"main.(*cache).get": "main.(*cache).get"},
		},
		{
			"one function holds, two wait",
			[]made{{lock + "main.(*cache).get@10" + serve, 8, 80}, {lock + "main.(*cache).put@30" + serve, 2, 20}},
			[]made{{unlock + "main.(*cache).put@33" + serve, 9.4, 95}, {unlock + "main.(*cache).get@12" + serve, 0.6, 5}},
			map[string]string{"main.(*cache).get": "main.(*cache).put", "main.(*cache).put": "main.(*cache).put"},
		},
		{
			"two locks of one type",
			[]made{{lock + "main.(*srv).read@10" + serve, 8, 80}, {lock + "main.(*srv).log@30" + serve, 2, 20}},
			[]made{{unlock + "main.(*srv).read@14" + serve, 8.2, 80}, {unlock + "main.(*srv).log@33" + serve, 1.0, 20}},
			map[string]string{"main.(*srv).read": "main.(*srv).read", "main.(*srv).log": "main.(*srv).log"},
		},
		{
			"a small part of a big lock",
			[]made{{lock + "main.(*cache).get@10" + serve, 8, 80}, {lock + "main.(*cache).size@50" + serve, 1, 20}},
			[]made{{unlock + "main.(*cache).get@12" + serve, 9.2, 100}},
			map[string]string{"main.(*cache).get": "main.(*cache).get", "main.(*cache).size": "main.(*cache).get"},
		},
		{
			"locked and unlocked by different owners",
			[]made{{lock + "main.begin@10" + serve, 8, 80}, {lock + "main.other@10" + serve, 1, 80}},
			[]made{{unlock + "main.(*tx).commit@12" + serve, 8.5, 80}},
			map[string]string{"main.begin": "main.(*tx).commit", "main.other": ""},
		},
		{
			"where two fit, neither is taken",
			[]made{{lock + "main.begin@10" + serve, 8, 80}},
			[]made{{unlock + "main.(*tx).commit@12" + serve, 8.5, 80}, {unlock + "main.(*tx).abort@22" + serve, 7.5, 80}},
			map[string]string{"main.begin": ""},
		},
		{
			"delays that disagree",
			[]made{{lock + "main.begin@10" + serve, 8, 80}},
			[]made{{unlock + "main.(*tx).commit@12" + serve, 2, 80}},
			map[string]string{"main.begin": ""},
		},
		{
			"three that share the blame",
			[]made{{lock + "main.(*c).d@10" + serve, 9, 80}},
			[]made{
				{unlock + "main.(*c).e@12" + serve, 3, 80}, {unlock + "main.(*c).f@13" + serve, 3, 80}, {unlock + "main.(*c).g@14" + serve, 3, 80},
			},
			map[string]string{"main.(*c).d": ""},
		},
		{
			"readers wait for the writer",
			[]made{
				{"sync.(*RWMutex).RLock main.(*m).get@10" + serve, 8, 80},
				{"sync.(*Mutex).Lock sync.(*RWMutex).Lock main.(*m).set@20" + serve, 2, 20},
			},
			[]made{
				{"sync.(*RWMutex).Unlock main.(*m).set@22" + serve, 8.3, 80}, {"sync.(*RWMutex).RUnlock main.(*m).get@12" + serve, 1.5, 20},
			},
			map[string]string{"main.(*m).get": "main.(*m).set", "main.(*m).set": "main.(*m).set"},
		},
		{
			"a library's lock is named by its method",
			[]made{{lock + "github.com/brianvoe/gofakeit/v6.(*lockedSource).Int63@10 main.pick" + serve, 3, 80}},
			[]made{{unlock + "github.com/brianvoe/gofakeit/v6.(*lockedSource).Int63@12 main.pick" + serve, 3, 80}},
			map[string]string{"github.com/brianvoe/gofakeit/v6.(*lockedSource).Int63": "github.com/brianvoe/gofakeit/v6.(*lockedSource).Int63"},
		},
		{
			"a mutex profile that is off",
			[]made{{lock + "main.(*cache).get@10" + serve, 10, 100}},
			nil,
			map[string]string{"main.(*cache).get": ""},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			ps := single(profileOf(t, unpark.KindBlock, c.block...), profileOf(t, unpark.KindMutex, c.mutex...))
			ev, _, _ := Reduce(Input{Window: window(10), Profiles: ps})
			var waited float64
			for w, h := range c.want {
				l := find(ev.Locks, w)
				if l == nil {
					t.Fatalf("no lock with waiter %s in %+v", w, ev.Locks)
				}
				if l.Holder.Function != h {
					t.Errorf("%s waits for %q, want %q", w, l.Holder.Function, h)
				}
				if (h != "") != l.Agreement.Known() {
					t.Errorf("%s: agreement %v", w, l.Agreement)
				}
				waited += l.Delay
			}
			var all float64
			for _, b := range c.block {
				all += b.value
			}
			if !near(waited, all, 1e-6) {
				t.Errorf("waiters lost %v s in all, the profile holds %v", waited, all)
			}
		})
	}
}

// TestReleasesAreCountedOnce: an unlock lets one goroutine go, however many functions
// wait for that lock.
func TestReleasesAreCountedOnce(t *testing.T) {
	lock, unlock := "sync.(*Mutex).Lock ", "sync.(*Mutex).Unlock "
	for _, c := range []struct {
		name         string
		block, mutex []made
		want         float64
	}{
		{"one waits", []made{{lock + "main.(*cache).get@10" + serve, 10, 100}}, []made{{unlock + "main.(*cache).get@20" + serve, 9.5, 90}}, 90},
		{
			"three wait",
			[]made{{lock + "main.(*cache).get@10" + serve, 6, 60}, {lock + "main.(*cache).put@30" + serve, 3, 30}, {lock + "main.(*cache).size@50" + serve, 1, 10}},
			[]made{{unlock + "main.(*cache).put@33" + serve, 10, 90}},
			90,
		},
		{
			"two hold",
			[]made{{lock + "main.(*cache).get@10" + serve, 8, 80}, {lock + "main.(*cache).put@30" + serve, 2, 20}},
			[]made{{unlock + "main.(*cache).put@33" + serve, 9.4, 95}, {unlock + "main.(*cache).get@12" + serve, 0.6, 5}},
			100,
		},
		{"it stays without waiters", nil, []made{{unlock + "main.(*cache).put@33" + serve, 10, 90}}, 90},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev, _, _ := Reduce(Input{Window: window(10), Profiles: single(profileOf(t, unpark.KindBlock, c.block...), profileOf(t, unpark.KindMutex, c.mutex...))})
			var releases float64
			for _, l := range ev.Locks {
				releases += l.Releases
			}
			if !near(releases, c.want, 1e-9) {
				t.Errorf("%v releases in all, the mutex profile has %v: %+v", releases, c.want, ev.Locks)
			}
		})
	}
}

func TestRuntimeLocksAreApart(t *testing.T) {
	ps := single(
		profileOf(t, unpark.KindBlock, made{"sync.(*Mutex).Lock main.(*cache).get@10" + serve, 2, 10}),
		profileOf(t, unpark.KindMutex,
			made{"sync.(*Mutex).Unlock main.(*cache).get@12" + serve, 2, 10},
			made{"runtime.unlock runtime.findRunnable runtime.schedule runtime.park_m runtime.mcall", 30, 900},
			made{"runtime._LostContendedRuntimeLock", 5, 10},
			made{"runtime.unlock runtime.(*mheap).alloc runtime.mallocgc main.(*cache).get@14" + serve, 1, 10},
		))
	ev, _, notices := Reduce(Input{Window: window(10), Profiles: ps})
	if l := find(ev.Locks, "main.(*cache).get"); l == nil || l.Released != 2 || !near(l.Agreement.Or(0), 1, 1e-9) {
		t.Errorf("application lock %+v", l)
	}
	var internal float64
	for _, l := range ev.Locks {
		if l.Type == facts.RuntimeLock {
			internal += l.Released
			if l.Side != unpark.RuntimeSide || l.Holder.Function == "runtime.unlock" {
				t.Errorf("runtime lock %+v", l)
			}
		}
	}
	if internal != 36 {
		t.Errorf("runtime locks took %v s, want 36", internal)
	}
	if hasNotice(notices, "block-mutex-disagree") {
		t.Error("runtime locks were held against the mutex profile")
	}
}

func TestMutexAlone(t *testing.T) {
	ps := single(profileOf(t, unpark.KindMutex, made{"sync.(*Mutex).Unlock main.(*cache).get@12" + serve, 4, 10}))
	w := window(10)
	w.Profiles = []unpark.ProfileFile{{Kind: unpark.KindMutex, State: unpark.Present}, {Kind: unpark.KindBlock, State: unpark.Off}}
	ev, _, _ := Reduce(Input{Window: w, Profiles: ps})
	if len(ev.Locks) != 1 || ev.Locks[0].Delay != 4 || !ev.Locks[0].Waiter.IsZero() || ev.Locks[0].Holder.Line != 12 {
		t.Errorf("locks %+v", ev.Locks)
	}
	if c := ev.Coverage[unpark.KindBlock]; c.State != unpark.Off || c.Why == "" {
		t.Errorf("block coverage %+v", c)
	}
}

func TestHold(t *testing.T) {
	dump := profileOf(t, unpark.KindGoroutine,
		made{"runtime.gopark time.Sleep@9 main.load@80 main.(*cache).get@12" + serve, 1, 1},
		made{"runtime.gopark runtime.goparkunlock runtime.semacquire1 internal/sync.runtime_SemacquireMutex internal/sync.(*Mutex).lockSlow internal/sync.(*Mutex).Lock sync.(*Mutex).Lock main.(*cache).get@10" + serve, 4, 4},
		// After the unlock, before the lock: not in the hold.
		made{"runtime.gopark time.Sleep@9 main.reply@90 main.(*cache).get@21" + serve, 3, 3},
		made{"runtime.gopark time.Sleep@9 main.parse@90 main.(*cache).get@8" + serve, 3, 3},
	)
	idle := profileOf(t, unpark.KindGoroutine, made{"runtime.gopark runtime.selectgo main.tick@1", 1, 1})
	in := Input{
		Window: window(10),
		Profiles: single(
			profileOf(t, unpark.KindBlock, made{"sync.(*Mutex).Lock main.(*cache).get@10" + serve, 40, 100}),
			profileOf(t, unpark.KindMutex, made{"sync.(*Mutex).Unlock main.(*cache).get@15" + serve, 40, 100}),
			profileOf(t, unpark.KindCPU,
				made{"encoding/json.Marshal main.(*cache).get@13" + serve, 0.5, 50},
				made{"encoding/json.Unmarshal main.(*cache).get@22" + serve, 0.7, 70},
				made{"main.(*cache).get@14" + serve, 0.1, 10},
			)),
		Snapshots: append(repeat(6, dump), repeat(2, idle)...),
	}
	ev, _, _ := Reduce(in)
	l := find(ev.Locks, "main.(*cache).get")
	if l == nil {
		t.Fatalf("locks %+v", ev.Locks)
	}
	if !near(l.HolderCPU, 1.3, 1e-9) || !near(l.HeldCPU, 0.6, 1e-9) {
		t.Errorf("the holder's function took %v s of CPU, want 1.3, and %v under the lock, want 0.6", l.HolderCPU, l.HeldCPU)
	}
	if !near(l.Utilization.Or(0), 0.75, 1e-9) {
		t.Errorf("utilization %v, want 6 of 8 dumps", l.Utilization)
	}
	if len(l.Held) != 2 || l.Held[0].Site.Function != "main.load" || !near(l.Held[0].Value, 7.5, 1e-9) ||
		l.Held[1].Site.Function != "encoding/json.Marshal" || !near(l.Held[1].Value, 0.5, 1e-9) {
		t.Errorf("held %+v", l.Held)
	}

	in.Snapshots = in.Snapshots[:1]
	if l := find(first(Reduce(in)).Locks, "main.(*cache).get"); l.Utilization.Known() {
		t.Errorf("one dump in a closed loop gave utilization %v", l.Utilization)
	}
	in.Plan.Mode = unpark.Poisson
	// 4 waiters on average: ρ²/(1−ρ) = 4.
	if l := find(first(Reduce(in)).Locks, "main.(*cache).get"); !near(l.Utilization.Or(0), 0.8284, 1e-3) {
		t.Errorf("utilization %v of a queue of 4", l.Utilization)
	}
}

// A holder that never waits itself shows no line where it locks.
func TestHoldOfALoop(t *testing.T) {
	work := profileOf(t, unpark.KindGoroutine, made{"runtime.gopark time.Sleep@9 main.load@80 main.(*store).refresh@6", 1, 1})
	idle := profileOf(t, unpark.KindGoroutine, made{"runtime.gopark runtime.chanrecv runtime.chanrecv2 main.(*store).refresh@5", 1, 1})
	ev, _, _ := Reduce(Input{
		Window: window(10),
		Profiles: single(
			profileOf(t, unpark.KindBlock, made{"sync.(*RWMutex).RLock main.(*store).get@20" + serve, 10, 100}),
			profileOf(t, unpark.KindMutex, made{"sync.(*RWMutex).Unlock main.(*store).refresh@7", 10, 100}),
		),
		Snapshots: append(repeat(4, work), repeat(6, idle)...),
	})
	l := find(ev.Locks, "main.(*store).get")
	if l == nil || l.Holder.Function != "main.(*store).refresh" || len(l.Held) != 1 || l.Held[0].Site.Function != "main.load" ||
		!near(l.Utilization.Or(0), 0.4, 1e-9) {
		t.Errorf("lock %+v", l)
	}
}

func first(ev facts.Evidence, _ []unpark.Flame, _ []unpark.Notice) facts.Evidence { return ev }
