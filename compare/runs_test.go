package compare_test

import (
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/compare"
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
	c := compare.Runs(arm(450, 0.090, 1, finding("lock", "a.Get", 10, 0.08)), arm(452, 0.009, 0.9))
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
		{"cpu_per_request", "better", 0.9 * 450 / 452},
		{"bytes_per_request", "same", 1},
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

// TestVerdictBand: what identical runs differ by is no change, in both directions.
func TestVerdictBand(t *testing.T) {
	for _, c := range []struct {
		rate, p99 float64
		want      []string // throughput, p99
	}{
		{450 * 1.07, 0.1 * 1.25, []string{"same", "same"}},
		{450 * 0.93, 0.1 * 0.8, []string{"same", "same"}},
		{450 * 1.2, 0.1 * 0.5, []string{"better", "better"}},
		{450 * 0.8, 0.1 * 2, []string{"worse", "worse"}},
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

func TestForecast(t *testing.T) {
	f := finding("lock", "a.Get", 10, 0.08)
	f.Prediction = unpark.Prediction{
		Throughput: unpark.Between(1, 0.97, 1.03, "ratio", 1),
		P99:        unpark.Between(0.1, 0.05, 0.2, "ratio", 1),
	}
	c := compare.Runs(arm(450, 0.09, 1, f), arm(450, 0.03, 1))
	if len(c.Forecast) != 2 {
		t.Fatalf("forecasts %+v: p50 was not predicted", c.Forecast)
	}
	if x := c.Forecast[0]; x.Metric != "throughput" || !x.Inside {
		t.Errorf("throughput %+v", x)
	}
	if x := c.Forecast[1]; x.Metric != "p99" || x.Inside {
		t.Errorf("p99 ×0.33 is outside of 0.05–0.2: %+v", x)
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
	if got := codes(compare.Runs(here, other).Warnings); !slices.Equal(got, []string{"one-round", "different-hosts", "different-go"}) {
		t.Errorf("warnings %v", got)
	}
	c := compare.Runs(unpark.Run{}, unpark.Run{})
	if len(c.Effects) != 0 || c.Findings == nil || c.Effects == nil || c.Forecast == nil || c.Refused == nil || c.Floor == nil {
		t.Errorf("%+v", c)
	}
}
