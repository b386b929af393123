package predict

import (
	"math"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// full2 is a scene of two cores that are busy all the time with requests of 1 ms, but
// for some changes.
func full2(changes ...func(*facts.Evidence)) scene {
	site := unpark.Site{Function: "app.render"}
	l := unpark.Latency{P50: 20e-3, P99: 60e-3, Mean: 25e-3, Min: 1e-3, N: 30_000}
	ev := facts.Evidence{
		Host: unpark.Host{CPUs: 2}, Target: unpark.Target{CPUs: []int{0, 1}}, Seconds: 15, Requests: unpark.Num(30_000),
		Window: unpark.Window{Level: unpark.Level{Connections: 50}, Load: &unpark.Load{
			Mode: unpark.Closed, AchievedRPS: 2000, OfferedRPS: 2000, Requests: 30_000, Response: l, Service: l, BytesPerResponse: unpark.Num(3000),
		}},
		CPU:     facts.CPU{Cores: unpark.Num(2), Allowed: unpark.Num(2), Sampled: unpark.Num(30), RequestPath: unpark.Num(29)},
		Signals: []facts.Signal{{ID: facts.SignalWrite, Site: site, CPU: 0.9}, {ID: facts.SignalRead, Site: site, CPU: 0.3}},
	}
	for _, change := range changes {
		change(&ev)
	}
	s, why := observe(model.New(ev), unpark.Limit{Kind: unpark.LimitCPU})
	if why != "" {
		panic(why)
	}
	return s
}

func cpuCut(f float64) cut { return cut{cpu: span{f, f, f}, under: -1, binds: true} }

// TestKept: what stays is at most the remainder of the shares, at least what its
// socket calls take when they are warm, and gets cheaper with what is removed.
func TestKept(t *testing.T) {
	s := full2()
	last := 1.0
	for _, f := range []float64{0, 0.1, 0.5, 0.9, 0.99, 1} {
		k := s.kept(cpuCut(f), 1/max(1-f, 1e-3)).target
		left := 1e-3 * (1 - f)
		if k.high > max(left, 10e-6)+1e-12 || k.low > k.value || k.value > k.high {
			t.Errorf("f = %v: kept %+v of %v", f, k, left)
		}
		if rel := k.low / max(left, 10e-6); left > 20e-6 && rel > last+1e-9 {
			t.Errorf("f = %v: the cheapest is %.3f of the remainder, more than at a smaller f (%.3f)", f, rel, last)
		} else {
			last = rel
		}
		// 1.2 s of socket calls in 30,000 requests are 40 µs each, 10 µs when warm.
		if k.low < 10e-6-1e-12 {
			t.Errorf("f = %v: %v is less than the socket calls take", f, k.low)
		}
	}
	// At the same rate as before nothing gets warmer.
	if k := s.kept(cpuCut(0.5), 1).target; math.Abs(k.low-0.5e-3) > 1e-9 || math.Abs(k.high-0.5e-3) > 1e-9 {
		t.Errorf("the rate stays, and what stays costs %+v", k)
	}
}

// TestKeptOfAnIdleProcess: what a process costs by the second is not what a request
// costs, and goes down when there are more of them.
func TestKeptOfAnIdleProcess(t *testing.T) {
	s := full2()
	s.rate, s.cpu = 20, 400e-6
	s.m.Requests = 300
	s.m.Ev.CPU = facts.CPU{Cores: unpark.Num(0.008), Sampled: unpark.Num(0.1), RequestPath: unpark.Num(0)}
	s.m.Ev.Signals = nil
	k := s.kept(cut{under: -1}, 500).target
	if k.high != 400e-6 || k.low > 50e-6 || k.low < wireCost || k.value < k.low || k.value > k.high {
		t.Errorf("%+v", k)
	}
}

// TestSpared: a recomputation of every request, and one that a cache leaves to the
// few who come together.
func TestSpared(t *testing.T) {
	f := unpark.Finding{Class: unpark.ClassRecompute, Site: unpark.Site{Function: "app.render"}, Cost: unpark.Cost{Cores: unpark.Measured(1, "cores", 1500)}}
	s := full2()
	if c, cached := (cuts{s}).cpuSpan(f); cached || c.value != 0.5 || c.low < 0.45 || c.high > 0.55 {
		t.Errorf("every request: %+v, cached %v", c, cached)
	}
	s.load.Repeated = unpark.Num(0.96)
	if c, _ := (cuts{s}).cpuSpan(f); math.Abs(c.value-0.48) > 1e-9 {
		t.Errorf("four in a hundred are new: %+v", c)
	}
	// The median request takes 20 µs, the mean making 500 µs.
	s.m.Ev.Tracing = &unpark.Tracing{Requests: 5000, Wall: unpark.Latency{P50: 20e-6, N: 5000}}
	s.m.Ev.Goroutines = []facts.GoroutineGroup{
		{Side: unpark.RequestPath, Stack: []unpark.Site{{Function: "x"}, {Function: "app.render"}}, Series: []float64{0, 3, 0, 0, 4, 0, 3, 0}},
		{Side: unpark.RequestPath, Stack: []unpark.Site{{Function: "app.render"}}, Series: []float64{0, 1, 0, 0, 0, 0, 1, 0}},
		{Side: unpark.RequestPath, Stack: []unpark.Site{{Function: "app.other"}}, Series: []float64{9, 9, 9, 9, 9, 9, 9, 9}},
	}
	herd := cuts{s}.herd("app.render")
	if herd.low < 0.4 || herd.low > 0.75 || herd.value < 0.75 || herd.value > 0.87 || herd.high < herd.value || herd.high > 1-1/s.population {
		t.Errorf("a herd of four: %+v", herd)
	}
	c, cached := cuts{s}.cpuSpan(f)
	if want := 0.5 * herd.value; !cached || math.Abs(c.value-want) > 1e-9 || c.high >= 0.55 {
		t.Errorf("a herd: %+v, cached %v, want %v", c, cached, want)
	}
	if x := (cuts{s}).herd("app.nobody"); x.low != 0 || x.value != 1-1/math.Sqrt(s.population) || x.high != 1-1/s.population {
		t.Errorf("nobody seen: %+v", x)
	}
	s.m.Ev.Plan.Requests = []unpark.Request{{URL: "/a"}, {URL: "/b"}}
	if c, _ := (cuts{s}).cpuSpan(f); c.high < 0.47 {
		t.Errorf("two kinds of requests: %+v", c)
	}
}

// TestSynced follows who waits for a disk, and leaves the sync where it is.
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
	}}
	for i := range chain.Edges {
		chain.Edges[i].Delay = 1
	}
	s := full2(func(ev *facts.Evidence) { ev.Tracing = chain })
	for name, want := range map[string]bool{"app.put": true, "app.all": true, "app.get": false, "app.busy": true, "app.starved": false, "app.loop": false, "app.seldom": false, "app.none": false} {
		if got := (cuts{s}).endsInSync(unpark.ClassLock, name); got != want {
			t.Errorf("%s ends in a sync: %v", name, got)
		}
	}
	commit := at("app.commit")
	wait := unpark.Measured(20e-3, "s/req", 1000)
	s.limit.Kind = unpark.LimitIO
	c := cuts{s}.cutOf(unpark.Finding{Class: unpark.ClassIO, Site: commit, Waiter: &commit, Cost: unpark.Cost{WaitPerRequest: wait}})
	if !c.synced || c.wait.low != 0 || c.wait.high > 0.65*20e-3 {
		t.Errorf("a sync of every answer: %+v", c)
	}
	if c := (cuts{s}).cutOf(unpark.Finding{Class: unpark.ClassChannel, Site: commit, Waiter: &commit, Cost: unpark.Cost{WaitPerRequest: wait}}); !c.synced || c.queue || c.wait.high > 0.65*20e-3 {
		t.Errorf("a channel that tells of a sync: %+v", c)
	}
	get := at("app.get")
	if c := (cuts{s}).cutOf(unpark.Finding{Class: unpark.ClassIO, Site: get, Waiter: &get, Cost: unpark.Cost{WaitPerRequest: wait}}); c.synced || c.wait.value != 20e-3 {
		t.Errorf("no sync: %+v", c)
	}
}

