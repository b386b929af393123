package compare_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
)

// arm is a run with one window at a rate, a p99 and findings.
func arm(rate, p99, cores float64, findings ...unpark.Finding) unpark.Run {
	l := unpark.Latency{P50: p99 / 3, P99: p99, Mean: p99 / 2, N: 1000}
	return unpark.Run{
		Plan: unpark.Plan{Mode: unpark.Constant, RateRPS: 450},
		Windows: []unpark.Window{{
			Load: &unpark.Load{AchievedRPS: rate, Requests: 1000, Response: l},
			Processes: []unpark.Process{
				{Cores: unpark.Num(cores / 2), Metrics: unpark.Metrics{AllocBytes: unpark.Num(1e6)}},
				{Cores: unpark.Num(cores / 2), Metrics: unpark.Metrics{AllocBytes: unpark.Num(1e6)}},
			},
			Profiles: []unpark.ProfileFile{{Kind: unpark.KindBlock, State: unpark.Present}},
		}},
		Findings: findings,
	}
}

func finding(rule, function string, line int, wait float64) unpark.Finding {
	return unpark.Finding{
		Rule: rule, Class: unpark.Class(rule), Site: unpark.Site{Function: function, File: "a.go", Line: line},
		Cost: unpark.Cost{MeanWaiters: unpark.Measured(wait*450, "waiters", 100), WaitPerRequest: unpark.Measured(wait, "s/req", 100)},
	}
}

func codes(ns []unpark.Notice) []string {
	var out []string
	for _, n := range ns {
		out = append(out, n.Code)
	}
	return out
}

func TestEffects(t *testing.T) {
	c := compare.Runs(arm(450, 0.090, 1, finding("lock", "a.Get", 10, 0.08)), arm(452, 0.009, 0.7))
	got := map[string]unpark.Effect{}
	for _, e := range c.Effects {
		got[e.Metric] = e
	}
	for _, want := range []struct {
		metric, verdict string
		ratio           float64
	}{
		{"throughput", "same", 452.0 / 450},
		{"p50", "better", 0.1},
		{"p99", "better", 0.1},
		{"cpu_per_request", "better", 0.7 * 450 / 452},
		{"bytes_per_request", "same", 1},
		{"wait_per_request", "better", 0},
		{"mean_waiters", "better", 0},
	} {
		e, ok := got[want.metric]
		if !ok || e.Verdict != want.verdict || e.Ratio.Value.Or(-1) < want.ratio-1e-9 || e.Ratio.Value.Or(-1) > want.ratio+1e-9 {
			t.Errorf("%s: %+v, want %s at %v", want.metric, e, want.verdict, want.ratio)
		}
		if e.Ratio.Low.Known() {
			t.Errorf("%s: one round has no interval", want.metric)
		}
	}
	if c.Schema != unpark.SchemaAB || c.Rounds != 1 || !slices.Contains(codes(c.Warnings), "one-round") {
		t.Errorf("%s, %d rounds, warnings %v", c.Schema, c.Rounds, codes(c.Warnings))
	}
}

// TestObserverIsNoEffect: two windows of which one was looked at more closely are of one
// service.
func TestObserverIsNoEffect(t *testing.T) {
	before, after := arm(450, 0.09, 1), arm(450, 0.09, 1.5)
	w := &after.Windows[0]
	w.End = w.Start.Add(10 * time.Second)
	w.Observer = unpark.Observer{CPU: 5, Alloc: unpark.Num(2e6)}
	w.Processes[0].Metrics.AllocBytes = unpark.Num(3e6)
	for _, e := range compare.Runs(before, after).Effects {
		if r, ok := e.Ratio.Value.Get(); ok && math.Abs(r-1) > 1e-9 {
			t.Errorf("%s: %v", e.Metric, r)
		}
	}
}

