package evidence

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

func TestCPU(t *testing.T) {
	cpu := profileOf(t, unpark.KindCPU,
		made{"runtime.memmove encoding/json.Marshal main.encode@50 main.handle@20" + serve, 3, 300},
		made{"main.encode@51 main.handle@20" + serve, 1, 100},
		made{"runtime.heapBitsSetType runtime.mallocgc runtime.newobject main.encode@52 main.handle@20" + serve, 1, 100},
		made{"runtime.scanobject runtime.gcDrainN runtime.gcAssistAlloc1 runtime.gcAssistAlloc runtime.mallocgc main.encode@52 main.handle@20" + serve, 0.5, 50},
		made{"runtime.lock2 runtime.lockWithRank runtime.semrelease1 internal/sync.(*Mutex).unlockSlow sync.(*Mutex).Unlock main.handle@22" + serve, 0.5, 50},
		made{"internal/runtime/syscall.Syscall6 syscall.RawSyscall6 syscall.Syscall syscall.write syscall.Write internal/poll.(*FD).Write net.(*netFD).Write net.(*conn).Write net/http.checkConnErrorWriter.Write bufio.(*Writer).Flush net/http.(*conn).serve", 1, 100},
		made{"runtime.scanobject runtime.gcDrain runtime.gcBgMarkWorker.func2 runtime.systemstack runtime.gcBgMarkWorker", 1.5, 150},
		made{"internal/runtime/syscall.Syscall6 internal/runtime/syscall.EpollWait runtime.netpoll runtime.findRunnable runtime.schedule runtime.park_m runtime.mcall", 1, 100},
		made{"runtime.futex runtime.futexsleep runtime.notesleep runtime.stopm runtime.findRunnable runtime.schedule", 0.5, 50},
		made{"compress/flate.(*compressor).deflate compress/gzip.(*Writer).Write runtime/pprof.(*Profile).WriteTo net/http/pprof.handler.ServeHTTP" + serve, 2, 200},
	)
	w := window(10)
	w.Processes = []unpark.Process{
		{PID: 1, Cores: unpark.Num(0.7), GOMAXPROCS: unpark.Num(1), Throttled: unpark.Num(50), Periods: unpark.Num(95), StoppedPeriods: unpark.Num(19)},
		{PID: 2, Cores: unpark.Num(0.5), GOMAXPROCS: unpark.Num(1)},
	}
	w.Load = &unpark.Load{Requests: 1000}
	in := Input{Host: unpark.Host{CPUs: 4}, Target: unpark.Target{Quota: unpark.Num(1.5)}, Window: w, Profiles: single(cpu)}
	ev, flames, _ := Reduce(in)
	c := ev.CPU
	for _, x := range []struct {
		name string
		got  unpark.Number
		want float64
	}{
		{"sampled", c.Sampled, 10},
		{"observer", c.Observer, 2},
		{"request path", c.RequestPath, 7},
		{"cores", c.Cores, 1.2},
		{"service", c.Service, 1},
		{"parallel", c.Parallel, 2},
		{"allowed", c.Allowed, 1.5},
		{"throttled", c.Throttled, 0.2},
		{"gc", c.Shares.GC, 0.2},
		{"malloc", c.Shares.Malloc, 0.1},
		{"lock", c.Shares.Lock, 0.05},
		{"syscall", c.Shares.Syscall, 0.1},
		{"scheduler", c.Shares.Scheduler, 0.15},
		{"app", c.Shares.App, 0.4},
		{"dominant", c.DominantCPU, 5.5},
		{"requests", ev.Requests, 1000},
	} {
		if !x.got.Known() || !near(x.got.Or(0), x.want, 1e-6) {
			t.Errorf("%s is %v, want %v", x.name, x.got, x.want)
		}
	}
	if ev.GC.CPUShare.Known() {
		t.Errorf("the runtime's own account of collection is %v without its metrics", ev.GC.CPUShare)
	}
	if c.Dominant.Function != "main.encode" || c.Dominant.Line != 50 {
		t.Errorf("dominant %v", c.Dominant)
	}
	if !near(ev.Window.Observer.CPU, 2, 1e-9) || in.Window.Observer.CPU != 0 {
		t.Errorf("observer %v, the input's %v", ev.Window.Observer, in.Window.Observer)
	}
	if len(c.Sites) != 2 || c.Sites[0].Site.Function != "main.handle" || !near(c.Sites[0].Cum, 6, 1e-9) || !near(c.Sites[0].Self, 0.5, 1e-9) {
		t.Fatalf("sites %+v", c.Sites)
	}
	e := c.Sites[1]
	if e.Site.Line != 50 || !near(e.Self, 5.5, 1e-9) || !near(e.Flat, 1, 1e-9) || e.Callees[0].Site.Function != "encoding/json.Marshal" || e.Callees[0].Value != 3 {
		t.Errorf("encode %+v", e)
	}
	if len(flames) != 1 || flames[0].Total != 12 {
		t.Errorf("%d flames", len(flames))
	}
}