// TestMisfit: a model that other levels bear out widens nothing, and one that they
// do not widens by what it misses, the more the further the forecast goes.
func TestMisfit(t *testing.T) {
	s := full2()
	n := closedLoop{s}.model(cut{under: -1})
	s.m.Ev.Doses = []facts.Dose{{Level: unpark.Level{Connections: 25}, RPS: closedLoop{s}.at(n, 0.5)}}
	if x := (closedLoop{s}).refit(span{1.5, 2, 2.5}); math.Abs(x.low-1.5) > 1e-6 || math.Abs(x.high-2.5) > 1e-6 {
		t.Errorf("a model that fits: %+v", x)
	}
	s.m.Ev.Doses = append(s.m.Ev.Doses, facts.Dose{Level: unpark.Level{Connections: 10}, RPS: closedLoop{s}.at(n, 0.2) / 1.3})
	near, far := closedLoop{s}.refit(span{1, 1.05, 1.1}), closedLoop{s}.refit(span{3, 4, 5})
	if near.high/1.1 >= far.high/5 || far.high <= 5 || far.low >= 3 || far.high > 5*math.Pow(1.3, 1.5) {
		t.Errorf("a model that misses: %+v %+v", near, far)
	}
	if text := strings.Join((closedLoop{s}).fitted(), ""); !strings.Contains(text, "fitted at 50 connections") || !strings.Contains(text, "for 10 where") {
		t.Errorf("%q", text)
	}
	s.open = true
	if _, ok := (closedLoop{s}).misfit(); ok {
		t.Error("a sweep over rates was held against the model")
	}
}

