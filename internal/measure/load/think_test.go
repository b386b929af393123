package load

import (
	"context"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// TestThinkTime: ten connections that think for 20 ms send at most 500 requests a
// second, intended when the thought ends and not at the answer before it.
func TestThinkTime(t *testing.T) { everyEngine(t, testThinkTime) }

func testThinkTime(t *testing.T) {
	url := serve(t, hello)
	plan := closed(10, unpark.Request{URL: url})
	plan.Think = 0.02
	g := start(t, plan)
	s := g.Begin("window")
	time.Sleep(500 * time.Millisecond)
	g.Begin("rest")
	l := s.Load(soon(t))
	most := 10 / 0.02 * l.Seconds
	if n := float64(l.Requests); n > most+10 || n == 0 {
		t.Errorf("%g requests in %g s, want some and at most %g", n, l.Seconds, most)
	}
	// Of a connection's time, what is not thinking is response. Were thinking a part of
	// the response, the two would add up to more.
	if all, spent := 10*(l.Seconds+0.02), l.Response.Mean*float64(l.Response.N)+0.02*float64(l.Requests-10); spent > all {
		t.Errorf("%d requests of %g s and their thinking take %g s of ten connections' %g s: thinking is part of the response",
			l.Requests, l.Response.Mean, spent, all)
	}
	if l.Unfinished > 0 || l.Errors > 0 {
		t.Errorf("%d unfinished, %d errors", l.Unfinished, l.Errors)
	}
}

// TestReplay: every arrival is sent once, counted from its instant, and then the
// load is over.
func TestReplay(t *testing.T) { everyEngine(t, testReplay) }

func testReplay(t *testing.T) {
	url := serve(t, hello)
	plan := unpark.Plan{Mode: unpark.Replay, Connections: 3, Requests: []unpark.Request{{URL: url}}}
	for i := range 50 {
		plan.Arrivals = append(plan.Arrivals, float64(i/5)*0.02) // in bunches of five
	}
	g := start(t, plan)
	until(t, "the end", func() bool { return g.clock.now() > 250e6 })
	rest := g.Begin("rest")
	l := g.First().Load(soon(t)) // all of its responses have come then, some perhaps in the rest
	g.Begin("nothing")
	answered := l.Requests + rest.Load(soon(t)).Requests
	if answered != 50 || l.Response.N != 50 || l.Unfinished != 0 || l.Mode != unpark.Replay {
		t.Errorf("%d requests, %d responses, %d unfinished of 50, mode %s", answered, l.Response.N, l.Unfinished, l.Mode)
	}
	if d := l.OfferedRPS*l.Seconds - 50; d < -0.5 || d > 0.5 {
		t.Errorf("offered %g in all, want 50", l.OfferedRPS*l.Seconds)
	}
}

func TestReplayErrors(t *testing.T) {
	for name, arrivals := range map[string][]float64{
		"none": nil, "descending": {1, 0.5}, "negative": {-1, 0},
	} {
		plan := unpark.Plan{Mode: unpark.Replay, Arrivals: arrivals, Requests: []unpark.Request{{URL: "http://127.0.0.1:1/"}}}
		if g, err := Start(context.Background(), plan); err == nil {
			g.Stop()
			t.Errorf("%s: no error", name)
		}
	}
}

// TestWaiting: what the plan says of waiting is checked, and has a default.
func TestWaiting(t *testing.T) {
	for name, tt := range map[string]struct {
		coalesce, spin float64
		quantum        int64 // −1: an error
	}{
		"default":  {0, 0, 20_000},
		"none":     {-1, 0, 0},
		"50 µs":    {50e-6, 100e-6, 50_000},
		"too long": {2, 0, -1},
		"backward": {0, -1, -1},
	} {
		plan := unpark.Plan{
			Mode: unpark.Constant, RateRPS: 10, Coalesce: tt.coalesce, Spin: tt.spin,
			Requests: []unpark.Request{{URL: "http://127.0.0.1:1/"}},
		}
		s, err := newSettings(plan)
		if (err != nil) != (tt.quantum < 0) {
			t.Errorf("%s: error %v", name, err)
		} else if err == nil && (s.quantum != tt.quantum || s.spin != nanos(tt.spin)) {
			t.Errorf("%s: quantum %d, spin %d", name, s.quantum, s.spin)
		}
	}
}

// TestAnsweredSoFar: a stretch says while it goes on how many answers came within it, and afterwards what its result says.
func TestAnsweredSoFar(t *testing.T) { everyEngine(t, testAnsweredSoFar) }

func testAnsweredSoFar(t *testing.T) {
	url := serve(t, hello)
	plan := closed(3, unpark.Request{URL: url})
	plan.Think = 0.002
	g := start(t, plan)
	until(t, "answers before the window", func() bool { return g.First().Answered() > 20 })
	s := g.Begin("window")
	before := g.First().Answered()
	until(t, "answers", func() bool { return s.Answered() > 10 })
	if now := g.First().Answered(); now != before {
		t.Errorf("%d of the stretch before, which had %d when it was over", now, before)
	}
	rest := g.Begin("rest")
	seen := s.Answered()
	until(t, "answers after it", func() bool { return rest.Answered() > 10 })
	l := s.Load(soon(t))
	if got := s.Answered(); got != l.Requests || got != seen {
		t.Errorf("%d answered, %d at the end of the stretch, %d in its result", got, seen, l.Requests)
	}
}
