package fleet

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// TestReady: an agent that says it is ready has everything that takes long, and gives it back when it is not needed. A start that
// is too near to be met is refused, one that can be met is not.
func TestReady(t *testing.T) {
	t.Parallel()
	f, join := open(t)
	c := start(t, f.URL(), join, "a", -2*time.Second)
	agents, err := f.Choose(t.Context(), "1", 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	prepared := func() *Session {
		s := &Session{f: f, o: order(agents, plan(t, serve(t).url, unpark.Constant, 50, 1)), run: "ready", stopping: make(chan struct{})}
		s.Course = &Course{s: s, phases: s.o.Phases}
		if err := s.split(); err != nil {
			t.Fatal(err)
		}
		if err := s.listen(); err != nil {
			t.Fatal(err)
		}
		s.loops.Go(s.lease)
		if err := s.each(func(m *member) error { return s.prepare(t.Context(), m) }); err != nil {
			t.Fatal(err)
		}
		return s
	}
	idle := pollers(t, c.Process.Pid)
	s := prepared()
	if n := pollers(t, c.Process.Pid); n <= idle {
		t.Errorf("it is ready, and has no poller: %d before, %d now", idle, n)
	}
	name := func(ahead time.Duration) error {
		s.start = f.clock.Now() + int64(ahead)
		return s.each(func(m *member) error { return s.name(t.Context(), m) })
	}
	if err := name(200 * time.Millisecond); err == nil || !strings.Contains(err.Error(), "agent a: it heard ") {
		t.Errorf("a start in 0.2 s: %v", err)
	}
	s.End()
	if n := pollers(t, c.Process.Pid); n != idle {
		t.Errorf("it was let go, and has %d pollers more", n-idle)
	}
	s = prepared()
	if err := name(startAfter); err != nil {
		t.Fatal(err)
	}
	if r, err := s.Wait(t.Context()); err != nil || r.Agents[0].Start.Or(0) == 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// pollers is how many sets of descriptors a process waits for.
func pollers(t *testing.T, pid int) (n int) {
	t.Helper()
	open, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil || len(open) == 0 {
		t.Fatal(open, err)
	}
	for _, one := range open {
		if to, err := os.Readlink(one); err == nil && strings.Contains(to, "eventpoll") { // others may close meanwhile
			n++
		}
	}
	return n
}