// TestVerdictBand: what identical runs differ by is not a change, in both directions.
func TestVerdictBand(t *testing.T) {
	for _, c := range []struct {
		rate, p99 float64
		want      []string // throughput, p99
	}{
		{450 * 1.19, 0.1 * 3.5, []string{"same", "same"}},
		{450 / 1.19, 0.1 / 3.5, []string{"same", "same"}},
		{450 * 1.21, 0.1 / 3.7, []string{"better", "better"}},
		{450 / 1.21, 0.1 * 3.7, []string{"worse", "worse"}},
	} {
		r := compare.Runs(arm(450, 0.1, 1), arm(c.rate, c.p99, 1))
		var got []string
		for _, e := range r.Effects {
			if e.Metric == "throughput" || e.Metric == "p99" {
				got = append(got, e.Verdict)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("×%.2f throughput, ×%.2f p99: %v, want %v", c.rate/450, c.p99/0.1, got, c.want)
		}
	}
}

func TestFindings(t *testing.T) {
	before := arm(450, 0.1, 1,
		finding("lock", "a.Get", 10, 0.080), finding("lock", "a.Put", 20, 0.010),
		finding("channel", "a.Send", 30, 0.010), finding("io", "a.Sync", 40, 0.010), finding("pool", "a.Get", 10, 0.010))
	after := arm(450, 0.1, 1,
		finding("leak", "a.Leak", 1, 0.001), finding("io", "a.Sync", 40, 0.020), finding("lock", "a.Put", 27, 0.011),
		finding("channel", "a.Send", 30, 0.004), finding("pool", "a.Other", 10, 0.010))
	want := []string{"lock a.Get gone", "lock a.Put same", "channel a.Send shrunk", "io a.Sync grown", "pool a.Get gone", "leak a.Leak new", "pool a.Other new"}
	var got []string
	for _, f := range compare.Runs(before, after).Findings {
		got = append(got, f.Rule+" "+f.Site.Function+" "+f.Change)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// promising gives a finding a forecast of the throughput and the p99.
func promising(f unpark.Finding, throughput, p99 unpark.Quantity) unpark.Finding {
	f.Prediction = unpark.Prediction{Throughput: throughput, P99: p99}
	return f
}

func ratio(v, low, high float64) unpark.Quantity { return unpark.Between(v, low, high, "ratio", 1) }

// TestChangeOfCost: a change must leave the run-to-run band and both intervals.
func TestChangeOfCost(t *testing.T) {
	cost := func(v, low, high float64) unpark.Cost {
		return unpark.Cost{CPUPerRequest: unpark.Between(v, low, high, "s/req", 100)}
	}
	bare := func(v float64) unpark.Cost { return unpark.Cost{CPUPerRequest: unpark.Measured(v, "s/req", 100)} }
	for _, c := range []struct {
		name          string
		before, after unpark.Cost
		want          string
	}{
		{"far apart", cost(10, 9, 11), cost(5, 4, 6), "shrunk"},
		{"intervals touch", cost(10, 6, 14), cost(5, 3, 6), "same"},
		{"apart, but within the band", cost(10, 9.9, 10.1), cost(11, 10.9, 11.1), "same"},
		{"grown", cost(5, 4, 6), cost(10, 9, 11), "grown"},
		{"no intervals, within the band", bare(10), bare(8.5), "same"},
		{"no intervals, outside", bare(10), bare(7), "shrunk"},
		{"nothing in common", bare(10), unpark.Cost{MeanWaiters: unpark.Measured(3, "waiters", 1)}, "same"},
		{"nothing before", unpark.Cost{}, bare(1), "same"},
		{
			"by request, although by second it grew",
			unpark.Cost{WaitPerRequest: unpark.Measured(4, "s/req", 1), MeanWaiters: unpark.Measured(4, "waiters", 1)},
			unpark.Cost{WaitPerRequest: unpark.Measured(2, "s/req", 1), MeanWaiters: unpark.Measured(8, "waiters", 1)},
			"shrunk",
		},
	} {
		f := unpark.Finding{Rule: "r", Class: unpark.ClassCPU, Site: unpark.Site{Function: "a.F"}}
		before, after := f, f
		before.Cost, after.Cost = c.before, c.after
		got := compare.Runs(arm(450, 0.1, 1, before), arm(450, 0.1, 1, after)).Findings
		if len(got) != 1 || got[0].Change != c.want || got[0].Was != c.before || got[0].Cost != c.after {
			t.Errorf("%s: %+v, want %s", c.name, got, c.want)
		}
	}
}

// TestFindingMoved: a lock whose line to change is elsewhere now is the same lock
// when the same function waits for it; another one of its kind is not.
func TestFindingMoved(t *testing.T) {
	waits := func(site, waiter string) unpark.Finding {
		f := finding("lock", site, 10, 0.08)
		f.Waiter = &unpark.Site{Function: waiter}
		return f
	}
	before := arm(450, 0.1, 1, waits("a.Get", "a.Get"), waits("a.Put", "a.Put"))
	after := arm(450, 0.1, 1, waits("a.Get.func1", "a.Get"), waits("b.List", "b.List"))
	var got []string
	for _, f := range compare.Runs(before, after).Findings {
		got = append(got, f.Site.Function+" "+f.Change)
	}
	if want := []string{"a.Get.func1 same", "a.Put gone", "b.List new"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestComputingOfOneFunction: computing that another rule reports, or only the costs,
// is still there. A cost that no finding was is none that is new.
func TestComputingOfOneFunction(t *testing.T) {
	uses := func(class unpark.Class, function string, cpu float64) unpark.Finding {
		return unpark.Finding{
			Rule: string(class), Class: class, Site: unpark.Site{Function: function},
			Cost: unpark.Cost{CPUPerRequest: unpark.Between(cpu, 0.95*cpu, 1.05*cpu, "s/req", 100)},
		}
	}
	before := arm(450, 0.1, 1, uses(unpark.ClassRecompute, "a.render", 1e-3), uses(unpark.ClassCPU, "a.parse", 1e-3), uses(unpark.ClassAlloc, "a.copy", 1e-3))
	after := arm(450, 0.1, 1, uses(unpark.ClassCPU, "a.render", 1e-3))
	after.Costs = []unpark.Finding{uses(unpark.ClassCPU, "a.parse", 2e-4), uses(unpark.ClassCPU, "a.copy", 1e-3), uses(unpark.ClassCPU, "a.list", 1e-3)}
	var got []string
	for _, f := range compare.Runs(before, after).Findings {
		got = append(got, f.Site.Function+" "+f.Change)
	}
	if want := []string{"a.render same", "a.parse shrunk", "a.copy gone"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestFindingUnseen: without a block profile after, a lock is not known to be gone.
func TestFindingUnseen(t *testing.T) {
	before, after := arm(450, 0.1, 1, finding("lock", "a.Get", 10, 0.08)), arm(450, 0.1, 1)
	after.Windows[0].Profiles[0].State = unpark.Off
	c := compare.Runs(before, after)
	if len(c.Findings) != 1 || c.Findings[0].Change != "same" || !slices.Contains(codes(c.Warnings), "finding-not-seen") || len(c.Forecast) != 0 {
		t.Errorf("%+v, warnings %v", c.Findings, codes(c.Warnings))
	}
}

func TestRefusals(t *testing.T) {
	with := func(change func(*unpark.Run)) unpark.Run {
		r := arm(450, 0.1, 1, finding("lock", "a.Get", 10, 0.08))
		r.Plan.Requests = []unpark.Request{{Method: "GET", URL: "http://127.0.0.1:8080/a"}}
		change(&r)
		return r
	}
	before := with(func(*unpark.Run) {})
	for _, c := range []struct {
		name string
		is   unpark.Run
		want []string
	}{
		{"the same", before, nil},
		{"another port", with(func(r *unpark.Run) { r.Plan.Requests[0].URL = "http://127.0.0.1:9090/a" }), nil},
		{"a rate that calibration moved", with(func(r *unpark.Run) { r.Plan.RateRPS = 453 }), nil},
		{"another length", with(func(r *unpark.Run) { r.Plan.Duration, r.Plan.Seed = 30, 9 }), nil},
		{"another path", with(func(r *unpark.Run) { r.Plan.Requests[0].URL = "http://127.0.0.1:8080/b" }), []string{"different-plans"}},
		{"another rate", with(func(r *unpark.Run) { r.Plan.RateRPS = 900 }), []string{"different-plans"}},
		{"another mode", with(func(r *unpark.Run) { r.Plan.Mode = unpark.Closed }), []string{"different-plans"}},
		{"a quota", with(func(r *unpark.Run) { r.Target.Quota = unpark.Num(1) }), []string{"different-quotas"}},
		{"one process", with(func(r *unpark.Run) { r.Windows[0].Processes = r.Windows[0].Processes[:1] }), []string{"different-processes"}},
		{"GOMAXPROCS", with(func(r *unpark.Run) {
			r.Windows[0].Processes = []unpark.Process{{GOMAXPROCS: unpark.Num(4)}, {GOMAXPROCS: unpark.Num(2)}}
		}), nil}, // unknown before
		{"void", with(func(r *unpark.Run) { r.Void = []unpark.Notice{{Message: "late", Cure: "less"}} }), []string{"void-run"}},
		{"partial", with(func(r *unpark.Run) { r.Partial = "killed" }), []string{"partial-run"}},
		{"no load", with(func(r *unpark.Run) { r.Windows[0].Load = nil }), []string{"no-load"}},
		{"nothing", unpark.Run{}, []string{"no-load", "different-plans"}},
	} {
		got := compare.Runs(before, c.is)
		if !slices.Equal(codes(got.Refused), c.want) {
			t.Errorf("%s: refused %v, want %v", c.name, codes(got.Refused), c.want)
		}
		if refused := len(c.want) > 0; refused != (len(got.Effects) == 0) || refused != (len(got.Findings) == 0) || refused != (got.Limits == nil) {
			t.Errorf("%s: %d effects, %d findings, limits %v", c.name, len(got.Effects), len(got.Findings), got.Limits)
		}
		for _, n := range got.Refused {
			if n.Cure == "" || n.Message == "" {
				t.Errorf("%s: %+v has no cure", c.name, n)
			}
		}
	}
	twice := with(func(r *unpark.Run) {
		r.Windows[0].Processes[0].GOMAXPROCS, r.Windows[0].Processes[1].GOMAXPROCS = unpark.Num(2), unpark.Num(2)
	})
	once := with(func(r *unpark.Run) {
		r.Windows[0].Processes[0].GOMAXPROCS, r.Windows[0].Processes[1].GOMAXPROCS = unpark.Num(1), unpark.Num(1)
	})
	if got := codes(compare.Runs(twice, once).Refused); !slices.Equal(got, []string{"different-processes"}) {
		t.Errorf("GOMAXPROCS 4 and 2: %v", got)
	}
}

func TestWarnings(t *testing.T) {
	other := arm(450, 0.1, 1)
	other.Host.CPUs, other.Target.Go = 64, "go1.26.8"
	here := arm(450, 0.1, 1)
	here.Target.Go = "go1.27.1"
	if got := codes(compare.Runs(here, other).Warnings); !slices.Equal(got, []string{"one-round", "different-go"}) {
		t.Errorf("warnings %v", got)
	}
	c := compare.Runs(unpark.Run{}, unpark.Run{})
	if len(c.Effects) != 0 || c.Findings == nil || c.Effects == nil || c.Forecast == nil || c.Refused == nil || c.Floor == nil {
		t.Errorf("%+v", c)
	}
}

// TestOneOfEach: one of a thing is written in the singular.
func TestOneOfEach(t *testing.T) {
	one := func(change func(*unpark.Run)) unpark.Run {
		r := arm(450, 0.1, 1)
		r.Windows[0].Processes = r.Windows[0].Processes[:1]
		r.Plan.Connections, r.Target.Quota = 1, unpark.Num(1)
		change(&r)
		return r
	}
	for want, after := range map[string]unpark.Run{
		"1 process before, 3 after": one(func(r *unpark.Run) {
			r.Windows[0].Processes = append(r.Windows[0].Processes, make([]unpark.Process, 2)...)
		}),
		"1 connection before, 4 after": one(func(r *unpark.Run) { r.Plan.Connections = 4 }),
		"a quota of 1 core before":     one(func(r *unpark.Run) { r.Target.Quota = unpark.Num(2) }),
		"a quota of 2 cores after":     one(func(r *unpark.Run) { r.Target.Quota = unpark.Num(2) }),
	} {
		got := compare.Runs(one(func(*unpark.Run) {}), after).Refused
		if len(got) != 1 || !strings.Contains(got[0].Message, want) {
			t.Errorf("%+v, want %q", got, want)
		}
	}
}
