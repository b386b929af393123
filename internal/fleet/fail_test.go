//go:build unix

package fleet

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/rota"
)

// TestAgentsThatFail: one is killed and one stands still for longer than its link may be
// lost; their parts are void, the third's is not touched by that, and nothing hangs.
func TestAgentsThatFail(t *testing.T) {
	if !rota.Long(2, 3) {
		t.Skip("not its day")
	}
	t.Parallel()
	f, join := open(t)
	s := serve(t)
	killed, still := start(t, f.URL(), join, "a", 0), start(t, f.URL(), join, "b", 0)
	start(t, f.URL(), join, "c", 0)
	agents, err := f.Choose(t.Context(), "a,b,c", 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	session, err := f.Begin(t.Context(), order(agents, plan(t, s.url, unpark.Poisson, 90, 7)))
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Until(session.Start().Add(time.Second)))
	_ = killed.Process.Kill()
	_ = still.Process.Signal(syscall.SIGSTOP)
	time.AfterFunc(3500*time.Millisecond, func() { _ = still.Process.Signal(syscall.SIGCONT) })
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
	defer cancel()
	r, err := session.Wait(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.Agents[0].Void, "said nothing") || !strings.Contains(r.Agents[1].Void, "lost its link") {
		t.Errorf("a: %q, b: %q", r.Agents[0].Void, r.Agents[1].Void)
	}
	if len(r.Void) != 1 || !strings.Contains(r.Void[0].Message, "a: it has said nothing") || !strings.Contains(r.Void[0].Message, "b: it lost its link") {
		t.Errorf("void: %+v", r.Void)
	}
	if r.Agents[2].Void == "" && !strings.Contains(r.Void[0].Message, "the other 1 of 3: 30.0 of 90.0 req/s") {
		t.Errorf("what the rest is worth is not said: %s", r.Void[0].Message)
	}
	// What the service had is what counts and what does not, but for the last moment of the one that was killed.
	s.mu.Lock()
	defer s.mu.Unlock()
	if l, _, _ := r.Loads(); l != nil {
		if seen := float64(len(s.seen)); l.Answered() > seen || l.Answered() < 0.7*seen || l.Beside.Or(0) <= 0 {
			t.Errorf("the service had %v requests; %d count and %v do not", seen, l.Requests, l.Beside)
		}
	}
}

// TestCoordinatorDies: without a coordinator agents end their load by themselves.
func TestCoordinatorDies(t *testing.T) {
	if !rota.Long(1, 3) {
		t.Skip("not its day")
	}
	t.Parallel()
	f, join := open(t)
	s := serve(t)
	start(t, f.URL(), join, "a", 0)
	agents, err := f.Choose(t.Context(), "1", 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	session, err := f.Begin(t.Context(), order(agents, plan(t, s.url, unpark.Constant, 50, 60)))
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Until(session.Start().Add(500 * time.Millisecond)))
	f.Close() // as by its death: no word to anybody
	died := time.Now()
	for deadline := died.Add(30 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		quiet := time.Since(time.Unix(0, s.last.Load()))
		if s.last.Load() > 0 && quiet > 2*time.Second {
			t.Logf("the load ended %v after the coordinator", time.Since(died)-quiet)
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the load goes on without a coordinator")
		}
	}
}
