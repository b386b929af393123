package diagnose_test

import (
	"math"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// files is the evidence of loose profiles: of 20 s of CPU, of 10 s of blocking, and of
// allocations since a process started that nothing is known of.
func files() facts.Evidence {
	given := func(seconds unpark.Number, n int64) facts.KindCoverage {
		return facts.KindCoverage{State: unpark.Present, Files: 1, Offered: true, Seconds: seconds, Events: n}
	}
	row := func(name string, self, flat, cum float64) facts.CPUSite {
		return facts.CPUSite{Site: fn(name), Self: self, Flat: flat, Cum: cum, Side: unpark.RequestPath}
	}
	return facts.Evidence{
		Seconds: 20,
		Coverage: map[unpark.Kind]facts.KindCoverage{
			unpark.KindCPU: given(unpark.Num(20), 1000), unpark.KindBlock: given(unpark.Num(10), 400),
			unpark.KindAllocs: given(unpark.Number{}, 77), unpark.KindMutex: {State: unpark.Absent, Why: "was not captured"},
		},
		CPU: facts.CPU{
			Cores: unpark.Num(0.5), Service: unpark.Num(0.5), Sampled: unpark.Num(10),
			Sites:     []facts.CPUSite{row("app.serve", 0, 0, 9), row("app.sum", 6, 2, 6), row("app.log", 0.01, 0.01, 0.01)},
			Functions: []facts.CPUSite{row("runtime.memmove", 4, 4, 4), row("app.sum", 2, 2, 6), row("app.serve", 0, 0, 9)},
		},
		Waits: []facts.Wait{
			{Class: unpark.WaitChannel, Side: unpark.RequestPath, Waiter: fn("app.ask"), Delay: 30, Count: 300, Source: "block.pb.gz"},
			{Class: unpark.WaitSelect, Side: unpark.Background, Idle: true, Waiter: fn("app.loop"), Delay: 100, Count: 10, Source: "block.pb.gz"},
			{Class: unpark.WaitLock, Side: unpark.RequestPath, Waiter: fn("app.Get"), Delay: 10, Count: 100, Source: "block.pb.gz"},
			{Class: unpark.WaitNetwork, Side: unpark.RequestPath, Waiter: fn("app.send"), Delay: 50, Source: "goroutine"},
		},
		Locks:  []facts.Lock{{Side: unpark.RequestPath, Waiter: fn("app.Get"), Holder: fn("app.Put"), Delay: 10, Count: 100}, {Side: unpark.RuntimeSide, Holder: fn("runtime.x"), Delay: 99, Released: 99}},
		Allocs: []facts.AllocSite{{Site: fn("app.render"), Bytes: 3000, Objects: 30}, {Site: fn("app.read"), Bytes: 1000, Objects: 10}},
	}
}

// TestTables: each kind in its own unit, over its own interval.
func TestTables(t *testing.T) {
	type want struct {
		kind  unpark.Kind
		flat  bool
		unit  string
		total float64
		first string
		value float64
		rows  int
	}
	got := diagnose.Tables(model.New(files()))
	all := []want{
		{unpark.KindCPU, false, "cores", 0.5, "app.sum", 0.3, 2}, // one that only calls others counts, a thousandth does not
		{unpark.KindCPU, true, "cores", 0.5, "runtime.memmove", 0.2, 2},
		{unpark.KindBlock, false, "waiters", 3, "app.ask", 3, 1},
		{unpark.KindBlock, false, "waiters", 1, "app.Get", 1, 1},
		{unpark.KindAllocs, false, "B", 4000, "app.render", 3000, 2},
	}
	if len(got) != len(all) {
		t.Fatalf("%d tables: %+v", len(got), got)
	}
	for i, w := range all {
		g := got[i]
		if g.Kind != w.kind || g.Flat != w.flat || g.Unit != w.unit || math.Abs(g.Total.Or(0)-w.total) > 1e-9 || len(g.Rows) != w.rows ||
			g.Rows[0].Site.Function != w.first || math.Abs(g.Rows[0].Value-w.value) > 1e-9 || math.Abs(g.Rows[0].Share-w.value/w.total) > 1e-9 {
			t.Errorf("table %d: %+v, want %+v", i, g, w)
		}
	}
	if !strings.Contains(got[2].Note, "10 waiters more") || got[3].Rows[0].Holder == nil || got[0].Rows[1].Cum.Or(0) != 0.45 {
		t.Errorf("%+v", got)
	}
}

// TestUnsaid: what was not given is told with its price, and warned of by nothing; with
// load there is a verdict instead.
func TestUnsaid(t *testing.T) {
	ev := files()
	var codes []string
	for _, n := range diagnose.Unsaid(model.New(ev)) {
		codes = append(codes, n.Code)
		if n.Cure == "" {
			t.Errorf("%s has no cure", n.Code)
		}
	}
	if got := strings.Join(codes, " "); got != "no-load without-mutex without-goroutine" {
		t.Errorf("unsaid: %s", got)
	}
	for want, target := range map[string]unpark.Target{
		"unpark run --pid 4711 --url http://HOST:PORT/path":        {Attach: &unpark.Attach{PIDs: []int{4711}}},
		"unpark run --pid 1 --pid 2 --url http://HOST:PORT/path":   {Attach: &unpark.Attach{PIDs: []int{1, 2}}},
		"unpark run --pprof http://HOST:PORT --url http://HOST:PO": {Attach: &unpark.Attach{PIDs: []int{1}}, Pprof: []string{"http://127.0.0.1:6060"}},
	} {
		of := files()
		of.Target = target
		if n := diagnose.Unsaid(model.New(of))[0]; !strings.HasPrefix(n.Cure, want) {
			t.Errorf("%+v: %s, want %s", target, n.Cure, want)
		}
	}
	driven := files() // by a generator whose summary was not understood
	driven.Plan.Mode = unpark.External
	if n := diagnose.Unsaid(model.New(driven))[0]; !strings.HasPrefix(n.Cure, "unpark run --load-command") {
		t.Errorf("driven by another generator: %s", n.Cure)
	}
	_, _, notices := diagnose.Verdict(ev, nil)
	if len(notices) != 0 {
		t.Errorf("warnings %v", notices)
	}
	loaded := calm()
	if diagnose.Tables(model.New(loaded)) != nil || diagnose.Unsaid(model.New(loaded)) != nil {
		t.Error("a run with load is told in tables")
	}
	ev.Coverage[unpark.KindMutex] = facts.KindCoverage{State: unpark.Off, Offered: true} // as a capture has it
	if _, _, notices := diagnose.Verdict(ev, nil); len(notices) != 1 || notices[0].Code != "kind-mutex" {
		t.Errorf("warnings %v", notices)
	}
}

// TestSinceStart: waits that count since the process started have no rate, whatever
// another profile lasted. They are told in all.
func TestSinceStart(t *testing.T) {
	for _, c := range []struct {
		seconds unpark.Number
		want    int
		unit    string
		total   float64
	}{{unpark.Num(10), 1, "waiters", 1}, {unpark.Number{}, 0, "s", 10}} {
		ev := files()
		block := ev.Coverage[unpark.KindBlock]
		block.Seconds = c.seconds
		ev.Coverage[unpark.KindBlock] = block
		ev.Waits = ev.Waits[2:3]
		limit, findings, _ := diagnose.Verdict(ev, nil)
		b, ok := diagnose.Blocking(model.New(ev))
		if n := len(of(unpark.ClassLock, findings)); n != c.want || c.want == 0 && limit.Kind != unpark.LimitUnknown || ok != (c.want > 0) {
			t.Errorf("over %v s: %d findings, limit %s, blocking %+v", c.seconds, n, limit.Kind, b)
		}
		if got := diagnose.Tables(model.New(ev))[2]; got.Unit != c.unit || got.Total.Or(0) != c.total || got.Events != 100 {
			t.Errorf("over %v s: %+v", c.seconds, got)
		}
	}
}

// TestTraceHasTheWaits: without a block profile the execution trace tells them, and the
// reader is not sent to fetch one.
func TestTraceHasTheWaits(t *testing.T) {
	ev := files()
	delete(ev.Coverage, unpark.KindBlock)
	ev.Coverage[unpark.KindTrace] = facts.KindCoverage{State: unpark.Present, Files: 1, Offered: true}
	ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: 500}
	for i := range ev.Waits[:3] {
		ev.Waits[i].Source = "trace.out"
	}
	tables := diagnose.Tables(model.New(ev))
	if len(tables) != 5 || tables[2].Kind != unpark.KindTrace || tables[2].Total.Or(0) != 1.5 || tables[3].Kind != unpark.KindTrace || tables[3].Total.Or(0) != 0.5 {
		t.Errorf("%+v", tables)
	}
	for _, n := range diagnose.Unsaid(model.New(ev)) {
		if n.Code == "without-block" || n.Code == "without-mutex" {
			t.Errorf("%+v", n)
		}
	}
}

// TestProcessBeforeProfile: where the system counted, its cores are those of the table.
func TestProcessBeforeProfile(t *testing.T) {
	ev := files()
	ev.Window.Processes = []unpark.Process{{PID: 1, Cores: unpark.Num(0.8)}}
	ev.CPU.Cores, ev.CPU.Service = unpark.Num(0.8), unpark.Num(0.7)
	if got := diagnose.Tables(model.New(ev))[0]; math.Abs(got.Total.Or(0)-0.7) > 1e-9 || math.Abs(got.Rows[0].Value-0.42) > 1e-9 {
		t.Errorf("%+v", got)
	}
}
