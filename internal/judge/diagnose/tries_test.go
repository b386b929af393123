package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestBetweenTries: 15 of 16 connections that wait between tries would be joined by more of them; a sleep that each
// request has lets more through.
func TestBetweenTries(t *testing.T) {
	site := unpark.Site{Function: "main.take", File: "main.go", Line: 9}
	for name, c := range map[string]struct {
		count float64 // waits, of 150 s in all
		most  float64 // s, the slowest request
		limit unpark.LimitKind
		title string
	}{
		"few requests, over and over": {75, 12, unpark.LimitRateLimit, "between tries"},
		"each request, once":          {9000, 0.02, unpark.LimitConnections, "sleep"},
	} {
		l := unpark.Latency{N: 9000, Mean: 160.0 / 9000, P50: 0.001, P99: 0.005, Max: c.most}
		m := model.New(facts.Evidence{
			Seconds: 10, Requests: unpark.Num(9000),
			CPU: facts.CPU{Cores: unpark.Num(1), Allowed: unpark.Num(2), Sampled: unpark.Num(10)},
			Waits: []facts.Wait{{
				Side: unpark.RequestPath, Class: unpark.WaitSleep, Waiter: site, Delay: 150, Count: c.count, Source: "block.pb.gz",
				Stack: []unpark.Site{{Function: "time.Sleep"}, site, {Function: "net/http.(*conn).serve"}},
			}},
			Window: unpark.Window{Load: &unpark.Load{Mode: unpark.Closed, AchievedRPS: 900, Response: l, Service: l}},
		})
		findings := apply(m)
		if got := bind(m, nil, findings); got.Kind != c.limit {
			t.Errorf("%s: limit %s (%s), want %s", name, got.Kind, got.Why, c.limit)
		}
		if len(findings) != 1 || !strings.Contains(findings[0].Title, c.title) {
			t.Errorf("%s: %d findings, want one with %q: %+v", name, len(findings), c.title, findings)
		}
	}
}
