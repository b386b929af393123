package evidence

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

const (
	dumpRecv  = "runtime.gopark runtime.chanrecv runtime.chanrecv1 "
	dumpSleep = "runtime.gopark time.Sleep "
	dumpRead  = "runtime.gopark runtime.netpollblock internal/poll.runtime_pollWait internal/poll.(*pollDesc).wait internal/poll.(*FD).Read net.(*netFD).Read net.(*conn).Read "
)

func waitsBy(ev facts.Evidence) map[string]facts.Wait {
	out := map[string]facts.Wait{}
	for _, w := range ev.Waits {
		out[w.Waiter.Function+" "+string(w.Class)] = w
	}
	return out
}

func TestWaitsAreCountedOnce(t *testing.T) {
	block := profileOf(t, unpark.KindBlock,
		made{"runtime.chanrecv1 main.handle@5" + serve, 20, 200},
		made{"runtime.chanrecv2 main.worker@7", 80, 80},
		made{"runtime.selectgo net/http/pprof.handler.serveDeltaProfile" + serve, 10, 1},
		made{"runtime.selectgo net/http.(*persistConn).roundTrip main.fetch@3" + serve, 5, 50},
	)
	dump := profileOf(t, unpark.KindGoroutine,
		made{dumpRecv + "main.handle@5" + serve, 2, 2},                           // seen by the block profile
		made{dumpRecv + "main.stuck@9" + serve, 3, 3},                            // never ends
		made{dumpSleep + "main.backoff@4" + serve, 1, 1},                         // not recorded
		made{dumpRead + "example.com/shop/raw.Ask@8 main.fetch@3" + serve, 1, 1}, // not recorded
		made{dumpRead + "net/http.(*connReader).backgroundRead", 11, 11},         // one for each of these
		made{dumpRead + "bufio.(*Reader).Peek net/http.(*conn).serve", 50, 50},
		made{"main.busy@1" + serve, 4, 4}, // runs
	)
	ev, _, _ := Reduce(Input{
		Target: unpark.Target{Module: "example.com/shop"},
		Window: window(10), Profiles: single(block), Snapshots: repeat(5, dump),
	})
	got := waitsBy(ev)
	for _, c := range []struct {
		key    string
		delay  float64
		source string
		side   unpark.Side
		idle   bool
	}{
		{"main.handle channel", 20, "block.pb.gz", unpark.RequestPath, false},
		{"main.stuck channel", 30, "goroutine", unpark.RequestPath, false},
		{"main.backoff sleep", 10, "goroutine", unpark.RequestPath, false},
		{"example.com/shop/raw.Ask downstream", 10, "goroutine", unpark.RequestPath, false},
		{"main.fetch downstream", 5, "block.pb.gz", unpark.RequestPath, false},
		{"main.worker channel", 80, "block.pb.gz", unpark.Background, true},
		{"net/http.(*conn).serve network", 500, "goroutine", unpark.Background, true},
		{"net/http.(*connReader).backgroundRead network", 110, "goroutine", unpark.Background, true},
	} {
		w, ok := got[c.key]
		if !ok || !near(w.Delay, c.delay, 1e-6) || w.Source != c.source || w.Side != c.side || w.Idle != c.idle {
			t.Errorf("%s: %+v, want %v s from %s", c.key, w, c.delay, c.source)
		}
		delete(got, c.key)
	}
	if len(got) > 0 {
		t.Errorf("also %v", got)
	}
	if ev.Window.Observer.Wait != 10 {
		t.Errorf("observer waited %v s", ev.Window.Observer.Wait)
	}
}

func TestWaitsWithoutBlockProfile(t *testing.T) {
	dump := profileOf(t, unpark.KindGoroutine, made{dumpRecv + "main.handle@5" + serve, 2, 2})
	w := window(10)
	w.Profiles = []unpark.ProfileFile{{Kind: unpark.KindBlock, State: unpark.Off}}
	ev, _, _ := Reduce(Input{Window: w, Snapshots: repeat(4, dump)})
	if got := waitsBy(ev)["main.handle channel"]; got.Delay != 20 || got.Source != "goroutine" || got.Samples != 4 {
		t.Errorf("waits %+v", ev.Waits)
	}
}

func TestGoroutineGroups(t *testing.T) {
	at := func(n float64) []*profile.Profile {
		return []*profile.Profile{
			profileOf(t, unpark.KindGoroutine, made{dumpRecv + "main.leak@5 main.start.func1@2", n, n}),
			profileOf(t, unpark.KindGoroutine, made{dumpRecv + "main.leak@5 main.start.func1@2", 1, 1}),
		}
	}
	ev, _, _ := Reduce(Input{Window: window(10), Snapshots: [][]*profile.Profile{at(10), at(20), {nil}, at(30)}})
	if len(ev.Goroutines) != 1 {
		t.Fatalf("groups %+v", ev.Goroutines)
	}
	g := ev.Goroutines[0]
	if g.First != 11 || g.Last != 31 || g.Mean != 21 || g.Snapshots != 3 || g.Created.Function != "main.start.func1" || g.Site.Function != "main.leak" {
		t.Errorf("group %+v", g)
	}
}

