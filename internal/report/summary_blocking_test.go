package report

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

func TestBlockingParts(t *testing.T) {
	at := unpark.Site{Function: "example.com/rand.(*lockedSource).Int63", File: "rand.go", Line: 24}
	few := unpark.Blocking{Waiters: unpark.Measured(1e-6, "waiters", 2), Events: 2}
	none := unpark.Blocking{Waiters: unpark.Measured(0, "waiters", 0)}
	named := unpark.Blocking{
		Waiters: unpark.Measured(0.00123, "waiters", 52), PerRequest: unpark.Measured(41e-9, "s/req", 52), Events: 52,
		Share: unpark.Measured(0.98, "ratio", 52), CPUShare: unpark.Num(0.0046),
		First: &unpark.Finding{
			Class: unpark.ClassLock, Waiter: &at,
			Prediction: unpark.Prediction{Throughput: unpark.Between(1, 0.93, 1.07, "ratio", 9), P99: unpark.Between(0.5, 0.4, 0.6, "ratio", 9)},
		},
	}
	one, first := named, *named.First
	first.Prediction = unpark.Prediction{Throughput: unpark.Quantity{Unit: "ratio", Low: unpark.Num(1.5)}, P99: unpark.Quantity{Unit: "ratio", High: unpark.Num(0.31)}}
	one.First = &first
	least, nothing := one, first
	nothing.Prediction = unpark.Prediction{Throughput: unpark.Quantity{Unit: "ratio", Low: unpark.Num(0.9)}}
	least.First = &nothing
	const namedText = "0.00123 mean waiters, 41.0 ns a request · 98.0 % of it for the lock in example.com/rand.(*lockedSource).Int63 rand.go:24 (0.46 % of the CPU)"
	for name, tt := range map[string]struct {
		b    *unpark.Blocking
		load *unpark.Load
		want string
	}{
		"no block profile":             {nil, nil, ""},
		"nothing waits":                {&none, nil, "0 mean waiters"},
		"few":                          {&few, nil, "<0.001 mean waiters · 2 waits recorded, too few to say where"},
		"named":                        {&named, &unpark.Load{Mode: unpark.Closed}, namedText + " · without it throughput ±0 % (−7.0 % to +7.0 %)"},
		"named, under an offered rate": {&named, &unpark.Load{Mode: unpark.Poisson}, namedText + " · without it p99 ×0.50 (0.40–0.60)"},
		"one end of a p99":             {&one, &unpark.Load{Mode: unpark.Poisson}, namedText + " · without it p99 ×0.31 or less"},
		"one end of a throughput":      {&one, &unpark.Load{Mode: unpark.Closed}, namedText + " · without it throughput ×1.50 or more"},
		"an end that says nothing":     {&least, &unpark.Load{Mode: unpark.Closed}, namedText},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(blockingParts(tt.b, tt.load), " · "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestCrowd: more waiting goroutines than requests in flight are explained, wherever
// they are printed.
func TestCrowd(t *testing.T) {
	// Little: 400 req/s for 80 ms each are 32 in flight.
	load := &unpark.Load{AchievedRPS: 400, Service: unpark.Latency{Mean: 0.08, N: 4000}}
	const all = "2 for each of the 32 requests in flight: several goroutines of one request wait at once, or waits began before the window"
	for waiters, want := range map[float64]string{64: all, 32: "", 33: "", 3: "", 0: ""} {
		q := unpark.Measured(waiters, "waiters", 99)
		if got := crowd(q, load); got != want {
			t.Errorf("%v waiters: %q, want %q", waiters, got, want)
		}
		blocking := strings.Join(blockingParts(&unpark.Blocking{Waiters: q}, load), " · ")
		f := unpark.Finding{Class: unpark.ClassLock, Cost: unpark.Cost{MeanWaiters: q}}
		cost := ""
		for _, c := range costs(f, load) {
			cost += c.Label + " " + c.Value + " · "
		}
		for where, text := range map[string]string{"blocking": blocking, "cost": cost} {
			if said := strings.Contains(text, all); said != (want != "") {
				t.Errorf("%v waiters, %s: %s", waiters, where, text)
			}
		}
	}
	more := *load // as many again, of void parts
	more.Seconds, more.Beside = 1, unpark.Num(400)
	if got := crowd(unpark.Measured(64, "waiters", 9), &more); got != "" {
		t.Errorf("64 waiters of 64 requests in flight: %q", got)
	}
	for name, l := range map[string]*unpark.Load{"no load": nil, "no answers": {AchievedRPS: 400}, "no requests": {Service: unpark.Latency{N: 1}}} {
		if got := crowd(unpark.Measured(64, "waiters", 9), l); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestCrowdInBrief: where the waiters are left out, so is what explains them, and a wait that is longer than
// the request is explained in its place.
func TestCrowdInBrief(t *testing.T) {
	cost := func(waiters float64) string {
		var b strings.Builder
		run := unpark.Run{Windows: []unpark.Window{{Load: &unpark.Load{Requests: 4000, Seconds: 10, AchievedRPS: 400, Service: unpark.Latency{Mean: 0.08, N: 4000}}}}}
		run.Findings = []unpark.Finding{{Rank: 1, Class: unpark.ClassDownstream, Title: "slow", Share: unpark.Num(0.6), ShareOf: "all", Cost: unpark.Cost{
			MeanWaiters: unpark.Measured(waiters, "waiters", 99), WaitPerRequest: unpark.Measured(waiters/400, "s/req", 99), HoldPerRequest: unpark.Measured(0.001, "s/req", 99),
		}}}
		if err := Brief(&b, run, false); err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(b.String()), " ")
	}
	if got := cost(64); strings.Contains(got, crowdLabel+" 2 for each") || !strings.Contains(got, "160 ms/req, more than a request takes: "+crowdWhy) {
		t.Errorf("twice as many as requests: %s", got)
	}
	if got := cost(30); strings.Contains(got, crowdWhy) || strings.Contains(got, "mean waiters") || !strings.Contains(got, "75.0 ms/req") {
		t.Errorf("as many as requests: %s", got)
	}
}
