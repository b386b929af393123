package load

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/h1"
)

// listen serves raw connections and returns their address. Each accepted
// connection is closed when handle returns.
func listen(t testing.TB, handle func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { handle(c); _ = c.Close() }()
		}
	}()
	return l.Addr().String()
}

// readRequest reads until the end of a request's header.
func readRequest(c net.Conn) {
	var buf [4096]byte
	_, _ = c.Read(buf[:])
}

func reply(text string) func(net.Conn) {
	return func(c net.Conn) { readRequest(c); _, _ = io.WriteString(c, text) }
}

// refusedAddr is where nothing listens. A port that was just closed would be no such
// place: another test may be given it.
const refusedAddr = "127.0.0.1:1"

// TestFailureKinds makes each kind of failure with a real fault, in the load and
// in Check.
func TestFailureKinds(t *testing.T) { everyEngine(t, testFailureKinds) }

func testFailureKinds(t *testing.T) {
	tests := []struct {
		name, scheme, kind, cure string
		addr                     string
		timeout                  float64
	}{
		{"closed port", "http", failRefused, "is the target running", refusedAddr, 0},
		{"no answer", "http", failTimeout, "--timeout", listen(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }), 0.05},
		{"answer stops", "http", failTimeout, "--timeout", listen(t, func(c net.Conn) {
			reply("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")(c)
			_, _ = io.Copy(io.Discard, c)
		}), 0.05},
		{"reset", "http", failReset, "closed the connection", listen(t, func(c net.Conn) {
			readRequest(c)
			_ = c.(*net.TCPConn).SetLinger(0)
		}), 0},
		{"closed at once", "http", failEOF, "closed the connection", listen(t, readRequest), 0},
		{"body cut short", "http", failEOF, "closed the connection", listen(t, reply("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")), 0},
		{"garbage", "http", failProtocol, "--protocol", listen(t, reply("220 smtp ready\r\n\r\n")), 0},
		{"bad length", "http", failProtocol, "--protocol", listen(t, reply("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n")), 0},
		{"bad chunk", "http", failProtocol, "--protocol", listen(t, reply("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")), 0},
		{"plain text to https", "https", failTLS, "is it https", listen(t, reply("HTTP/1.1 400 Bad Request\r\n\r\n")), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			plan := closed(2, unpark.Request{URL: tt.scheme + "://" + tt.addr + "/"})
			if tt.timeout > 0 {
				plan.Timeout = tt.timeout
			}
			g := start(t, plan)
			s := g.First()
			until(t, "an error", func() bool { return g.Live().Errors > 0 })
			g.Begin("rest")
			l := s.Load(soon(t))
			if l.ErrorKinds[tt.kind] == 0 || l.ErrorKinds[tt.kind] != l.Errors || !strings.Contains(l.ErrorSample, "GET ") {
				t.Errorf("%d errors, kinds %v, %q", l.Errors, l.ErrorKinds, l.ErrorSample)
			}
			if l.Requests != 0 || len(l.Status) != 0 || l.Service.N != 0 {
				t.Errorf("failures count as answers: %d requests, status %v", l.Requests, l.Status)
			}
			wantLatency := int64(0)
			if tt.kind == failTimeout {
				wantLatency = l.Errors // as lower bounds
			}
			if l.Response.N != wantLatency {
				t.Errorf("%d latencies for %d errors", l.Response.N, l.Errors)
			}
			err := Check(soon(t), plan)
			if err == nil || !strings.Contains(err.Error(), tt.cure) {
				t.Errorf("Check: %v, want the cure %q", err, tt.cure)
			}
		})
	}
}

func TestClassify(t *testing.T) {
	op := func(err error) error {
		return &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", err)}
	}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{op(syscall.EADDRNOTAVAIL), failPorts},
		{op(syscall.EMFILE), failDescriptors},
		{op(syscall.ENFILE), failDescriptors},
		{op(syscall.ETIMEDOUT), failTimeout},
		{op(syscall.EPIPE), failReset},
		{op(syscall.ENETUNREACH), failOther},
		{&net.DNSError{Err: "no such host", Name: "x.invalid", IsNotFound: true}, failDNS},
		{&net.DNSError{Err: "i/o timeout", Name: "x.invalid", IsTimeout: true}, failDNS},
		{context.DeadlineExceeded, failTimeout},
		{tls.RecordHeaderError{Msg: "x"}, failTLS},
		{errors.New("remote error: tls: handshake failure"), failTLS},
		// The words of a server are none of ours.
		{fmt.Errorf("wrapped: %w", &h1.ProtocolError{Msg: `status line "tls: server closed"`}), failProtocol},
		{fmt.Errorf("wrapped: %w", io.ErrUnexpectedEOF), failEOF},
		{errors.New("http: server closed idle connection"), failEOF},
		{errors.New("something else"), failOther},
	} {
		if got := classify(tt.err); got != tt.want {
			t.Errorf("classify(%v) = %q, want %q", tt.err, got, tt.want)
		}
	}
}

