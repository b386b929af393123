package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestLockFloors: absolute units first. In ten seconds 10000 requests take 100 s.
func TestLockFloors(t *testing.T) {
	cases := []struct {
		name    string
		delay   float64
		reports bool
		binds   bool
	}{
		{"nothing to speak of: 0.01 % and 0.001 waiters", 0.01, false, false},
		{"a thousandth of the time, and hardly a waiter", 0.09, false, false},
		{"0.05 waiters, although it is all of the blocking", 0.5, true, false},
		{"0.3 % of the time, all of the blocking", 0.3, true, false},
		{"half of the time", 55, true, true},
	}
	for _, c := range cases {
		ev := calm()
		ev.Locks = []facts.Lock{contended(c.delay, 0.1)}
		limit, findings, _ := diagnose.Verdict(ev, nil)
		if got := len(of(unpark.ClassLock, findings)) == 1; got != c.reports {
			t.Errorf("%s: reported %v", c.name, got)
		}
		if got := limit.Kind == unpark.LimitLock; got != c.binds {
			t.Errorf("%s: limit %s", c.name, limit.Kind)
		}
	}
}

func TestLockConfidence(t *testing.T) {
	group := func(mean float64) facts.GoroutineGroup {
		return facts.GoroutineGroup{
			Class: unpark.WaitLock, Side: unpark.RequestPath, Site: fn("app.(*Cache).Get"), Mean: mean, Snapshots: 16,
			Stack: stack("sync.(*Mutex).Lock", "app.(*Cache).Get"),
		}
	}
	cases := []struct {
		name     string
		released float64
		groups   []facts.GoroutineGroup
		count    float64
		want     unpark.Confidence
	}{
		{"block and mutex agree", 60, nil, 5000, unpark.High},
		{"they contradict each other", 10, nil, 5000, unpark.Low},
		{"they do, and snapshots side with block", 10, []facts.GoroutineGroup{group(6)}, 5000, unpark.Medium},
		{"block alone", 0, nil, 5000, unpark.Medium},
		{"block and snapshots", 0, []facts.GoroutineGroup{group(6)}, 5000, unpark.High},
		{"five events", 60, nil, 5, unpark.Low},
	}
	for _, c := range cases {
		ev := calm()
		l := contended(60, 0.9)
		l.Released, l.Count, l.Agreement = c.released, c.count, unpark.Number{}
		ev.Locks, ev.Goroutines = []facts.Lock{l}, c.groups
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassLock, findings)
		if len(f) != 1 || f[0].Confidence != c.want {
			t.Errorf("%s: %+v, want confidence %s", c.name, f, c.want)
		}
	}
}

// TestLockInsideLibrary: the lock of a shared random source is told by its own
// name, at the application's line, and the first remedy is not to share it.
func TestLockInsideLibrary(t *testing.T) {
	ev := calm()
	source := "github.com/some/faker.(*lockedSource).Int63"
	l := contended(0.4, 0.02)
	l.Waiter, l.Holder = fn(source), fn(source)
	l.WaiterAll = stack("sync.(*Mutex).Lock", source, "math/rand.(*Rand).Int31n", "app.pick", "net/http.(*conn).serve")
	l.HolderAll = l.WaiterAll
	ev.Locks = []facts.Lock{l}
	ev.Waits = append(ev.Waits, waits(unpark.WaitLock, 0.4, 800, "block.pb.gz", "sync.(*Mutex).Lock", source, "app.pick", "net/http.(*conn).serve"))
	_, findings, _ := diagnose.Verdict(ev, nil)
	f := of(unpark.ClassLock, findings)
	if len(f) != 1 {
		t.Fatalf("findings %+v", findings)
	}
	if f[0].Site.Function != "app.pick" || !strings.Contains(f[0].Title, "faker.(*lockedSource).Int63") {
		t.Errorf("site %s, title %s", f[0].Site, f[0].Title)
	}
	if !strings.HasPrefix(f[0].Remedies[0].Title, "Do not share it") {
		t.Errorf("first remedy: %s", f[0].Remedies[0].Title)
	}
}

