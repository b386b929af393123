package model

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestBeside: goroutines that requests start wait for one another, half as long as all requests take. A trace says whether a
// request waits behind them.
func TestBeside(t *testing.T) {
	for name, c := range map[string]struct {
		behind   float64 // s of requests' waits behind it, of 10 s that 1,000 traced ones take
		requests int64   // in the trace
		root     string
		want     bool
	}{
		"hardly a request behind it":        {0.05, 1000, "app.stage", true},
		"requests behind it":                {4, 1000, "app.stage", false},
		"too few requests in the trace":     {0.0005, 10, "app.stage", false},
		"the requests' own":                 {0.05, 1000, "net/http.(*conn).serve", false},
		"the trace has no such wait at all": {0, 1000, "app.stage", false},
	} {
		site := unpark.Site{Function: "app.next"}
		l := unpark.Latency{N: 1000, Mean: 0.01, Max: 0.1}
		ev := facts.Evidence{
			Seconds: 10, Requests: unpark.Num(1000),
			Window: unpark.Window{Load: &unpark.Load{Mode: unpark.Closed, AchievedRPS: 100, Response: l, Service: l}},
		}
		ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: c.requests}
		if c.behind > 0 {
			ev.Tracing.Edges = []unpark.Edge{{Class: unpark.WaitChannel, Waiter: site, Chained: c.behind}}
		}
		w := Wait{Delay: 5, Heaviest: facts.Wait{Class: unpark.WaitChannel, Waiter: site, Stack: []unpark.Site{{Function: "runtime.chanrecv1"}, site, {Function: c.root}}}}
		if got := beside(New(ev), w); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}
