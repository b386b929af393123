package agent

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// abandon starts a request and returns what makes its client vanish.
func abandon(t *testing.T, c *http.Client, url string) context.CancelFunc {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		if resp, err := c.Do(r); err == nil {
			<-ctx.Done()
			resp.Body.Close()
		}
	}()
	return cancel
}

// takeLease asks for a lease and returns what was granted and the held answer.
func takeLease(t *testing.T, c *http.Client, query string) (grant, *http.Response, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, "GET", "http://unix/debug/unpark/lease?"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	if resp.StatusCode != 200 {
		t.Fatalf("lease: %s", resp.Status)
	}
	line, err := bufio.NewReader(resp.Body).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var g grant
	if err := json.Unmarshal(line, &g); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return g, resp, cancel
}

func fraction() int { return runtime.SetMutexProfileFraction(-1) }

// waits blocks n goroutines for a millisecond each, one after the other.
//
//go:noinline
func waits(n int) {
	for i := 0; i < n; i++ {
		c := make(chan struct{})
		time.AfterFunc(time.Millisecond, func() { close(c) })
		<-c
	}
}

// recorded returns how many of those waits the block profile has.
func recorded() int64 {
	records := make([]runtime.BlockProfileRecord, 1<<14)
	n, _ := runtime.BlockProfile(records)
	var sum int64
	for _, r := range records[:n] {
		frames := runtime.CallersFrames(r.Stack())
		for {
			f, more := frames.Next()
			if strings.HasSuffix(f.Function, "/agent.waits") {
				sum += r.Count
			}
			if !more {
				break
			}
		}
	}
	return sum
}

// One of them is enough: a timer that fires before its receiver is there, on a
// busy machine, makes no wait.
func blockIsOn() bool {
	before := recorded()
	waits(10)
	return recorded() > before
}

func blockIsOff() bool {
	before := recorded()
	waits(10)
	return recorded() == before
}

func TestLeaseEnds(t *testing.T) {
	runtime.SetMutexProfileFraction(7)
	defer runtime.SetMutexProfileFraction(0)
	tests := []struct {
		name, ttl string
		end       func(a *Agent, vanish context.CancelFunc)
	}{
		{"the client vanishes", "600", func(_ *Agent, vanish context.CancelFunc) { vanish() }},
		{"its time is over", "1", func(*Agent, context.CancelFunc) {}},
		{"the agent closes", "600", func(a *Agent, _ context.CancelFunc) { a.Close() }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, client := startUnix(t, Options{BlockProfileRate: -1})
			g, _, vanish := takeLease(t, client, "block=1000&mutex=1&ttl="+tt.ttl)
			if !g.Granted || g.Block == nil || *g.Block != 1000 || g.Mutex != 1 || len(g.Notes) != 1 {
				t.Errorf("granted %+v", g)
			}
			// The lease of one second may be over by now on a busy machine.
			if tt.ttl != "1" && (fraction() != 1 || !blockIsOn() || !Active()) {
				t.Errorf("while leased: mutex fraction %d, block on %v, active %v", fraction(), blockIsOn(), Active())
			}
			tt.end(a, vanish)
			eventually(t, "the mutex fraction is back", func() bool { return fraction() == 7 && !Active() })
			if !blockIsOff() {
				t.Error("waits are still recorded")
			}
		})
	}
}

// ttl ends an answer properly: the client reads its end, no broken stream.
func TestLeaseAnswerEnds(t *testing.T) {
	_, client := startUnix(t, Options{BlockProfileRate: -1})
	resp, body := get(t, client, "http://unix/debug/unpark/lease?mutex=1&ttl=1")
	if resp.StatusCode != 200 || !strings.HasPrefix(body, `{"granted":true,"block_ns":0,"mutex_fraction":1,"notes":[],"id":"`) || !strings.HasSuffix(strings.TrimRight(body, "\n"), `"}`) {
		t.Errorf("%s: %s", resp.Status, body)
	}
}

func TestOneLease(t *testing.T) {
	_, client := startUnix(t, Options{BlockProfileRate: -1})
	_, _, vanish := takeLease(t, client, "block=1000&mutex=2&ttl=600")
	resp, body := get(t, client, "http://unix/debug/unpark/lease?block=1&mutex=1&ttl=1")
	if resp.StatusCode != http.StatusConflict {
		t.Errorf("second lease: %s: %s", resp.Status, body)
	}
	if fraction() != 2 {
		t.Errorf("the second lease changed the fraction to %d", fraction())
	}
	if _, body := get(t, client, "http://unix/debug/unpark/info"); !strings.Contains(body, `"leased":true`) || !strings.Contains(body, `"block_rate":1000`) {
		t.Errorf("info while leased: %s", body)
	}
	vanish()
	eventually(t, "the lease is free", func() bool { return !Active() })
	takeLease(t, client, "block=1000&mutex=2&ttl=600")
}