// TestOneRWMutex: readers and writers that wait for one holder are one lock.
func TestOneRWMutex(t *testing.T) {
	ev := calm()
	read, write := contended(40, 0.9), contended(20, 0.9)
	read.Type, write.Type = "sync.RWMutex (read)", "sync.RWMutex (write)"
	read.Waiter, write.Waiter = fn("app.(*T).read"), fn("app.(*T).write")
	read.WaiterAll, write.WaiterAll = stack("sync.(*RWMutex).RLock", "app.(*T).read"), stack("sync.(*RWMutex).Lock", "app.(*T).write")
	read.Holder, write.Holder = fn("app.(*T).write"), fn("app.(*T).write")
	ev.Locks = []facts.Lock{read, write}
	_, findings, _ := diagnose.Verdict(ev, nil)
	f := of(unpark.ClassLock, findings)
	if len(f) != 1 || f[0].Waiter.Function != "app.(*T).read" || f[0].Cost.MeanWaiters.Value.Or(0) != 6 {
		t.Fatalf("findings %+v", f)
	}
	told := func(f unpark.Finding, words string) bool {
		return slices.ContainsFunc(f.Remedies, func(r unpark.Remedy) bool { return strings.Contains(r.Title, words) })
	}
	if told(f[0], "Use sync.RWMutex") {
		t.Error("it is one already")
	}
	// A third of the waiting is at the write side: no snapshot for readers helps.
	if !told(f[0], "Do not look to the RWMutex") || told(f[0], "Copy on write") {
		t.Errorf("writes are a third of the waiting: %+v", f[0].Remedies)
	}
	ev.Locks[0].Delay, ev.Locks[1].Delay = 55, 5
	_, findings, _ = diagnose.Verdict(ev, nil)
	if f := of(unpark.ClassLock, findings); len(f) != 1 || told(f[0], "Do not look to") || !told(f[0], "Copy on write") {
		t.Errorf("writes are a twelfth of the waiting: %+v", f)
	}
}

// TestJoins: a join is a cause only when the joined goroutines do not explain it.
func TestJoins(t *testing.T) {
	join := waits(unpark.WaitGroup, 70, 10000, "block.pb.gz", "sync.(*WaitGroup).Wait", "app.fan", "net/http.(*conn).serve")
	below := waits(unpark.WaitDownstream, 65, 20000, "block.pb.gz", "runtime.selectgo", "net/http.(*persistConn).roundTrip", "app.part", "app.fan.func1")
	literal := waits(unpark.WaitGroup, 70, 10000, "block.pb.gz", "sync.(*WaitGroup).Wait", "app.fan.func2", "net/http.(*conn).serve")
	sibling := waits(unpark.WaitChannel, 65, 20000, "block.pb.gz", "runtime.chanrecv1", "app.load", "app.fan.func1")
	another := waits(unpark.WaitChannel, 65, 20000, "block.pb.gz", "runtime.chanrecv1", "app.load", "app.other.func1")
	for _, c := range []struct {
		name     string
		waits    []facts.Wait
		channels int
		limit    unpark.LimitKind
	}{
		{"alone", []facts.Wait{join}, 1, unpark.LimitChannel},
		{"the members wait downstream", []facts.Wait{join, below}, 0, unpark.LimitDownstream},
		{"a literal joins what another one of its function does", []facts.Wait{literal, sibling}, 1, unpark.LimitChannel},
		{"a literal joins what another function does", []facts.Wait{literal, another}, 2, unpark.LimitChannel},
	} {
		ev := calm()
		ev.Waits = c.waits
		limit, findings, _ := diagnose.Verdict(ev, nil)
		if got := of(unpark.ClassChannel, findings); len(got) != c.channels || limit.Kind != c.limit {
			t.Errorf("%s: limit %s, channel findings %+v", c.name, limit.Kind, got)
		}
	}
	ev := calm()
	ev.Waits = []facts.Wait{join}
	ev.CPU.Cores, ev.CPU.Allowed, ev.CPU.Parallel = unpark.Num(8), unpark.Num(16), unpark.Num(16)
	ev.Window.Machine.CPUs = 16
	if _, findings, _ := diagnose.Verdict(ev, nil); len(of(unpark.ClassChannel, findings)) != 0 {
		t.Error("the members compute for as long: the join is no cause")
	}
}

// TestDatabasePool: the remedy is that of the pool which is waited for.
func TestDatabasePool(t *testing.T) {
	ev := calm()
	ev.Waits = []facts.Wait{waits(unpark.WaitPool, 60, 9000, "block.pb.gz", "runtime.selectgo", "database/sql.(*DB).conn", "database/sql.(*DB).QueryContext", "app.find", "net/http.(*conn).serve")}
	limit, findings, _ := diagnose.Verdict(ev, nil)
	f := of(unpark.ClassPool, findings)
	if limit.Kind != unpark.LimitPool || len(f) != 1 || f[0].Site.Function != "app.find" {
		t.Fatalf("%s: %+v", limit.Kind, findings)
	}
	text := ""
	for _, r := range f[0].Remedies {
		text += r.Title
	}
	if !strings.Contains(text, "SetMaxOpenConns") {
		t.Errorf("remedies: %s", text)
	}
}

