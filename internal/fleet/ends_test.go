package fleet

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/agent"
	"github.com/unpark-go/unpark/internal/fleet/hub"
)

// ending is an agent in this process that is to end by itself.
func ending(t *testing.T, url, file string, o agent.Options) (ended <-chan error, said func() string) {
	t.Helper()
	join, err := hub.ReadJoin(file)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var all strings.Builder
	o.Join, o.Address = join, url
	o.Say = func(line string) {
		mu.Lock()
		defer mu.Unlock()
		all.WriteString(line + "\n")
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	done := make(chan error, 1)
	go func() { done <- agent.Run(ctx, o) }()
	return done, func() string { mu.Lock(); defer mu.Unlock(); return all.String() }
}

func ends(t *testing.T, ended <-chan error, said func() string, word string) {
	t.Helper()
	select {
	case err := <-ended:
		if err != nil || !strings.Contains(said(), word) {
			t.Errorf("it ended with %v, and said %q", err, said())
		}
	case <-time.After(60 * time.Second):
		t.Errorf("it goes on; it said %q", said())
	}
}

// TestAgentEndsByItself: an agent in a service's pod has nothing that ends it when its coordinator is gone.
func TestAgentEndsByItself(t *testing.T) {
	t.Parallel()
	f, join := open(t)
	never, saidNever := ending(t, "nats://127.0.0.1:1", join, agent.Options{Name: "never", For: 3 * time.Second})
	ends(t, never, saidNever, "no coordinator answers at nats://127.0.0.1:1 yet; it is sought\nends, as it was to after 3s")
	timed, saidTimed := ending(t, f.URL(), join, agent.Options{Name: "timed", For: 2 * time.Second})
	ends(t, timed, saidTimed, "connected; waits for a run, until Ctrl-C\nends, as it was to after 2s")
	time.Sleep(200 * time.Millisecond)
	if strings.Contains(saidTimed(), "link") {
		t.Errorf("of a link that it ended itself: %s", saidTimed())
	}
	idle, saidIdle := ending(t, f.URL(), join, agent.Options{Name: "idle", Idle: 500 * time.Millisecond})
	agents, err := f.Choose(t.Context(), "1", 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(3 * time.Second) // it has done nothing yet, and so is not done
	select {
	case err := <-idle:
		t.Fatalf("it ended before it was asked for anything: %v", err)
	default:
	}
	session, err := f.Begin(t.Context(), order(agents, plan(t, serve(t).url, unpark.Constant, 50, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if r, err := session.Wait(t.Context()); err != nil {
		t.Errorf("%+v, %v", r, err)
	}
	f.Close()
	ends(t, idle, saidIdle, "was asked no more for 500ms")
}

// TestAgentSaysOnce: that the coordinator is gone in the middle of a run is one line, and what becomes of the run another; a
// coordinator that refuses the credential is told once, and is no link that was lost.
func TestAgentSaysOnce(t *testing.T) {
	t.Parallel()
	f, join := open(t)
	_, said := ending(t, f.URL(), join, agent.Options{Name: "a"})
	agents, err := f.Choose(t.Context(), "1", 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Begin(t.Context(), order(agents, plan(t, serve(t).url, unpark.Constant, 20, 60))); err != nil {
		t.Fatal(err)
	}
	f.Close()
	for deadline := time.Now().Add(time.Minute); !strings.Contains(said(), "nothing of it is handed in") && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
	}
	if all := said(); strings.Count(all, "was not heard of for 5s") != 1 || strings.Count(all, "nothing of it is handed in") != 1 || strings.Count(all, "the coordinator is gone, or the link to it") != 1 {
		t.Errorf("said: %s", all)
	}

	f, _ = open(t)
	_, said = ending(t, f.URL(), join, agent.Options{Name: "b"})
	for deadline := time.Now().Add(time.Minute); !strings.Contains(said(), "copy the credential again") && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
	}
	time.Sleep(4 * time.Second) // two of its rounds, in which it must not be said again
	if all := said(); strings.Count(all, "copy the credential again") != 1 || strings.Contains(all, "link") || strings.Contains(all, "no coordinator answers") {
		t.Errorf("of a wrong credential: %s", all)
	}
}