func TestDominantNeedsAShare(t *testing.T) {
	even := profileOf(t, unpark.KindCPU,
		made{"main.a@1 main.handle@9" + serve, 5, 500}, made{"main.b@1 main.handle@9" + serve, 5, 500})
	ev, _, _ := Reduce(Input{Window: window(10), Profiles: single(even)})
	if ev.CPU.Dominant.Function != "main.handle" {
		t.Errorf("dominant %v, want the frame above the fork", ev.CPU.Dominant)
	}
	flat := profileOf(t, unpark.KindCPU, made{"main.a@1" + serve, 5, 500}, made{"main.b@1" + serve, 5, 500})
	if ev, _, _ := Reduce(Input{Window: window(10), Profiles: single(flat)}); !ev.CPU.Dominant.IsZero() || ev.CPU.DominantCPU.Known() {
		t.Errorf("dominant %v of a flat profile", ev.CPU.Dominant)
	}
	thin := profileOf(t, unpark.KindCPU, made{"main.a@1" + serve, 0.1, 10})
	ev, _, notices := Reduce(Input{Window: window(10), Profiles: single(thin)})
	if !ev.CPU.Dominant.IsZero() || !hasNotice(notices, "few-cpu-samples") {
		t.Errorf("ten samples gave %v", ev.CPU.Dominant)
	}
}

func TestNothingIsUnknown(t *testing.T) {
	ev, flames, notices := Reduce(Input{})
	if ev.CPU.Sampled.Known() || ev.CPU.Cores.Known() || ev.GC.CPUShare.Known() || ev.Requests.Known() || ev.CPU.Shares.App.Known() {
		t.Errorf("cpu %+v gc %+v", ev.CPU, ev.GC)
	}
	if len(flames) != 0 || hasNotice(notices, "few-goroutine-dumps") || !hasNotice(notices, "no-interval") {
		t.Errorf("notices %v", notices)
	}
	dump := single(profileOf(t, unpark.KindGoroutine, made{"main.a" + serve, 1, 1}))
	if _, _, notices := Reduce(Input{Profiles: dump}); !hasNotice(notices, "few-goroutine-dumps") || hasNotice(notices, "no-interval") {
		t.Errorf("notices of one dump %v", notices)
	}
	for kind, c := range ev.Coverage {
		if c.State != unpark.Absent || c.Why == "" {
			t.Errorf("%s: %+v", kind, c)
		}
	}
}