// TestFewProcs: GOMAXPROCS below the allowed cores is a quota that one set oneself.
func TestFewProcs(t *testing.T) {
	ev := calm()
	ev.CPU.Parallel, ev.CPU.Cores = unpark.Num(1), unpark.Num(0.97)
	limit, findings, _ := diagnose.Verdict(ev, nil)
	if limit.Kind != unpark.LimitCPU || !strings.Contains(limit.Why, "GOMAXPROCS is 1") {
		t.Errorf("%s: %s", limit.Kind, limit.Why)
	}
	if f := of(unpark.ClassQuota, findings); len(f) != 1 || !strings.Contains(f[0].Title, "leaves 2 of 3") {
		t.Errorf("findings %+v", f)
	}
}

// TestOverloadIsNoLeak: requests that queue because more is offered than can be
// answered are not goroutines that were forgotten.
func TestOverloadIsNoLeak(t *testing.T) {
	ev := calm()
	ev.Window.Load.OfferedRPS = 1200
	ev.Goroutines = []facts.GoroutineGroup{{
		Class: unpark.WaitLock, Side: unpark.RequestPath, Site: fn("app.handle"), Series: []float64{100, 300, 500, 700, 900}, Snapshots: 5,
	}}
	if _, findings, _ := diagnose.Verdict(ev, nil); len(of(unpark.ClassLeak, findings)) != 0 {
		t.Errorf("findings %+v", findings)
	}
}

// TestLockFromDumps: with the block profile off, goroutine dumps tell the lock,
// with less confidence and their own source.
func TestLockFromDumps(t *testing.T) {
	ev := calm()
	ev.Coverage[unpark.KindBlock] = facts.KindCoverage{State: unpark.Off}
	ev.Coverage[unpark.KindMutex] = facts.KindCoverage{State: unpark.Off}
	l := contended(60, 0)
	l.Holder, l.HolderAll, l.Released, l.Count = unpark.Site{}, nil, 0, 0
	l.Agreement, l.Utilization = unpark.Number{}, unpark.Number{}
	ev.Locks = []facts.Lock{l}
	ev.Goroutines = []facts.GoroutineGroup{{
		Class: unpark.WaitLock, Side: unpark.RequestPath, Site: l.Waiter, Mean: 6, Snapshots: 16,
		Stack: stack("sync.(*Mutex).Lock", "app.(*Cache).Get"),
	}}
	limit, findings, notices := diagnose.Verdict(ev, nil)
	f := of(unpark.ClassLock, findings)
	if limit.Kind != unpark.LimitLock || len(f) != 1 {
		t.Fatalf("limit %s, findings %+v", limit.Kind, findings)
	}
	if f[0].Confidence == unpark.High || f[0].Holder != nil {
		t.Errorf("confidence %s, holder %v: dumps alone show one end", f[0].Confidence, f[0].Holder)
	}
	if low, _ := f[0].Cost.MeanWaiters.Low.Get(); low <= 0 {
		t.Errorf("96 sightings give %v", f[0].Cost.MeanWaiters)
	}
	if !slices.ContainsFunc(notices, func(n unpark.Notice) bool { return strings.Contains(n.Message, "only goroutine dumps tell") }) {
		t.Errorf("notices %+v", notices)
	}
}