// TestSmallerFixes: half of a lock, shards and readers are told as data, in order,
// and no fix that leaves a part buys more than the removal.
func TestSmallerFixes(t *testing.T) {
	for seed := uint64(1); seed < 12; seed++ {
		open := seed%2 == 0
		d := draw(seed, unpark.ClassLock, open)
		ev, limit, f := d.evidence(d.p.run())
		p := Predict(model.New(ev), limit, f)
		if len(p.Alternatives) == 0 {
			if limit.Kind == unpark.LimitLock {
				t.Errorf("seed %d: the lock is the limit, and nothing short of its removal is told", seed)
			}
			continue
		}
		for i, fix := range []unpark.Fix{unpark.FixHalved, unpark.FixSharded, unpark.FixRWMutex} {
			a := p.Alternatives[i]
			if a.Fix != fix || !a.Throughput.Known() || !a.P50.Known() || !a.P99.Known() {
				t.Fatalf("seed %d: %+v, want %s", seed, a, fix)
			}
			if a.Throughput.Value.Or(0) > p.Throughput.Value.Or(0) || a.P99.Value.Or(0) < p.P99.Value.Or(0) || a.P50.High.Or(0) < p.P50.High.Or(0) {
				t.Errorf("seed %d: %s buys more than the removal: %+v and %+v", seed, fix, a, p)
			}
		}
	}
	ev, _ := cpuEvidence()
	p := Predict(model.New(ev), unpark.Limit{Kind: unpark.LimitCPU}, unpark.Finding{Class: unpark.ClassCPU, Site: unpark.Site{Function: "app.render"}, Cost: unpark.Cost{Cores: unpark.Measured(1, "cores", 1500)}})
	if len(p.Alternatives) != 1 || p.Alternatives[0].Fix != unpark.FixHalved || !about(p.Alternatives[0].Throughput, 1.36, 0.06) {
		t.Errorf("half of the CPU: %+v", p.Alternatives)
	}
	// Half of 1 ms a request, and up to a quarter of the rest as it gets cheaper.
	if v, unit := p.CPUSaved.Value.Or(0), p.CPUSaved.Unit; v < 0.5e-3 || v > 0.65e-3 || unit != "s/req" || p.CPUSaved.Low.Or(1) > v || p.CPUSaved.High.Or(0) < v {
		t.Errorf("CPU saved: %+v", p.CPUSaved)
	}
	if text := strings.Join(p.Assumptions, "; "); !strings.Contains(text, "of CPU (") {
		t.Errorf("%s", text)
	}
	wait := unpark.Finding{Class: unpark.ClassDownstream, Site: unpark.Site{Function: "app.call"}, Cost: unpark.Cost{WaitPerRequest: unpark.Measured(5e-3, "s/req", 1500)}}
	if p := Predict(model.New(ev), unpark.Limit{Kind: unpark.LimitCPU}, wait); p.CPUSaved.Known() {
		t.Errorf("a wait saves %+v of CPU", p.CPUSaved)
	}
}

func about(q unpark.Quantity, want, by float64) bool { return math.Abs(q.Value.Or(0)-want) <= by }

func cpuEvidence() (facts.Evidence, scene) { s := full2(); return s.m.Ev, s }

// TestNextLimitOfAJoin: a wait that is told as what is behind it is one wait, also where
// the evidence counts it as a join: taken away it is no next limit, and of a sync that
// stays the disk is.
func TestNextLimitOfAJoin(t *testing.T) {
	commit := unpark.Site{Function: "app.commit"}
	join := func(edges ...unpark.Edge) scene {
		return full2(func(ev *facts.Evidence) {
			ev.CPU.Cores, ev.Tracing = unpark.Num(0.5), &unpark.Tracing{Edges: edges}
			ev.Waits = []facts.Wait{{Class: unpark.WaitSelect, Side: unpark.RequestPath, Waiter: commit, Delay: 20e-3 * 30_000, Count: 30_000}}
		})
	}
	s := join()
	s.limit.Kind = unpark.LimitDownstream
	f := unpark.Finding{Class: unpark.ClassDownstream, Site: commit, Waiter: &commit, Cost: unpark.Cost{WaitPerRequest: unpark.Measured(20e-3, "s/req", 30_000)}}
	if got := s.largestWait((cuts{s}).cutOf(f), 5e-3); got != "" {
		t.Errorf("after the wait for another service: %q", got)
	}
	s = join(unpark.Edge{
		Class: unpark.WaitSelect, Waiter: commit, Delay: 1,
		Held: []unpark.Held{{Class: unpark.WaitSyscall, Call: unpark.Site{Function: "os.(*File).Sync"}, Share: 0.9}},
	})
	s.limit.Kind, f.Class = unpark.LimitIO, unpark.ClassIO
	if got := s.largestWait((cuts{s}).cutOf(f), 20e-3); got != unpark.LimitIO {
		t.Errorf("after a sync that is shared: %q", got)
	}
}

// TestMisfitOfMany: a level that the model cannot compute is not held against it.
func TestMisfitOfMany(t *testing.T) {
	s := full2()
	s.m.Ev.Doses = []facts.Dose{{Level: unpark.Level{Connections: 50 * maxPopulation}, RPS: 1}}
	if m, ok := (closedLoop{s}).misfit(); ok {
		t.Errorf("%+v", m)
	}
}
