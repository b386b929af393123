package main

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/search"
	"github.com/unpark-go/unpark/internal/rota"
)

// TestSearchDecidesByAll: of three agents one has all the slow requests, a third of them, from 100 req/s on. Their median holds
// at every rate, as that of the one does not; their p90 breaks between 100 and 105 req/s, as that of the two others never does.
func TestSearchDecidesByAll(t *testing.T) {
	t.Parallel()
	third := func(k int, rate float64) time.Duration {
		if k%3 == 0 && rate > 100 {
			return 150 * time.Millisecond
		}
		return 2 * time.Millisecond
	}
	plan := numbered(t)
	o := stood(t, plan, &standIn{name: "a", response: third}, &standIn{name: "b", response: third}, &standIn{name: "c", response: third})
	options := search.Options{SLO: promised(t, "p50<100ms"), Start: 60, Min: 30, Max: 400}
	r, err := o.search(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	if r.Search.Ceiling != "options" || r.Search.Held.Or(0) != 400 || len(r.Agents) != 3 {
		t.Errorf("the median of all: %+v of %d agents", r.Search, len(r.Agents))
	}
	if n, p50 := r.Load.Response.N, r.Load.Response.P50; n != 400 || p50 > 0.003 || r.Load.OfferedRPS != 400 {
		t.Errorf("%d answers at %g req/s with a median of %g s, want 400 of 2 ms", n, r.Load.OfferedRPS, p50)
	}
	options.SLO = promised(t, "p90<100ms")
	if r, err = o.search(t.Context(), options); err != nil {
		t.Fatal(err)
	}
	if low, high := r.Search.Rate.Low.Or(0), r.Search.Rate.High.Or(0); r.Search.Ceiling != "service" || low < 95 || high > 110 || low > 105 || high < 100 {
		t.Errorf("the p90 of all breaks above 100 req/s: %+v", r.Search)
	}
	if r.Search.Held.Or(0) > 100 || r.Load.Response.P90 > 0.003 {
		t.Errorf("the figures are those of %g req/s, a p90 of %g s", r.Search.Held.Or(0), r.Load.Response.P90)
	}
}

// TestSearchLeavesOutWhatIsVoid: a probe that lacks a part is void and its figures are those of the rest; with no part that is sound
// the search ends in the generators' own limit, in words that name it.
func TestSearchLeavesOutWhatIsVoid(t *testing.T) {
	t.Parallel()
	fast := func(int, float64) time.Duration { return 2 * time.Millisecond }
	broken := &standIn{name: "b", response: fast, void: "the generator achieved 9 of 30 req/s"}
	o := stood(t, numbered(t), &standIn{name: "a", response: fast}, broken)
	r, err := o.search(t.Context(), search.Options{SLO: promised(t, "p90<100ms"), Start: 60, Min: 30, Max: 60})
	if err != nil {
		t.Fatal(err)
	}
	if r.Search.Ceiling != "generator" || len(r.Void) != 1 || !strings.Contains(r.Void[0].Message, "b: the generator achieved 9 of 30") {
		t.Errorf("%+v, void: %+v", r.Search, r.Void)
	}
	if r.Load.OfferedRPS != 30 || r.Load.Response.N != 30 {
		t.Errorf("the figures are of %d answers at %g req/s, want those of the part that is sound: 30", r.Load.Response.N, r.Load.OfferedRPS)
	}
	for _, p := range r.Search.Probes {
		if !p.Void {
			t.Errorf("a probe at %g req/s that lacks half of its load is not void: %+v", p.RateRPS, p)
		}
	}
	if len(r.Agents) != 2 || r.Agents[0].Void != "" || r.Agents[1].Void == "" {
		t.Errorf("agents: %+v", r.Agents)
	}
}

// TestWithinDecidesByAll: of two agents one has all the slow requests, 2 % of all. The p99 of all is one of these, and the window is as
// long as that takes to be known; that of the one agent is another, and that of the other none.
func TestWithinDecidesByAll(t *testing.T) {
	if !rota.Long(3, 7) {
		t.Skip("its turn is another day: it waits for its blocks")
	}
	t.Parallel()
	slow := func(k int, _ float64) time.Duration {
		if k%50 == 1 {
			return 100*time.Millisecond + time.Duration(k*37%300)*100*time.Microsecond
		}
		return 2 * time.Millisecond
	}
	plan := numbered(t)
	plan.RateRPS, plan.P99Within = 300, 0.1
	o := stood(t, plan, &standIn{name: "a", response: slow}, &standIn{name: "b", response: slow})
	l, notices, said, err := o.level(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	p := l.Load.Precision
	if p == nil || !p.Steady || p.Settled < 11 || len(said) != 2 || len(l.Void) > 0 {
		t.Fatalf("%+v of %d agents, void: %+v", p, len(said), l.Void)
	}
	if v := p.P99.Value.Or(0); v < 0.100 || v > 0.130 || p.Reached.Or(1) > 0.1 {
		t.Errorf("the p99 of all is %g s, known within %g: want one of 100 to 130 ms within 0.1", v, p.Reached.Or(1))
	}
	if n := int64(math.Round(300 * l.Load.Seconds)); l.Load.Seconds < 2 || l.Load.Seconds > 6 || p.P99.N != n {
		t.Errorf("a window of %g s with %d answers", l.Load.Seconds, p.P99.N)
	}
	if slices.ContainsFunc(notices, func(n unpark.Notice) bool { return n.Code == "p99-within" || n.Code == "not-steady" }) {
		t.Errorf("%+v", notices)
	}
}
