package evidence_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"runtime/trace"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/evidence"
)

// shelf is a service with one lock.
type shelf struct {
	mu   sync.Mutex
	hold time.Duration
	rest [][]byte
}

func (s *shelf) get() {
	s.mu.Lock()
	defer s.mu.Unlock()
	time.Sleep(s.hold)
}

func (s *shelf) litter(n int) int {
	sum := 0
	for i := range n {
		b := make([]*[64]byte, 64)
		for j := range b {
			b[j] = new([64]byte)
		}
		sum += len(b) + i
	}
	return sum
}

// traced serves requests of some clients while it is traced, and returns the trace.
func traced(t *testing.T, clients, each int, serve http.HandlerFunc) evidence.Trace {
	t.Helper()
	server := httptest.NewServer(serve)
	defer server.Close()
	var out bytes.Buffer
	if err := trace.Start(&out); err != nil {
		t.Skip("the test itself is traced: ", err)
	}
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for range each {
				resp, err := http.Get(server.URL)
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
	wg.Wait()
	trace.Stop()
	return evidence.Trace{Name: "trace.out", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(out.Bytes())), nil }}
}

func reduce(traces ...evidence.Trace) (facts.Evidence, []unpark.Notice) {
	ev, _, notices := evidence.Reduce(evidence.Input{
		Target: unpark.Target{Module: "github.com/unpark-go/unpark/evidence_test"}, Traces: traces,
	})
	return ev, notices
}

// A lock that is held across a sleep, and one handler in eight that does not take
// it: the slowest wait for the lock, whose holder sleeps.
func TestTracingNamesWaiterAndHolder(t *testing.T) {
	s := &shelf{hold: 2 * time.Millisecond}
	tr := traced(t, 10, 30, func(http.ResponseWriter, *http.Request) { s.get() })
	ev, _ := reduce(tr)
	got := ev.Tracing
	if got == nil {
		t.Fatal("no tracing")
	}
	if !got.Inferred || got.Requests < 290 || got.Requests > 300 || got.Processes != 1 {
		t.Errorf("%d requests, inferred %t, %d processes; want about 300, true, 1", got.Requests, got.Inferred, got.Processes)
	}
	if got.Explained.Or(0) < 0.95 {
		t.Errorf("explained %v of the slowest", got.Explained)
	}
	if len(got.Edges) == 0 {
		t.Fatal("no goroutine waits on another")
	}
	e := got.Edges[0]
	if e.Class != unpark.WaitLock || !strings.HasSuffix(e.Waiter.Function, "(*shelf).get") || !strings.HasSuffix(e.Holder.Function, "(*shelf).get") {
		t.Errorf("edge %s: %s waits for %s", e.Class, e.Waiter, e.Holder)
	}
	if len(e.Held) == 0 || e.Held[0].Class != unpark.WaitSleep || e.Held[0].Share < 0.5 || e.Held[0].Call.Function != "time.Sleep" {
		t.Errorf("the holder's time: %+v", e.Held)
	}
	// All but a few of the 300 are held while others wait.
	if h := e.Hold; h == nil || h.N < 100 || h.N > 299 || h.Mean < 2e-3 || h.Mean > 20e-3 || !h.SCV.Known() {
		t.Errorf("holds: %+v", e.Hold)
	}
	sum := 0.0
	for _, st := range got.States {
		sum += st.All
	}
	if sum < 0.999*got.Wall.Mean || sum > 1.001*got.Wall.Mean {
		t.Errorf("the states add up to %g s, requests take %g s", sum, got.Wall.Mean)
	}
	// Without a block profile the same lock comes from the trace.
	if len(ev.Locks) == 0 || !strings.HasSuffix(ev.Locks[0].Holder.Function, "(*shelf).get") || ev.Locks[0].Side != unpark.RequestPath {
		t.Errorf("locks: %+v", ev.Locks)
	}
	if n := ev.Requests.Or(0); n < 290 || n > 300 {
		t.Errorf("%g requests in the window", n)
	}
}

// Garbage makes the slowest slow, and an uncontended lock does not.
func TestTracingBlamesTheCollector(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	s := &shelf{}
	for range 2000 { // something to mark
		s.rest = append(s.rest, make([]byte, 4096))
	}
	tr := traced(t, 4, 250, func(http.ResponseWriter, *http.Request) {
		s.litter(40)
	})
	ev, _ := reduce(tr)
	if ev.Tracing == nil || ev.Tracing.Tail.N == 0 {
		t.Fatalf("no slowest requests: %+v", ev.Tracing)
	}
	collecting, lock := 0.0, 0.0
	for _, st := range ev.Tracing.States {
		switch st.Class {
		case unpark.WaitGC, unpark.WaitGCAssist, unpark.WaitSTW:
			collecting += st.Tail - st.Middle
		case unpark.WaitLock:
			lock += st.Tail - st.Middle
		}
	}
	if collecting <= lock {
		t.Errorf("of the slowest %g s/req more are the collector's, %g s a lock's; states %+v", collecting, lock, ev.Tracing.States)
	}
}

// A bad trace is told, and the good one beside it is used.
func TestBadTraceIsANotice(t *testing.T) {
	s := &shelf{}
	good := traced(t, 2, 60, func(http.ResponseWriter, *http.Request) { s.get() })
	bad := evidence.Trace{Name: "window-01/7/trace.out", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("no trace at all")), nil
	}}
	ev, notices := reduce(bad, good)
	if ev.Tracing == nil || ev.Tracing.Processes != 1 {
		t.Fatalf("the good trace was not used: %+v", ev.Tracing)
	}
	for _, n := range notices {
		if n.Code == "trace-unreadable" && strings.Contains(n.Message, "window-01/7/trace.out") && n.Cure != "" {
			return
		}
	}
	t.Errorf("no word of the bad one: %v", notices)
}

// Too few requests make no slowest 1 %.
func TestFewRequestsMakeNoCohorts(t *testing.T) {
	s := &shelf{}
	ev, _ := reduce(traced(t, 1, 20, func(http.ResponseWriter, *http.Request) { s.get() }))
	if got := ev.Tracing; got == nil || got.Requests == 0 || got.Tail.N != 0 || len(got.Excess) != 0 || got.Explained.Known() {
		t.Errorf("%+v", got)
	}
}

// A snapshot that was taken because a request was slow adds to the slowest, and to
// nothing else.
func TestSnapshotsAreNoSample(t *testing.T) {
	s := &shelf{}
	fast := traced(t, 4, 60, func(http.ResponseWriter, *http.Request) { s.get() })
	slow := traced(t, 2, 3, func(http.ResponseWriter, *http.Request) { time.Sleep(200 * time.Millisecond) })
	slow.Snapshot = true
	alone, _ := reduce(fast)
	both, _ := reduce(fast, slow)
	a, b := alone.Tracing, both.Tracing
	if a.Requests != b.Requests || a.Wall.Max != b.Wall.Max || b.Processes != 1 {
		t.Errorf("%d requests and at most %g s, want %d and %g of the fair trace", b.Requests, b.Wall.Max, a.Requests, a.Wall.Max)
	}
	if b.Tail.N < a.Tail.N+5 || b.Tail.Mean < 0.05 {
		t.Errorf("the slowest are %d with a mean of %g s, want those of the snapshot among them", b.Tail.N, b.Tail.Mean)
	}
	if only, _ := reduce(slow); only.Tracing.Requests < 5 {
		t.Errorf("a snapshot alone: %+v", only.Tracing)
	}
}