func TestAllocations(t *testing.T) {
	ev, _, _ := Reduce(Input{Window: window(10), Profiles: single(
		profileOf(t, unpark.KindAllocs,
			made{"encoding/json.Marshal main.encode@5" + serve, 3000, 30},
			made{"strings.Repeat main.encode@5" + serve, 1000, 10},
			made{"main.encode@6" + serve, 500, 5},
			made{"compress/flate.NewWriter runtime/pprof.(*Profile).WriteTo", 9000, 1},
		),
		profileOf(t, unpark.KindHeap, made{"main.fill@8 main.main runtime.main", 700, 7}),
	)})
	if len(ev.Allocs) != 2 || ev.Allocs[0].Bytes != 4000 || ev.Allocs[0].Objects != 40 || len(ev.Allocs[0].Callees) != 2 ||
		ev.Allocs[0].Callees[0].Site.Function != "encoding/json.Marshal" || ev.Allocs[1].Site.Line != 6 {
		t.Errorf("allocations %+v", ev.Allocs)
	}
	if len(ev.Retained) != 1 || ev.Retained[0].Bytes != 700 || ev.GC.HeapLive.Or(0) != 700 {
		t.Errorf("retained %+v", ev.Retained)
	}
}

func TestCoverageAndLostProfiles(t *testing.T) {
	w := window(10)
	w.Profiles = []unpark.ProfileFile{
		{Kind: unpark.KindCPU, PID: 1, State: unpark.Present},
		{Kind: unpark.KindCPU, PID: 2, State: unpark.Bad, Note: "truncated after 7 bytes"},
		{Kind: unpark.KindBlock, PID: 1, State: unpark.Off},
		{Kind: unpark.KindMutex, PID: 1, State: unpark.Present},
		{Kind: unpark.KindTrace, PID: 1, State: unpark.Present},
	}
	ev, _, notices := Reduce(Input{
		Window: w, Lost: map[unpark.Kind]int{unpark.KindCPU: 1},
		Profiles: map[unpark.Kind][]*profile.Profile{
			unpark.KindCPU:   {profileOf(t, unpark.KindCPU, made{"main.a" + serve, 1, 100}), nil},
			unpark.KindMutex: {nil},
		},
	})
	for kind, want := range map[unpark.Kind]facts.KindCoverage{
		unpark.KindCPU:    {State: unpark.Present, Why: "truncated after 7 bytes", Files: 1, Lost: 1, Seconds: unpark.Num(10), Events: 100, Offered: true},
		unpark.KindBlock:  {State: unpark.Off, Why: "its sampling rate is 0", Offered: true},
		unpark.KindMutex:  {State: unpark.Bad, Why: "no process's profile could be read", Offered: true},
		unpark.KindTrace:  {State: unpark.Present, Files: 1, Offered: true},
		unpark.KindAllocs: {State: unpark.Absent, Why: "was not captured"},
	} {
		if ev.Coverage[kind] != want {
			t.Errorf("%s: %+v, want %+v", kind, ev.Coverage[kind], want)
		}
	}
	if !hasNotice(notices, "profiles-lost") {
		t.Errorf("notices %v", notices)
	}
}

func TestDisagreementIsSaid(t *testing.T) {
	in := Input{Window: window(10), Profiles: single(
		profileOf(t, unpark.KindBlock, made{"sync.(*Mutex).Lock main.get@1" + serve, 10, 10}),
		profileOf(t, unpark.KindMutex, made{"sync.(*Mutex).Unlock main.get@2" + serve, 2, 10}),
	)}
	if _, _, n := Reduce(in); !hasNotice(n, "block-mutex-disagree") {
		t.Errorf("notices %v", n)
	}
	in.Profiles = single(
		profileOf(t, unpark.KindBlock, made{"sync.(*Mutex).Lock main.get@1" + serve, 10, 10}),
		profileOf(t, unpark.KindMutex, made{"sync.(*Mutex).Unlock main.get@2" + serve, 9, 10}),
	)
	if _, _, n := Reduce(in); hasNotice(n, "block-mutex-disagree") {
		t.Errorf("notices %v", n)
	}
}

// TestSystemCallsThatCompute: what the kernel computes in a system call is CPU, and what is left of
// the time in it is waiting.
func TestSystemCallsThatCompute(t *testing.T) {
	const read = "internal/runtime/syscall.Syscall6 syscall.Syscall syscall.read syscall.Read os.(*File).Read "
	const sync = "syscall.Syscall syscall.Fsync os.(*File).Sync "
	dump := profileOf(t, unpark.KindGoroutine,
		made{read + "main.load@6" + serve, 4, 4},
		made{read + "main.spin@7" + serve, 2, 2},
		made{sync + "main.commit@8" + serve, 2, 2},
	)
	cpu := profileOf(t, unpark.KindCPU, made{read + "main.load@6" + serve, 30, 3000}, made{read + "main.spin@7" + serve, 20, 2000})
	ev, _, _ := Reduce(Input{Target: unpark.Target{Module: "example.com/shop"}, Window: window(10), Profiles: single(cpu), Snapshots: repeat(5, dump)})
	got := waitsBy(ev)
	if w := got["main.load syscall"]; !near(w.Delay, 10, 1e-6) {
		t.Errorf("half computed: %+v", w)
	}
	if w, ok := got["main.spin syscall"]; ok {
		t.Errorf("all computed: %+v", w)
	}
	if w := got["main.commit syscall"]; !near(w.Delay, 20, 1e-6) {
		t.Errorf("none computed: %+v", w)
	}
}