// The mutex fraction is leased from before the load, the block rate for a window
// within: one does not stand in the way of the other, and each has its own end.
func TestRatesAreLentApart(t *testing.T) {
	_, client := startUnix(t, Options{BlockProfileRate: -1})
	_, _, endMutex := takeLease(t, client, "mutex=2&ttl=600")
	if Active() {
		t.Error("the mutex fraction alone opens a window")
	}
	_, _, endBlock := takeLease(t, client, "block=1000&ttl=600")
	for _, query := range []string{"mutex=1&ttl=1", "block=1&ttl=1", "block=1&mutex=1&ttl=1"} {
		if resp, _ := get(t, client, "http://unix/debug/unpark/lease?"+query); resp.StatusCode != http.StatusConflict {
			t.Errorf("%s: %s", query, resp.Status)
		}
	}
	if !Active() || fraction() != 2 || !blockIsOn() {
		t.Errorf("active %v, fraction %d", Active(), fraction())
	}
	endBlock()
	eventually(t, "the window is closed", func() bool { return !Active() })
	if fraction() != 2 || !blockIsOff() {
		t.Errorf("after the block lease: fraction %d", fraction())
	}
	endMutex()
	eventually(t, "the mutex fraction is back", func() bool { return fraction() == 0 })
}

func TestLeaseNumbers(t *testing.T) {
	_, client := startUnix(t, Options{BlockProfileRate: -1})
	for _, query := range []string{
		"block=1000&mutex=1", "ttl=0", "ttl=-1", "ttl=x", "ttl=1.5", "ttl=86401", "ttl=99999999999999999999",
		"ttl=1&block=-1", "ttl=1&block=1.5", "ttl=1&block=1ms", "ttl=1&mutex=-1", "ttl=1&mutex=x",
	} {
		resp, body := get(t, client, "http://unix/debug/unpark/lease?"+query)
		if resp.StatusCode != 400 || !strings.Contains(body, "invalid value for") {
			t.Errorf("%s: %s: %s", query, resp.Status, body)
		}
	}
	if Active() {
		t.Error("a refused lease is held")
	}
}

// stuckWriter blocks every write until a deadline in the past or near is set, as
// a connection does whose client holds it without reading.
type stuckWriter struct {
	http.ResponseWriter
	once sync.Once
	free chan struct{}
	in   chan struct{}
}

func (s *stuckWriter) Write([]byte) (int, error) {
	close(s.in)
	<-s.free
	return 0, context.DeadlineExceeded
}
func (s *stuckWriter) FlushError() error { return nil }
func (s *stuckWriter) SetWriteDeadline(at time.Time) error {
	if !at.IsZero() {
		s.once.Do(func() { close(s.free) })
	}
	return nil
}

func TestLeaseWithClientThatDoesNotRead(t *testing.T) {
	w := &stuckWriter{free: make(chan struct{}), in: make(chan struct{})}
	released := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		hold(ctx, w, term{ttl: time.Hour}, func() { close(released) })
	}()
	<-w.in
	cancel()
	<-released
	<-done
}

// A run that is longer than a term keeps its rates, without a moment in which they are
// the service's.
func TestLeaseIsRenewed(t *testing.T) {
	_, client := startUnix(t, Options{})
	g, resp, _ := takeLease(t, client, "mutex=7&ttl=3600")
	renew := func(query string) int {
		resp, _ := get(t, client, "http://unix/debug/unpark/lease/renew?"+query)
		return resp.StatusCode
	}
	for query, want := range map[string]int{"id=" + g.ID + "&ttl=7200": 200, "id=x&ttl=9": 404, "ttl=9": 404, "id=" + g.ID: 400, "id=" + g.ID + "&ttl=90000": 400} {
		if got := renew(query); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
	if g.ID == "" || fraction() != 7 {
		t.Errorf("lease %q, fraction %d", g.ID, fraction())
	}
	// The new term counts, not the first: an hour is not waited for.
	if got := renew("id=" + g.ID + "&ttl=1"); got != 200 {
		t.Fatal(got)
	}
	eventually(t, "the new term is over", func() bool { return fraction() == 0 })
	resp.Body.Close()
	eventually(t, "it is forgotten", func() bool { return renew("id="+g.ID+"&ttl=9") == 404 })
}
