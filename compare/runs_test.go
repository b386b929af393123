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
	if c.Schema != compare.SchemaAB || c.Rounds != 1 || !slices.Contains(codes(c.Warnings), "one-round") {
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

func TestNothingToCompare(t *testing.T) {
	c := compare.Runs(unpark.Run{}, unpark.Run{Void: []unpark.Notice{{Code: "generator-late", Message: "late"}}, Partial: "stopped"})
	if len(c.Effects) != 0 || c.Findings == nil || c.Effects == nil || c.Forecast == nil {
		t.Errorf("%+v", c)
	}
	for _, want := range []string{"one-round", "no-load", "void-run", "partial-run"} {
		if !slices.Contains(codes(c.Warnings), want) {
			t.Errorf("no warning %s in %v", want, codes(c.Warnings))
		}
	}
	other := arm(450, 0.1, 1)
	other.Plan.RateRPS = 900
	if c := compare.Runs(arm(450, 0.1, 1), other); !slices.Contains(codes(c.Warnings), "different-plans") {
		t.Errorf("warnings %v", codes(c.Warnings))
	}
}
