package load

import (
	"reflect"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// sound returns an open load without any fault, and its conditions.
func sound() (unpark.Load, Conditions) {
	l := unpark.Load{
		Mode: unpark.Constant, Seconds: 10, OfferedRPS: 1000, AchievedRPS: 1000, Requests: 10_000,
		Response: unpark.Latency{P50: 0.005, P99: 0.020, Max: 0.030, N: 10_000},
		Service:  unpark.Latency{P50: 0.005, P99: 0.019, Max: 0.030, N: 10_000},
		Lag:      unpark.Latency{P50: 50e-6, P99: 150e-6, N: 10_000},
		Status:   map[string]int64{"200": 10_000}, ErrorKinds: map[string]int64{},
		GeneratorCPU: unpark.Num(0.4),
		OwnLag:       unpark.Latency{P99: 150e-6, N: 10_000},
	}
	return l, Conditions{
		CPUs: 2, TargetCores: unpark.Num(1), TargetAllowed: unpark.Num(2), Machine: unpark.Num(1.5), Steal: unpark.Num(0),
	}
}

// TestJudge has for each code a case in which it must appear and a near miss.
func TestJudge(t *testing.T) {
	type edit = func(*unpark.Load, *Conditions)
	short := func(late int64) edit {
		return func(l *unpark.Load, _ *Conditions) {
			l.AchievedRPS, l.Requests, l.Late = 900, 9000, late
		}
	}
	lag := func(p99 float64) edit {
		return func(l *unpark.Load, _ *Conditions) { l.OwnLag.P99 = p99 }
	}
	cpu := func(generator, target float64, shared bool) edit {
		return func(l *unpark.Load, c *Conditions) {
			l.GeneratorCPU, c.TargetCores, c.Shared = unpark.Num(generator), unpark.Num(target), shared
		}
	}
	quota := func(generator, target, cores float64) edit {
		return func(l *unpark.Load, c *Conditions) {
			cpu(generator, target, true)(l, c)
			c.Quota = unpark.Num(cores)
		}
	}
	failed := func(kind string, n int64) edit {
		return func(l *unpark.Load, _ *Conditions) {
			l.ErrorKinds[kind], l.Errors, l.ErrorSample = n, n, "GET /: it broke"
		}
	}
	// Without OwnLag: so many requests late, and so many delayed by anybody.
	unknownLag := func(late, delayed int64) edit {
		return func(l *unpark.Load, _ *Conditions) {
			l.OwnLag, l.Late = unpark.Latency{}, late
			l.Lag = unpark.Latency{P99: 0.015, N: 10_000, Buckets: []unpark.Bucket{
				{Le: 0.0005, Count: 10_000 - delayed}, {Le: 0.001}, {Le: 0.02, Count: delayed},
			}}
		}
	}
	closedLoop := func(then edit) edit {
		return func(l *unpark.Load, c *Conditions) { l.Mode = unpark.Closed; then(l, c) }
	}
	tests := []struct {
		name           string
		edit           edit
		void, warnings string
	}{
		{"sound", func(*unpark.Load, *Conditions) {}, "", ""},

		{"late", short(1500), "generator-late", ""},
		{"short of the rate, the target's doing", short(20), "", ""},
		{"short of the rate, a few late ones by chance", short(300), "", ""},
		{"late, but the rate was reached", func(l *unpark.Load, _ *Conditions) { l.Late = 1500 }, "", ""},
		{"99.6 % of the rate", func(l *unpark.Load, _ *Conditions) { l.AchievedRPS, l.Requests, l.Late = 996, 9960, 500 }, "", ""},
		{"a closed loop offers what it achieves", closedLoop(short(5000)), "", ""},

		{"lag above half of the response", lag(0.011), "generator-lag", ""},
		{"lag below half of the response", lag(0.009), "", "lag"},
		{"lag of a closed loop", closedLoop(lag(0.011)), "", "lag"},
		{"small lag beside a smaller response", func(l *unpark.Load, c *Conditions) { l.Response.P99, l.Service.P99 = 250e-6, 100e-6 }, "", ""},
		{"lag above half on shared cores", func(l *unpark.Load, c *Conditions) { c.Shared, l.OwnLag.P99 = true, 0.011 }, "generator-lag", "shared-cores"},
		{"lag of a time slice on shared cores", func(l *unpark.Load, c *Conditions) {
			c.Shared, l.OwnLag.P99, l.Response.P99 = true, 0.0025, 0.004
		}, "", "lag shared-cores"},
		{"lag at a tenth of the service", lag(0.0018), "", ""},
		{"waiting for connections is not the generator's lag", func(l *unpark.Load, c *Conditions) { l.Lag.P99 = 0.018 }, "", ""},
		{"own lag unknown, all delays are late requests", unknownLag(500, 510), "generator-lag", ""},
		{"own lag unknown, a stalled target", unknownLag(500, 3000), "", ""},
		{"own lag unknown, few late", unknownLag(90, 95), "", ""},

		{"generator at its cores", cpu(1.8, 1, false), "generator-cpu", ""},
		{"both at their cores", cpu(1.8, 1.9, false), "", ""},
		{"generator below its cores", cpu(1.6, 1, false), "", ""},
		{"target unknown", func(l *unpark.Load, c *Conditions) {
			l.GeneratorCPU, c.TargetCores = unpark.Num(1.8), unpark.Number{}
		}, "", "generator-cpu"},
		{"generator at its quota, on shared cores", quota(0.48, 0.3, 0.5), "generator-cpu", "shared-cores"},
		{"generator below its quota", quota(0.4, 0.3, 0.5), "", "shared-cores"},
		{"generator at its quota, and the target at its cores", quota(0.48, 1.9, 0.5), "", "shared-cores"},
		{"a quota of more than there is", quota(1.8, 0.2, 4), "", "shared-cores"},
		{"shared cores", cpu(1.8, 0.2, true), "", "shared-cores"},
		{"shared cores, hardly used", cpu(0.08, 1.8, true), "", ""},

		{"no ports", failed(failPorts, 1), "generator-errors", ""},
		{"no descriptors", failed(failDescriptors, 1), "generator-errors", ""},
		{"refused is not the generator's", failed(failRefused, 5), "", ""},
		{"errors", failed(failReset, 50), "", "errors"},
		{"statuses", failed(failStatus, 11), "", "errors"},
		{"one status in a thousand", failed(failStatus, 10), "", ""},

		{"steal", func(_ *unpark.Load, c *Conditions) { c.Steal = unpark.Num(0.05) }, "", "steal"},
		{"little steal", func(_ *unpark.Load, c *Conditions) { c.Steal = unpark.Num(0.03) }, "", ""},
		{"steal unknown", func(_ *unpark.Load, c *Conditions) { c.Steal = unpark.Number{} }, "", ""},
		{"unfinished", func(l *unpark.Load, _ *Conditions) { l.Unfinished = 20 }, "", "unfinished"},
		{"a few unfinished", func(l *unpark.Load, _ *Conditions) { l.Unfinished = 9 }, "", ""},
		{"few requests", func(l *unpark.Load, _ *Conditions) { l.Response.N = 999 }, "", "few-requests"},
		{"enough requests", func(l *unpark.Load, _ *Conditions) { l.Response.N = 1000 }, "", ""},
		{"nothing at all", func(l *unpark.Load, c *Conditions) { *l, *c = unpark.Load{Mode: unpark.Constant}, Conditions{} }, "", "few-requests"},
	}
	for _, tt := range tests {
		l, c := sound()
		tt.edit(&l, &c)
		void, warnings := Judge(l, c)
		if got := codes(t, void); got != tt.void {
			t.Errorf("%s: void %q, want %q", tt.name, got, tt.void)
		}
		if got := codes(t, warnings); got != tt.warnings {
			t.Errorf("%s: warnings %q, want %q", tt.name, got, tt.warnings)
		}
	}
}

// codes joins the codes and checks that each notice has words and a cure.
func codes(t *testing.T, ns []unpark.Notice) string {
	t.Helper()
	var out []string
	for _, n := range ns {
		if !strings.ContainsAny(n.Message, "0123456789") && n.Code != "few-requests" || n.Cure == "" {
			t.Errorf("notice without figures or cure: %+v", n)
		}
		out = append(out, n.Code)
	}
	return strings.Join(out, " ")
}

func TestJudgeMessages(t *testing.T) {
	l, c := sound()
	l.OwnLag.P99 = 0.0112
	l.Errors, l.ErrorKinds[failReset], l.ErrorSample = 500, 500, "GET /a: connection reset"
	void, warnings := Judge(l, c)
	got := []string{void[0].Message, warnings[0].Message}
	want := []string{
		"the generator itself delayed requests by 11.2 ms at p99, more than half of the response p99 of 20 ms",
		"500 of 10500 requests failed (4.8 %); the first: GET /a: connection reset",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("messages\n got %q\nwant %q", got, want)
	}
}

// TestLateBesideOthers: on a machine that others fill a lower rate helps nothing, and the cure is theirs.
func TestLateBesideOthers(t *testing.T) {
	for name, tt := range map[string]struct {
		busy, target float64
		others       bool
	}{
		"full, of others":          {1.9, 0.2, true},
		"full, of the service":     {1.9, 1.6, false},
		"others, and room beside":  {1.2, 0.2, false},
		"nothing but the two runs": {0.3, 0.2, false},
	} {
		l, c := sound()
		l.OwnLag.P99, l.GeneratorCPU = 0.011, unpark.Num(0.1)
		c.Machine, c.TargetCores = unpark.Num(tt.busy), unpark.Num(tt.target)
		void, _ := Judge(l, c)
		if len(void) != 1 || strings.Contains(void[0].Cure, "stop what else runs") != tt.others {
			t.Errorf("%s: %v", name, void)
		}
	}
	l, c := sound()
	l.OwnLag.P99, c.Machine, l.GeneratorCPU = 0.011, unpark.Num(1.9), unpark.Number{}
	if void, _ := Judge(l, c); len(void) != 1 || strings.Contains(void[0].Cure, "stop") {
		t.Errorf("the generator's own use unknown: %v", void)
	}
}
