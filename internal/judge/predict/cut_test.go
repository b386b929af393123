package predict

import (
	"math"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestSpared: a recomputation of every request, and one that a cache leaves to the
// few that come together.
func TestSpared(t *testing.T) {
	f := unpark.Finding{Class: unpark.ClassRecompute, Site: unpark.Site{Function: "app.render"}, Cost: unpark.Cost{Cores: unpark.Measured(1, "cores", 1500)}}
	s := full2()
	if c := cutOf(s, f); c.cached || c.cpu.value != 0.5 || c.cpu.low < 0.45 || c.cpu.high > 0.55 {
		t.Errorf("every request: %+v, cached %v", c.cpu, c.cached)
	}
	s.Repeated = unpark.Num(0.96)
	if c := cutOf(s, f).cpu; math.Abs(c.value-0.48) > 1e-9 {
		t.Errorf("four in a hundred are new: %+v", c)
	}
	// The median request takes 20 µs, the mean computation 500 µs.
	s.m.Ev.Tracing = &unpark.Tracing{Requests: 5000, Wall: unpark.Latency{P50: 20e-6, N: 5000}}
	s.m.Ev.Goroutines = []facts.GoroutineGroup{
		{Side: unpark.RequestPath, Stack: []unpark.Site{{Function: "x"}, {Function: "app.render"}}, Series: []float64{0, 3, 0, 0, 4, 0, 3, 0}},
		{Side: unpark.RequestPath, Stack: []unpark.Site{{Function: "app.render"}}, Series: []float64{0, 1, 0, 0, 0, 0, 1, 0}},
		{Side: unpark.RequestPath, Stack: []unpark.Site{{Function: "app.other"}}, Series: []float64{9, 9, 9, 9, 9, 9, 9, 9}},
	}
	of := herd(s.m.Ev, "app.render", s.population)
	if of.low < 0.4 || of.low > 0.75 || of.value < 0.75 || of.value > 0.87 || of.high < of.value || of.high > 1-1/s.population {
		t.Errorf("a herd of four: %+v", of)
	}
	c := cutOf(s, f)
	if want := 0.5 * of.value; !c.cached || math.Abs(c.cpu.value-want) > 1e-9 || c.cpu.high >= 0.55 {
		t.Errorf("a herd: %+v, cached %v, want %v", c.cpu, c.cached, want)
	}
	if x := herd(s.m.Ev, "app.unseen", s.population); x.low != 0 || x.value != 1-1/math.Sqrt(s.population) || x.high != 1-1/s.population {
		t.Errorf("none seen: %+v", x)
	}
	s.m.Ev.Plan.Requests = []unpark.Request{{URL: "/a"}, {URL: "/b"}}
	if c := cutOf(s, f).cpu; c.high < 0.47 {
		t.Errorf("two kinds of requests: %+v", c)
	}
}

// TestSynced follows what waits for a disk, and leaves the sync where it is.
func TestSynced(t *testing.T) {
	at := func(f string) unpark.Site { return unpark.Site{Function: f} }
	sync := unpark.Held{Class: unpark.WaitSyscall, Site: at("log.flush"), Call: at("os.(*File).Sync"), Share: 0.9}
	chain := &unpark.Tracing{Edges: []unpark.Edge{
		{Class: unpark.WaitLock, Waiter: at("app.put"), Held: []unpark.Held{{Class: unpark.WaitGroup, Site: at("app.commit"), Share: 0.8}, {Class: unpark.Running, Share: 0.2}}},
		{Class: unpark.WaitGroup, Waiter: at("app.commit"), Held: []unpark.Held{sync}},
		{Class: unpark.WaitLock, Waiter: at("app.all"), Held: []unpark.Held{{Class: unpark.WaitGroup, Site: at("app.all"), Share: 0.9}}},
		{Class: unpark.WaitGroup, Waiter: at("app.all"), Held: []unpark.Held{sync}},
		{Class: unpark.WaitLock, Waiter: at("app.get"), Held: []unpark.Held{{Class: unpark.Running, Share: 1}}},
		{Class: unpark.WaitLock, Waiter: at("app.loop"), Held: []unpark.Held{{Class: unpark.WaitLock, Site: at("app.loop"), Share: 1}}},
		{Class: unpark.WaitLock, Waiter: at("app.busy"), Held: []unpark.Held{{Class: unpark.WaitScheduler, Share: 0.5}, {Class: unpark.WaitSelect, Site: at("app.two"), Share: 0.5}}},
		{Class: unpark.WaitSelect, Waiter: at("app.two"), Held: []unpark.Held{{Class: unpark.WaitGroup, Site: at("app.commit"), Share: 0.7}, {Class: unpark.Running, Share: 0.3}}},
		{Class: unpark.WaitLock, Waiter: at("app.starved"), Held: []unpark.Held{{Class: unpark.WaitScheduler, Share: 0.9}, {Class: unpark.WaitSyscall, Call: at("os.(*File).Sync"), Share: 0.1}}},
		{Class: unpark.WaitLock, Waiter: at("app.seldom"), Held: []unpark.Held{{Class: unpark.Running, Share: 0.9}, {Class: unpark.WaitSyscall, Call: at("os.(*File).Sync"), Share: 0.1}}},
		{Class: unpark.WaitLock, Waiter: at("app.save"), Held: []unpark.Held{{Class: unpark.WaitSyscall, Site: at("app.handle"), Call: at("db.(*DB).Update"), Share: 0.9}}},
	}}
	for i := range chain.Edges {
		chain.Edges[i].Delay = 1
	}
	s := full2(func(ev *facts.Evidence) { ev.Tracing = chain })
	for name, want := range map[string]bool{"app.put": true, "app.all": true, "app.get": false, "app.busy": true, "app.starved": false, "app.loop": false, "app.seldom": false, "app.none": false} {
		if got := endsInSync(s.m, unpark.ClassLock, name); got != want {
			t.Errorf("%s ends in a sync: %v", name, got)
		}
	}
	// What a library syncs is below the line that called it: that line's own waits say so.
	if endsInSync(s.m, unpark.ClassLock, "app.save") {
		t.Error("any system call of a library is a sync")
	}
	s.m.IO = []model.Wait{{Heaviest: facts.Wait{Waiter: at("app.handle"), Stack: []unpark.Site{at("syscall.Fdatasync"), at("db.(*DB).Update"), at("app.handle")}}}}
	if !endsInSync(s.m, unpark.ClassLock, "app.save") {
		t.Error("a library's sync is none")
	}
	commit := at("app.commit")
	wait := unpark.Measured(20e-3, "s/req", 1000)
	s.limit = unpark.LimitIO
	c := cutOf(s, unpark.Finding{Class: unpark.ClassIO, Site: commit, Waiter: &commit, Cost: unpark.Cost{WaitPerRequest: wait}})
	if !c.synced || c.wait.low != 0 || c.wait.high > 0.65*20e-3 {
		t.Errorf("a sync of every answer: %+v", c)
	}
	if c := cutOf(s, unpark.Finding{Class: unpark.ClassChannel, Site: commit, Waiter: &commit, Cost: unpark.Cost{WaitPerRequest: wait}}); !c.synced || c.queue || c.wait.high > 0.65*20e-3 {
		t.Errorf("a channel that tells of a sync: %+v", c)
	}
	s.m.Ev.Waits = []facts.Wait{{Class: unpark.WaitGroup, Side: unpark.RequestPath, Waiter: commit, Count: 10 * s.m.Requests}}
	s.m.Ev.CPU.Tree = facts.Tree{Total: 30, Roots: []*facts.Node{{Site: commit, Value: 15}}}
	if c := cutOf(s, unpark.Finding{Class: unpark.ClassIO, Site: commit, Waiter: &commit, Cost: unpark.Cost{WaitPerRequest: wait}}); c.wait.low <= 0 || math.Abs(c.wait.value-0.9*20e-3) > 1e-9 || math.Abs(c.sync.high-0.45) > 1e-9 {
		t.Errorf("ten syncs of each answer, of which one stays: %+v", c)
	}
	get := at("app.get")
	if c := cutOf(s, unpark.Finding{Class: unpark.ClassIO, Site: get, Waiter: &get, Cost: unpark.Cost{WaitPerRequest: wait}}); c.synced || c.wait.value != 20e-3 {
		t.Errorf("no sync: %+v", c)
	}
}

// TestFresh: an allocation that the kernel has to find pages for costs more than the
// allocator and the collector show; one that does not costs its way to memory.
func TestFresh(t *testing.T) {
	f := unpark.Finding{
		Class: unpark.ClassAlloc, Share: unpark.Num(0.9),
		Cost: unpark.Cost{Cores: unpark.Measured(0.8, "cores", 1000), BytesPerRequest: unpark.Measured(840e3, "B/req", 1000)},
	}
	s := full2() // 2000 req/s, 1 ms of CPU each, 15 s
	s.m.Ev.CPU.Shares.Syscall = unpark.Num(0.1)
	plain := cutOf(s, f).cpu
	s.m.Ev.Window.Processes = []unpark.Process{{Faults: unpark.Num(66 * 30_000), System: unpark.Num(0.8)}}
	faulting := cutOf(s, f).cpu
	if plain.value < 0.4 || plain.value > 0.55 || plain.low != faulting.low {
		t.Errorf("no faults: %+v", plain)
	}
	// 0.8 cores in the kernel less 0.2 in system calls, nine tenths of it: 0.27 ms a request.
	if d := faulting.value - plain.value; d < 0.03 || d > 0.15 {
		t.Errorf("faults add %v: %+v", d, faulting)
	}
	if faulting.high > 1 {
		t.Errorf("more than all: %+v", faulting)
	}
	f.Cost.BytesPerRequest = unpark.Measured(1e3, "B/req", 1000)
	if x := fresh(s, f); x.high > 0.01 {
		t.Errorf("a kilobyte a request causes no 66 faults: %+v", x)
	}
	f.Cost.BytesPerRequest = unpark.Quantity{}
	if x := fresh(s, f); x != (span{}) {
		t.Errorf("unknown bytes: %+v", x)
	}
}

// TestWritten: writes under a lock may be saved with it, and others not.
func TestWritten(t *testing.T) {
	s := full2() // 30 s of CPU sampled
	holder := unpark.Site{Function: "log.(*logger).flush", Line: 9}
	s.m.Ev.Signals = []facts.Signal{
		{ID: facts.SignalWrite, CPU: 12, Stack: []unpark.Site{{Function: "syscall.Write"}, {Function: "os.(*File).Write"}, holder}},
		{ID: facts.SignalWrite, CPU: 6, Stack: []unpark.Site{{Function: "syscall.Write"}, {Function: "net.(*conn).Write"}}},
		{ID: facts.SignalRead, CPU: 6, Stack: []unpark.Site{{Function: "syscall.Read"}, holder}},
	}
	f := unpark.Finding{Class: unpark.ClassLock, Waiter: &holder, Holder: &holder, Cost: unpark.Cost{WaitPerRequest: unpark.Measured(5e-3, "s/req", 1000)}}
	if c := cutOf(s, f).sync; c.low != 0 || math.Abs(c.value-0.2) > 1e-9 || math.Abs(c.high-0.9*0.4) > 1e-9 {
		t.Errorf("%+v, want up to nine tenths of 12 s of 30 s", c)
	}
}

// TestRepeats: several questions of a request can be one, and what the goroutine's switches take
// goes with the others; how often it asks only traces say, where dumps say how long.
func TestRepeats(t *testing.T) {
	s := full2() // 30 s of CPU sampled
	s.limit = unpark.LimitDownstream
	s.m.Ev.CPU.Shares.Scheduler = unpark.Num(0.2)
	ask := unpark.Site{Function: "app.ask"}
	s.m.Ev.CPU.Tree = facts.Tree{Total: 30, Roots: []*facts.Node{{Site: ask, Value: 9}}}
	wait := 0.5 * s.mean
	f := unpark.Finding{Class: unpark.ClassDownstream, Waiter: &ask, Cost: unpark.Cost{WaitPerRequest: unpark.Measured(wait, "s/req", 1000)}}
	waits := func(each float64) {
		s.m.Ev.Waits = []facts.Wait{{Class: unpark.WaitDownstream, Side: unpark.RequestPath, Waiter: ask, Delay: wait * s.m.Requests, Traced: each * s.m.Requests}}
	}
	waits(1)
	if c := cutOf(s, f); c.sync != (span{}) || c.wait.value != wait {
		t.Errorf("one question: %+v", c)
	}
	waits(9)
	c := cutOf(s, f)
	// Nine of ten waits of a request, and nine tenths of its CPU at the call with them.
	if all := (0.3 + 0.9*0.2) * 8 / 9; math.Abs(c.sync.high-all) > 1e-9 || c.sync.low != 0 || math.Abs(c.wait.value-wait*8/9) > 1e-9 {
		t.Errorf("nine questions: %+v, want up to %v", c, all)
	}
	if math.Abs(c.wait.low-wait/9) > 0.1*wait || c.wait.high < wait {
		t.Errorf("nine questions: %+v, want one less to none at all", c.wait)
	}
}

// TestGroupCommit: what is done under a lock for each sync is done once for all that wait.
func TestGroupCommit(t *testing.T) {
	s := full2() // 30 s of CPU sampled
	holder := unpark.Site{Function: "db.(*DB).Update", Line: 9}
	s.m.Ev.CPU.Tree = facts.Tree{Total: 30, Roots: []*facts.Node{{Site: holder, Value: 15}}}
	f := unpark.Finding{Class: unpark.ClassLock, Waiter: &holder, Holder: &holder, Cost: unpark.Cost{WaitPerRequest: unpark.Measured(5e-3, "s/req", 1000)}}
	if c := cutOf(s, f); c.synced || c.sync.high > 0.01 {
		t.Errorf("no sync: %+v", c)
	}
	f.Path = []unpark.Site{{Function: "syscall.Fdatasync"}, holder}
	f.Site = holder
	c := cutOf(s, f)
	if c.sync.high > 0.01 {
		t.Errorf("its own lock: %+v", c)
	}
	f.Site = unpark.Site{Function: "app.put"} // the lock is a library's
	c = cutOf(s, f)
	if all := 0.5 * (1 - 1/s.population); !c.synced || math.Abs(c.sync.high-all) > 1e-9 || math.Abs(c.sync.value-all/2) > 1e-9 || c.sync.low != 0 {
		t.Errorf("a sync: %+v, want up to %v", c.sync, all)
	}
}

// TestJoined: of two hundred writes an answer one stays, and the generator reads as
// seldom; of one write an answer nothing much goes.
func TestJoined(t *testing.T) {
	s := full2() // 1 ms of CPU a request
	s.generator = 0.5e-3
	f := unpark.Finding{Class: unpark.ClassSyscall, Cost: unpark.Cost{Cores: unpark.Measured(1.7, "cores", 1000)}}
	c := cutOf(s, f)
	if c.cpu.low < 0.3 || c.cpu.low > 0.5 || c.cpu.value < 0.8 || c.cpu.high < c.cpu.value || c.joined < 0.95 {
		t.Errorf("850 µs in calls: %+v", c)
	}
	if k := (change{s, c}).cpuLeft(10); k.generator.low > 30e-6 || k.generator.high != s.generator {
		t.Errorf("the generator: %+v", k.generator)
	}
	s.cpu, s.rate = 20e-6, 100_000
	s.generator = 10e-6
	c = cutOf(s, f)
	if c.cpu.low != 0 || c.cpu.value > 0.1 || c.cpu.high < 0.4 || c.joined != 0 {
		t.Errorf("17 µs in calls: %+v", c)
	}
}