func TestGC(t *testing.T) {
	w := window(10)
	w.Processes = []unpark.Process{
		{Endpoint: "a", Cores: unpark.Num(1), GOMAXPROCS: unpark.Num(2), Metrics: unpark.Metrics{GCCPU: unpark.Num(2), GCCycles: unpark.Num(5), AllocBytes: unpark.Num(100), HeapLive: unpark.Num(7)}},
		{Endpoint: "b", Cores: unpark.Num(1), GOMAXPROCS: unpark.Num(2), Metrics: unpark.Metrics{GCCPU: unpark.Num(3), GCCycles: unpark.Num(6), AllocBytes: unpark.Num(200)}},
	}
	in := Input{Host: unpark.Host{CPUs: 4}, Window: w, Profiles: single(
		profileOf(t, unpark.KindCPU, made{"runtime.scanobject runtime.gcDrain runtime.gcBgMarkWorker", 1, 100}, made{"main.a" + serve, 9, 900}),
		profileOf(t, unpark.KindAllocs, made{"main.a" + serve, 999, 9}),
	)}
	gc := first(Reduce(in)).GC
	if !near(gc.CPUShare.Or(0), 0.25, 1e-9) || gc.Cycles.Or(0) != 11 || gc.AllocBytes.Or(0) != 300 || gc.HeapLive.Known() || gc.HeapGoal.Known() {
		t.Errorf("gc %+v", gc)
	}
	// What one of them does not say is not known of all, but a shell that started them
	// says nothing of itself and changes nothing.
	in.Window.Processes[1].Metrics.HeapLive = unpark.Num(8)
	in.Window.Processes = append(in.Window.Processes, unpark.Process{Cores: unpark.Num(0.001)})
	if ev := first(Reduce(in)); ev.GC.HeapLive.Or(0) != 15 || ev.CPU.Parallel.Or(0) != 4 || !near(ev.CPU.Cores.Or(0), 2.001, 1e-9) {
		t.Errorf("gc %+v, cpu %+v", ev.GC, ev.CPU)
	}
	in.Window.Processes[2] = unpark.Process{Cores: unpark.Num(0.5)}
	if ev := first(Reduce(in)); ev.GC.HeapLive.Known() || ev.CPU.Parallel.Known() || ev.GC.CPUShare.Known() || !near(ev.CPU.Cores.Or(0), 2.5, 1e-9) {
		t.Errorf("with a process that is busy and says nothing: gc %+v, cpu %+v", ev.GC, ev.CPU)
	}
	in.Window.Processes[2] = unpark.Process{}
	if ev := first(Reduce(in)); !near(ev.CPU.Cores.Or(0), 1, 1e-9) { // what the profile has in its place
		t.Errorf("with a process of unknown CPU: %+v", ev.CPU)
	}
	in.Window.Processes = in.Window.Processes[:2]
	// Four Ps on two cores: the runtime's estimate counts Ps without processor. The
	// profile's figure is not the runtime's.
	in.Target.Quota = unpark.Num(2)
	if ev := first(Reduce(in)); ev.GC.CPUShare.Known() || !near(ev.CPU.Shares.GC.Or(0), 0.1, 1e-9) {
		t.Errorf("own account %v, profile %v", ev.GC.CPUShare, ev.CPU.Shares.GC)
	}
	// So does one that others fill, and does not where the processes themselves do.
	in.Target.Quota, in.Window.Load = unpark.Number{}, &unpark.Load{GeneratorCPU: unpark.Num(0.1)}
	for _, tt := range []struct {
		busy  float64
		known bool
	}{{3.9, false}, {2.2, true}} {
		in.Window.Machine = unpark.Machine{CPUs: 4, Busy: unpark.Num(tt.busy)}
		if ev := first(Reduce(in)); ev.GC.CPUShare.Known() != tt.known {
			t.Errorf("%v of 4 cores are busy: own account %v", tt.busy, ev.GC.CPUShare)
		}
	}
	in.Window.Machine = unpark.Machine{CPUs: 2, Busy: unpark.Num(1.95)} // full, of these
	in.Window.Processes[0].GOMAXPROCS = unpark.Num(0)
	if ev := first(Reduce(in)); !ev.GC.CPUShare.Known() {
		t.Error("the processes fill the machine themselves: no account")
	}
	in.Window.Load, in.Window.Machine = nil, unpark.Machine{}
	in.Window.Processes = nil
	if gc := first(Reduce(in)).GC; gc.AllocBytes.Or(0) != 999 || gc.AllocCount.Or(0) != 9 {
		t.Errorf("gc without probe %+v", gc)
	}
}

