package main

import (
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/ab"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/measure/load"
)

// TestProgressRate: where lines stay, the rate is the window's own, and no phase has
// that of the second before it began.
func TestProgressRate(t *testing.T) {
	var b strings.Builder
	p := newProgress(&b, false)
	before := &load.Live{RPS: 385, P99: 0.767}
	for _, e := range []investigate.Event{
		{Phase: "window", Left: 10 * time.Second, Live: before},
		{Phase: "window", Left: 9 * time.Second, Live: &load.Live{RPS: 306, P99: 0.558}},
		{Phase: "baseline", Left: 2 * time.Second, Live: before},
		{Phase: "measured", Load: &unpark.Load{AchievedRPS: 1323.4, Response: unpark.Latency{P99: 2.4712}}},
		{Phase: "diagnose", Detail: "reading the profiles"},
	} {
		p.show(e)
	}
	want := "window     10s\nbaseline    2s\nmeasured  1,323 req/s  p99 2.47s\ndiagnose  reading the profiles\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

// TestProgressOfTrials: rounds are told as they are measured, and what a profiled run
// measured is not mistaken for one.
func TestProgressOfTrials(t *testing.T) {
	var b strings.Builder
	p := newABProgress(&b, false)
	p.show(ab.Event{Label: "profile before", Run: &investigate.Event{Phase: "measured", Load: &unpark.Load{AchievedRPS: 7}}})
	p.show(ab.Event{Trial: &ab.Trial{Round: 1, AfterFirst: true, Before: compare.Sample{"throughput": 1323.4, "p99": 0.0047}, After: compare.Sample{"throughput": 1400}}, Note: "1 of 11 rounds"})
	if want := "round  1  after      1,400 req/s p99        ~  before     1,323 req/s p99    4.7ms  1 of 11 rounds\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
