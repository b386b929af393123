package fleet

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// TestPhasesThatFollow: an order whose window is not known yet is one load: what comes of a block is of all agents together, the
// window follows when it is named, and no request is sent twice or left out on the way.
func TestPhasesThatFollow(t *testing.T) {
	t.Parallel()
	f, join := open(t)
	s := serve(t)
	for i, shift := range []time.Duration{2 * time.Second, 0} {
		start(t, f.URL(), join, string(rune('a'+i)), shift)
	}
	agents, err := f.Choose(t.Context(), "2", 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	o := order(agents, plan(t, s.url, unpark.Constant, 100, 1))
	o.Open, o.Phases = true, Phases(200*time.Millisecond, 0, 0, 0, false)
	session, err := f.Begin(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer session.End()
	if name, _ := session.Course.Phase(); name != "warmup" {
		t.Errorf("before its first block it is in %q", name)
	}
	for range 4 {
		l, err := session.Course.Block(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		// An agent that has no processor begins a block late; what it holds is what was sent in it.
		if rate := float64(l.Response.N) / l.Seconds; rate < 96 || rate > 104 || l.Seconds < 0.5 || l.Seconds > 1.5 {
			t.Errorf("a block of 1 s at 100 req/s of two agents has %d answers in %g s", l.Response.N, l.Seconds)
		}
	}
	// Two are named ahead, so that the load has no stretch between them of which nothing is known.
	known := session.Course.Phases()[1:]
	if len(known) != 6 {
		t.Errorf("%d blocks are known after four were asked for", len(known))
	}
	for i, p := range known[1:3] {
		if gap := p.At - known[i].At - known[i].Length; gap != 0 {
			t.Errorf("%v between block %d and the next", gap, i+1)
		}
	}
	if l, err := session.Course.Block(t.Context(), 0.5); err != nil || l.Seconds > 0.9 {
		t.Errorf("a shorter block: %g s, %v", l.Seconds, err)
	}
	if err := session.Course.Last(t.Context(), Phases(0, time.Second, 0, 0, false)); err != nil {
		t.Fatal(err)
	}
	if err := session.Course.Last(t.Context(), Phases(0, time.Second, 0, 0, false)); err == nil || !strings.Contains(err.Error(), "known already") {
		t.Errorf("phases after the last: %v", err)
	}
	r, err := session.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case r.Measured() >= 0:
		if n := len(r.Record.Stretches); n != 1 {
			t.Errorf("%d stretches are measured, want the window alone", n)
		}
		if l := r.Record.Load(r.Measured()); len(r.Void) == 0 && (l.Response.N < 98 || l.Response.N > 102) {
			t.Errorf("the window of 1 s has %d answers", l.Response.N)
		}
	// On a machine that other programs hold, both parts may be void, and say so; what was sent is counted all the same.
	case len(r.Void) != 1 || !strings.Contains(r.Void[0].Message, "which other programs of that machine had"):
		t.Fatalf("no window: %+v", r.Void)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for k := range len(s.seen) - 50 { // of the last half second some are abandoned at the end, in any order
		want := 1
		if k == 0 {
			want += len(agents) // each has asked once whether the service answers
		}
		if got := s.seen["/"+strconv.Itoa(k)]; got != want {
			t.Errorf("request %d was sent %d times", k, got)
		}
	}
}

// TestNoMoreFollows: an order whose phases were all known takes no more, and an open one that is given up leaves its agents free.
func TestNoMoreFollows(t *testing.T) {
	t.Parallel()
	f, join := open(t)
	s := serve(t)
	start(t, f.URL(), join, "a", 0)
	agents, err := f.Choose(t.Context(), "1", 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	closed, err := f.Begin(t.Context(), order(agents, plan(t, s.url, unpark.Constant, 50, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := closed.Course.Block(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "known already") {
		t.Errorf("a block of an order that is closed: %v", err)
	}
	closed.End()
	o := order(agents, plan(t, s.url, unpark.Constant, 50, 1))
	o.Open = true
	abandoned, err := f.Begin(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if _, err := abandoned.Course.Block(ctx, 30); err == nil {
		t.Error("a block went on after it was given up")
	}
	abandoned.End()
	again, err := f.Begin(t.Context(), order(agents, plan(t, s.url, unpark.Constant, 50, 1)))
	if err != nil {
		t.Fatalf("the agent is not free: %v", err)
	}
	again.End()
}