// TestRecomputeTakesTheWhole: keeping an answer saves all of the function that makes
// it, encoding or not, but not the calls that send it.
func TestRecomputeTakesTheWhole(t *testing.T) {
	stack := []unpark.Site{fn("encoding/json.Marshal"), fn("app.page"), fn("net/http.(*conn).serve")}
	ev := calm()
	ev.CPU = facts.CPU{
		Cores: unpark.Num(2.9), Allowed: unpark.Num(3), Sampled: unpark.Num(29), RequestPath: unpark.Num(28),
		Sites: []facts.CPUSite{{Site: fn("app.page"), Self: 24, Cum: 24, Side: unpark.RequestPath}},
	}
	ev.Window.Load.Repeated, ev.Window.Load.BytesPerResponse = unpark.Num(1), unpark.Num(5000)
	ev.Signals = []facts.Signal{
		{ID: facts.SignalEncode, Site: fn("app.page"), Leaf: stack[0], CPU: 12, Stack: stack},
		{ID: facts.SignalWrite, Site: fn("app.page"), Leaf: fn("syscall.Write"), CPU: 4, Stack: append([]unpark.Site{fn("syscall.Write")}, stack[1:]...)},
		{ID: facts.SignalWrite, Site: fn("app.other"), Leaf: fn("syscall.Write"), CPU: 3, Stack: []unpark.Site{fn("syscall.Write"), fn("app.other")}},
	}
	_, findings, _ := diagnose.Verdict(ev, nil)
	f := of(unpark.ClassRecompute, findings)
	if len(f) != 1 {
		t.Fatalf("findings %+v", findings)
	}
	if share := f[0].Share.Or(0); share < 0.68 || share > 0.70 {
		t.Errorf("share %v, want (24−4) ÷ 29", share)
	}
	// Room for bytes that are there already, and copying them, is not making them.
	ev.CPU.Tree = facts.Tree{Total: 29, Roots: []*facts.Node{{Site: fn("app.page"), App: true, Value: 24, Malloc: 8, Moved: 7}}}
	if _, findings, _ := diagnose.Verdict(ev, nil); len(of(unpark.ClassRecompute, findings)) != 0 {
		t.Errorf("it only copies: %+v", findings)
	}
}

// TestRecomputeOfKeptAnswers: where most requests find their answer ready, computing is
// told only when more is made than the changes ask for. Half of three cores encodes, at
// 5 ms each: 300 a second.
func TestRecomputeOfKeptAnswers(t *testing.T) {
	get := unpark.Request{URL: "/page", Weight: 1000}
	posts := func(weight float64) []unpark.Request {
		return []unpark.Request{get, {Method: "POST", URL: "/page", Weight: weight}}
	}
	varied := posts(10)
	varied[0].Target = path("/page")
	cases := []struct {
		name     string
		requests []unpark.Request
		typical  float64 // s
		running  float64 // s, of one that is heavy
		repeated float64
		want     bool
	}{
		{"every request makes its own", posts(10), 0.5e-3, 5e-3, 1, true},
		{"one for each change", posts(10), 20e-6, 5e-3, 1, false},
		{"three for each change", posts(3), 20e-6, 5e-3, 1, true},
		{"no request runs longer than the others", posts(10), 20e-6, 0, 1, true},
		{"a change makes two answers old", append(posts(8), unpark.Request{URL: "/list", Weight: 1000}), 20e-6, 5e-3, 1, false},
		{"answers without end", varied, 20e-6, 5e-3, 1, false},
		{"no change, and the same again", []unpark.Request{get, {URL: "/list"}}, 20e-6, 5e-3, 1, true},
		{"one question alone", []unpark.Request{get}, 20e-6, 5e-3, 1, false},
		{"no change by requests, and new answers", []unpark.Request{get}, 20e-6, 5e-3, 0.98, false},
	}
	for _, c := range cases {
		marshal := stack("encoding/json.Marshal", "app.page", "net/http.(*conn).serve")
		ev := calm()
		ev.CPU = facts.CPU{
			Cores: unpark.Num(2.9), Allowed: unpark.Num(3), Sampled: unpark.Num(29), RequestPath: unpark.Num(28),
			Sites: []facts.CPUSite{{Site: fn("app.page"), Self: 15, Cum: 15, Side: unpark.RequestPath}},
		}
		ev.Signals = []facts.Signal{{ID: facts.SignalEncode, Site: fn("app.page"), Leaf: marshal[0], CPU: 15, Stack: marshal}}
		ev.Plan.Requests = c.requests
		// 30,000 requests a second at 97 µs of CPU each.
		ev.Requests = unpark.Num(300_000)
		l := ev.Window.Load
		l.AchievedRPS, l.OfferedRPS, l.Requests = 30_000, 30_000, 300_000
		l.Repeated, l.BytesPerResponse = unpark.Num(c.repeated), unpark.Num(5000)
		ev.Tracing = &unpark.Tracing{
			Requests: 30_000, Wall: unpark.Latency{P50: c.typical, N: 30_000},
		}
		if c.running > 0 {
			ev.Tracing.Heavy = unpark.Heavy{N: 300, Running: c.running, Share: unpark.Num(0.6)}
		}
		_, findings, _ := diagnose.Verdict(ev, nil)
		if got := len(of(unpark.ClassRecompute, findings)) == 1; got != c.want {
			t.Errorf("%s: reported %v", c.name, got)
		}
	}
}

// path is a template that is always the same.
type path string

func (p path) Append(dst []byte, _ uint64, _ int64) []byte { return append(dst, p...) }