func TestSignals(t *testing.T) {
	ev, _, _ := Reduce(Input{Window: window(10), Profiles: single(profileOf(t, unpark.KindCPU,
		made{"reflect.Value.Field encoding/json.(*encodeState).marshal encoding/json.Marshal main.encode@5" + serve, 2, 200},
		made{"encoding/json.(*decodeState).object encoding/json.Unmarshal main.decode@5" + serve, 1, 100},
		made{"crypto/sha256.block crypto/tls.(*finishedHash).Sum crypto/tls.(*Conn).serverHandshake crypto/tls.(*Conn).HandshakeContext net/http.(*conn).serve", 1, 100},
		made{"internal/runtime/syscall.Syscall6 syscall.RawSyscall6 syscall.Syscall syscall.write syscall.Write internal/poll.(*FD).Write net.(*netFD).Write net.(*conn).Write net/http.checkConnErrorWriter.Write bufio.(*Writer).Flush net/http.(*conn).serve", 3, 300},
		made{"regexp/syntax.Parse regexp.compile regexp.MustCompile main.match@8" + serve, 1, 100},
		made{"html/template.(*escaper).escapeTree html/template.escapeTemplate html/template.(*Template).lookupAndEscapeTemplate html/template.(*Template).ExecuteTemplate main.render@9" + serve, 2, 200},
		// A question to a resolver has a socket of its own, also one that the application opens for it; a client's connection is opened.
		made{"net.(*sysDialer).dialUDP net.(*Dialer).DialContext net.(*Resolver).exchange net.(*Resolver).LookupHost main.ask@4" + serve, 4, 400},
		made{"net.(*sysDialer).dialUDP net.(*Dialer).DialContext main.dial@4 net.(*Resolver).exchange net.(*Resolver).LookupHost main.ask@4" + serve, 4, 400},
		made{"net.(*Dialer).DialContext net.(*Resolver).exchange net.(*Dialer).DialContext main.connect@4" + serve, 1, 100},
		made{"compress/gzip.(*Writer).Write net/http/pprof.handler.ServeHTTP" + serve, 5, 500},
	))})
	type row struct {
		id         facts.SignalID
		site, leaf string
	}
	const loop = "net/http.(*conn).serve"
	got := map[row]float64{}
	for _, s := range ev.Signals {
		got[row{s.ID, s.Site.Function, s.Leaf.Function}] = s.CPU
	}
	want := map[row]float64{
		{facts.SignalEncode, "main.encode", "encoding/json.Marshal"}:                             2,
		{facts.SignalReflect, "main.encode", "reflect.Value.Field"}:                              2,
		{facts.SignalHandshake, "net/http.(*conn).serve", "crypto/tls.(*Conn).HandshakeContext"}: 1,
		{facts.SignalWrite, "net/http.checkConnErrorWriter.Write", "syscall.Write"}:              3,
		{facts.SignalRegexp, "main.match", "regexp.MustCompile"}:                                 1,
		{facts.SignalFirstUse, "main.render", "html/template.escapeTemplate"}:                    2,
		{facts.SignalEncode, "main.render", "html/template.(*Template).ExecuteTemplate"}:         2,
		{facts.SignalDial, "main.connect", "net.(*Dialer).DialContext"}:                          1,
		{facts.SignalSend, "net/http.checkConnErrorWriter.Write", "syscall.Write"}:               3,
		{facts.SignalServing, loop, loop}:                                                        3, // neither what handlers do, nor handshakes
	}
	for k, v := range want {
		if !near(got[k], v, 1e-9) {
			t.Errorf("%v is %v, want %v", k, got[k], v)
		}
		delete(got, k)
	}
	if len(got) > 0 {
		t.Errorf("also %v", got)
	}
}

// TestOwnModules: what the target names as its own counts like its main module.
func TestOwnModules(t *testing.T) {
	cpu := profileOf(t, unpark.KindCPU, made{"github.com/other/kit.Sum@5 example.com/shop.price@20" + serve, 1, 100})
	for _, c := range []struct {
		own  []string
		want string
	}{{nil, "example.com/shop.price"}, {[]string{"github.com/other/kit"}, "github.com/other/kit.Sum"}} {
		ev, _, _ := Reduce(Input{Target: unpark.Target{Module: "example.com/shop", Own: c.own}, Window: window(10), Profiles: single(cpu)})
		for _, s := range ev.CPU.Sites {
			if s.Self > 0 != (s.Site.Function == c.want) {
				t.Errorf("own %v: %s has %v s itself", c.own, s.Site.Function, s.Self)
			}
		}
	}
}

// The kernel's seconds are summed over processors: eight that stand still for 1.5 s of a
// window of 10 s are 12 s, and no 100 % of it.
func TestThrottled(t *testing.T) {
	n := unpark.Num
	tests := []struct {
		name string
		p    unpark.Process
		host int
		want unpark.Number
	}{
		{"periods", unpark.Process{Throttled: n(12), Periods: n(100), StoppedPeriods: n(15)}, 8, n(0.15)},
		{"never", unpark.Process{Throttled: n(0), Periods: n(100), StoppedPeriods: n(0)}, 8, n(0)},
		{"a single burst", unpark.Process{Throttled: n(1), Periods: n(2), StoppedPeriods: n(2)}, 8, unpark.Number{}},
		{"an older document", unpark.Process{Throttled: n(12)}, 8, n(0.15)},
		{"an older document, of an unknown machine", unpark.Process{Throttled: n(12)}, 0, unpark.Number{}},
		{"no limit", unpark.Process{}, 8, unpark.Number{}},
	}
	for _, tt := range tests {
		w := window(10)
		w.Processes = []unpark.Process{{PID: 1}, tt.p}
		ev, _, _ := Reduce(Input{Host: unpark.Host{CPUs: tt.host}, Window: w})
		if got := ev.CPU.Throttled; got.Known() != tt.want.Known() || !near(got.Or(0), tt.want.Or(0), 1e-9) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
