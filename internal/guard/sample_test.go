package guard

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/window"
	"github.com/unpark-go/unpark/probe"
	"github.com/unpark-go/unpark/probe/agent"
)

// probed starts a probe in this process, with a middleware, and returns its endpoint.
func probed(t *testing.T) (*window.Endpoint, http.Handler) {
	t.Helper()
	dir, err := os.MkdirTemp("", "u") // short: it is part of a socket's path
	if err != nil {
		t.Fatal(err)
	}
	a, err := agent.Start(agent.Options{Address: "unix:" + dir, BlockProfileRate: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		os.RemoveAll(dir)
	})
	h := probe.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			<-r.Context().Done()
		}
	}))
	e, err := window.NewEndpoint("unix://"+strings.TrimPrefix(a.Addr(), "unix:"), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	if err := e.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	e.Locate(t.Context())
	return e, h
}

// TestSampler reads every metric of a real probe.
func TestSampler(t *testing.T) {
	e, h := probed(t)
	ctx, cancel := context.WithCancel(t.Context())
	s := startSampler(ctx, []*window.Endpoint{e})
	until := func(what string, ok func(reading) bool) {
		t.Helper()
		var r reading
		for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			var err error
			if r, err = s.read(ctx); err != nil {
				t.Fatal(err)
			}
			if ok(r) {
				return
			}
		}
		t.Fatalf("never %s: %v", what, r.values)
	}
	at := func(r reading, m metric) unpark.Number { return r.values[m].Value }
	until("told of the process", func(r reading) bool {
		return at(r, goroutines).Or(0) >= 1 && at(r, heap).Or(0) > 0 && at(r, cpu).Known()
	})
	slow, release := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(slow, "GET", "/slow", nil))
		})
	}
	until("told of three requests that have not ended", func(r reading) bool { return at(r, inFlight) == unpark.Num(3) })
	release()
	wg.Wait()
	until("told how long they took", func(r reading) bool { return r.values[p99].N == 3 && at(r, p99).Or(0) > 0 })
	until("told that there are none", func(r reading) bool { return !at(r, p99).Known() && at(r, inFlight) == unpark.Num(0) })
	cancel()
	if err := <-s.lost; err == nil {
		t.Error("it is lost without a reason")
	}
}

// TestCheck: what a target never tells is refused with what it takes, and the rest is not.
func TestCheck(t *testing.T) {
	whole := &window.Endpoint{Address: "a", Local: 7, Info: &window.Info{Vitals: true, Middleware: true, GOMAXPROCS: 2, NumCPU: 4}}
	bare := &window.Endpoint{Address: "b", Info: &window.Info{Vitals: true, GOMAXPROCS: 2, NumCPU: 4}}
	plain := &window.Endpoint{Address: "c"}
	outside := &window.Endpoint{Address: "process 9", Local: 9, Info: &window.Info{Vitals: true, Attached: true, GOMAXPROCS: 2, NumCPU: 4}}
	for _, tt := range []struct {
		when string
		of   []*window.Endpoint
		log  string
		want string // empty: it can be told
	}{
		{"p99>1s or p50>1s or max>1s or inflight>5 or cpu>90% or gc>5% or heap>1GB or rss>1GB or goroutines>5 or signal", []*window.Endpoint{whole}, "", ""},
		{"p99>1s", []*window.Endpoint{whole, bare}, "", ""}, // workers of one service behind a front without a middleware
		{"p99>1s", []*window.Endpoint{bare}, "", "probe.Handler"},
		{"inflight>5", []*window.Endpoint{plain}, "", "probe.Handler"},
		{"rss>1GB", []*window.Endpoint{bare}, "", "not known to be on this machine"},
		{"cpu>1", []*window.Endpoint{bare}, "", ""},
		{"cpu>1", []*window.Endpoint{plain}, "", "not told by net/http/pprof"},
		{"cpu>90%", []*window.Endpoint{plain}, "", "name cores"},
		{"heap>1GB", []*window.Endpoint{outside}, "", "rss is known"},
		{"gc>9%", []*window.Endpoint{plain}, "", "probe"},
		{"cpu>90% or goroutines>5 or rss>1GB", []*window.Endpoint{outside}, "", ""},
		{"log~x", []*window.Endpoint{plain}, "", "--log"},
		{"log~x", []*window.Endpoint{plain}, "file", ""},
	} {
		conditions, err := Parse(tt.when)
		if err != nil {
			t.Fatal(err)
		}
		err = check(conditions, tt.of, tt.log)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s of %s: %v, want %q", tt.when, tt.of[0].Address, err, tt.want)
		}
	}
}

// TestEventsInWords: one line each, whatever a log or a service says.
func TestEventsInWords(t *testing.T) {
	next := time.Unix(0, 0)
	v := unpark.Quantity{Value: unpark.Num(0.312), Unit: "s", N: 431}
	for _, tt := range []struct {
		e    Event
		want string
	}{
		{Event{Kind: armed, Guard: "p99>200ms", Processes: []string{"a", "b"}, Condition: "p99", Value: &v, Flight: true}, "armed: p99>200ms on a, b, flight recorder on; p99 is now 312 ms"},
		{Event{Kind: triggers, Condition: "p99>200ms", Value: &v}, "fired: p99>200ms, it is 312 ms over 431 requests: capturing"},
		{Event{Kind: triggers, Condition: "log~x", Line: "\x1b[31mx"}, `fired: log~x, in the line "\x1b[31mx": capturing`},
		{Event{Kind: leftOut, Condition: "p99>200ms", Value: &v, LeftOut: 2, Next: &next}, "(2 left out so far)"},
		{Event{Kind: lost, Error: "gone\nfor good"}, "the target is lost: gone for good; waiting until it is back"},
		{Event{Kind: failed, Error: "full", Dir: "d.partial"}, "not caught: full; what was captured is kept: unpark report d.partial"},
		{Event{Kind: ended, Catch: 1}, "disarmed: 1 catch, 0 left out by the limit"},
		{Event{Kind: caught, Catch: 3, Condition: "signal", Dir: "d", LeftOut: 1, Removed: []string{"x"}}, "caught (3): signal; d; 1 more fired meanwhile; removed the oldest 1"},
	} {
		if got := tt.e.String(); !strings.Contains(got, tt.want) || strings.ContainsAny(got, "\n\x1b") {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