// TestNoDialStorm: connections that fail are tried again ever more slowly.
func TestNoDialStorm(t *testing.T) {
	t.Parallel()
	everyEngine(t, testNoDialStorm)
}

func testNoDialStorm(t *testing.T) {
	t.Parallel()
	g := start(t, closed(5, unpark.Request{URL: "http://" + refusedAddr}))
	time.Sleep(500 * time.Millisecond)
	g.Stop()
	// 10+20+40+80+160+320 ms: no more than 6 tries for each connection.
	if n := g.Live().Errors; n == 0 || n > 5*6 {
		t.Errorf("%d tries of 5 connections within half a second", n)
	}
}

func TestRecovery(t *testing.T) {
	t.Parallel()
	everyEngine(t, testRecovery)
}

func testRecovery(t *testing.T) {
	t.Parallel()
	failing := make(chan struct{})
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-failing:
			hello(w, r)
		default:
			panic(http.ErrAbortHandler)
		}
	})
	g := start(t, closed(2, unpark.Request{URL: url}))
	until(t, "errors", func() bool { return g.Live().Errors > 1 })
	close(failing)
	s := g.Begin("well")
	until(t, "answers", func() bool {
		for _, w := range g.engine.connections() {
			if w.current.Load() <= s.start+int64(2*time.Second) {
				return false
			}
		}
		return true
	})
	g.Begin("rest")
	if l := s.Load(soon(t)); l.Requests == 0 || l.Errors > 2 {
		t.Errorf("after the target recovered: %d answers, %d errors %v", l.Requests, l.Errors, l.ErrorKinds)
	}
}

func TestTimeoutDoesNotHitTheNextRequest(t *testing.T) {
	everyEngine(t, testTimeoutDoesNotHitTheNextRequest)
}

func testTimeoutDoesNotHitTheNextRequest(t *testing.T) {
	t.Parallel()
	slow := make(chan struct{}, 1)
	slow <- struct{}{}
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-slow:
			select {
			case <-release:
			case <-r.Context().Done():
			}
		default:
			hello(w, r)
		}
	})
	plan := closed(1, unpark.Request{URL: url})
	plan.Timeout = 0.3
	g := start(t, plan)
	s := g.First()
	until(t, "answers after the timeout", func() bool { return g.engine.connections()[0].current.Load() > int64(600*time.Millisecond) })
	g.Begin("rest")
	l := s.Load(soon(t))
	if l.ErrorKinds[failTimeout] == 0 || l.Requests == 0 {
		t.Errorf("%d answers, errors %v", l.Requests, l.ErrorKinds)
	}
	if l.Response.Max < 0.29 {
		t.Errorf("max response %.3f s does not show the timeout of 0.3 s", l.Response.Max)
	}
}

func TestCheck(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/ok":
			hello(w, r)
		case "/moved":
			http.Redirect(w, r, "/ok", http.StatusMovedPermanently)
		default:
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = io.WriteString(w, "boom\x1b[31m"+strings.Repeat("x", 500))
		}
	}))
	t.Cleanup(s.Close)
	r := func(path string, expect ...int) unpark.Request {
		return unpark.Request{URL: s.URL + path, Expect: expect}
	}
	if err := Check(soon(t), closed(50, r("/ok"), r("/fail", 500))); err != nil {
		t.Errorf("all as expected: %v", err)
	}
	err := Check(soon(t), closed(50, r("/ok"), r("/fail"), r("/fail?again"), r("/moved", 200)))
	if err == nil {
		t.Fatal("no error for a status 500")
	}
	text := err.Error()
	for _, want := range []string{"status 500, expected 200–399", `"boom\x1b[31mxxx`, "--expect 500", "status 301, expected 200", `"/ok"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not say %q", text, want)
		}
	}
	if n := strings.Count(text, "status 500"); n != 1 {
		t.Errorf("the same error is reported %d times: %s", n, text)
	}
	if strings.Count(text, "x") > 250 || strings.Contains(text, "\x1b") {
		t.Errorf("the excerpt is long or raw: %q", text)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Check(ctx, closed(1, r("/ok"))); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if err := Check(soon(t), unpark.Plan{}); err == nil || !strings.Contains(err.Error(), "plan") {
		t.Errorf("no plan: %v", err)
	}
}

// TestCheckWaitsForAReadyTarget: one that answers 503 is asked again, any other status
// stands, and so does a 503 that the plan expects.
func TestCheckWaitsForAReadyTarget(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n := asked.Add(1); n < 3 || r.URL.Path == "/never" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	if err := Check(soon(t), closed(1, unpark.Request{URL: url + "/"})); err != nil || asked.Load() != 3 {
		t.Errorf("asked %d times: %v", asked.Load(), err)
	}
	asked.Store(10)
	if err := Check(soon(t), closed(1, unpark.Request{URL: url + "/never", Expect: []int{503}})); err != nil || asked.Load() != 11 {
		t.Errorf("a status that is expected, asked %d times: %v", asked.Load()-10, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*readyEvery)
	defer cancel()
	if err := Check(ctx, closed(1, unpark.Request{URL: url + "/never"})); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("stopped: %v", err)
	}
}
