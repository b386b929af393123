package unpark_test

import (
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

func TestScores(t *testing.T) {
	predicted, measured := unpark.Between(1.5, 1.4, 1.7, "ratio", 1), unpark.Measured(1.6, "ratio", 20)
	c := unpark.Comparison{Forecast: []unpark.Forecast{
		{Metric: "throughput", Class: unpark.ClassLock, Rule: "lock", Function: "a.F", Predicted: predicted, Measured: measured, Inside: true},
		{Metric: "p50", Predicted: unpark.Measured(0.5, "ratio", 1), Measured: measured}, // no interval: an abstention
		{Metric: "p99", Predicted: predicted},                                           // no outcome
		{Metric: "p99", Predicted: predicted, Measured: unpark.Measured(0, "ratio", 1)}, // no ratio
	}}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("x", 3600))
	before := unpark.Run{Unpark: unpark.Version{Version: "v1"}, Target: unpark.Target{Package: "./cmd/server", Module: "acme/shop"}}
	got := unpark.Scores(c, before, at)
	want := unpark.Score{
		Time: at.UTC(), Unpark: "v1", Target: "acme/shop ./cmd/server", Metric: "throughput",
		Class: unpark.ClassLock, Rule: "lock", Function: "a.F", Predicted: predicted, Measured: measured, Inside: true,
	}
	if len(got) != 1 || got[0] != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for want, target := range map[string]unpark.Target{
		"./s": {Package: "./s"}, "server": {Command: []string{"server", "-secret"}, URL: "u"}, "u": {URL: "u", Pprof: []string{"p"}}, "p": {Pprof: []string{"p"}}, "": {},
	} {
		if got := unpark.Scores(c, unpark.Run{Target: target}, at); got[0].Target != want {
			t.Errorf("%+v is called %q, want %q", target, got[0].Target, want)
		}
	}
}
