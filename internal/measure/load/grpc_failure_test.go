package load

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/tap"

	"github.com/unpark-go/unpark"
)

type tapInfo = tap.Info

// shortLived has connections that the server ends within 50 ms.
var shortLived = keepalive.ServerParameters{MaxConnectionAge: 50 * time.Millisecond, MaxConnectionAgeGrace: 5 * time.Second}

// TestGRPCFailureKinds makes each kind of failure with a real fault, in the load
// and in Check.
func TestGRPCFailureKinds(t *testing.T) {
	t.Parallel()
	h1 := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(h1.Close)
	h2 := httptest.NewUnstartedServer(http.NotFoundHandler())
	h2.Config.Protocols = new(http.Protocols)
	h2.Config.Protocols.SetUnencryptedHTTP2(true)
	h2.Start()
	t.Cleanup(h2.Close)
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	_, _, plain := serveGRPC(t)
	wait := func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }
	for _, tt := range []struct {
		name, scheme, addr, kind, words, cure string
		timeout                               float64
	}{
		{"closed port", "grpc", refusedAddr, failRefused, "refused", "is the target running", 0},
		{"no answer", "grpc", listen(t, wait), failTimeout, "no answer in time", "--timeout", 0.2},
		{"no answer to the handshake", "grpcs", listen(t, wait), failTimeout, "no answer in time", "--timeout", 0.2},
		{"reset", "grpc", listen(t, func(c net.Conn) { readRequest(c); _ = c.(*net.TCPConn).SetLinger(0) }), failReset, "reset", "closed the connection", 0},
		{"closed at once", "grpc", listen(t, readRequest), "", "", "closed the connection", 0},
		{"garbage", "grpc", listen(t, func(c net.Conn) { reply("220 smtp ready\r\n\r\n")(c); wait(c) }), failProtocol, "", "not gRPC", 0},
		{"HTTP/1.1", "grpc", h1.Listener.Addr().String(), failProtocol, "HTTP/1.1", "not gRPC", 0},
		{"HTTP/2 that is not gRPC", "grpc", h2.Listener.Addr().String(), failProtocol, "404", "not gRPC", 0},
		{"plain text to grpcs", "grpcs", plain, failTLS, "tls: ", "without TLS write grpc://", 0},
		{"TLS without h2", "grpcs", secure.Listener.Addr().String(), failTLS, "no application protocol", "TLS failed", 0},
		{"no such host", "grpc", "unpark.invalid:1", failDNS, "unpark.invalid", "cannot be resolved", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := unary(tt.addr, "a")
			r.URL = tt.scheme + strings.TrimPrefix(r.URL, "grpc")
			plan := closed(1, r)
			if tt.timeout > 0 {
				plan.Timeout = tt.timeout
			}
			g := start(t, plan)
			s := g.First()
			until(t, "an error", func() bool { return g.Live().Errors > 0 })
			g.Begin("rest")
			l := s.Load(soon(t))
			if tt.kind == "" {
				tt.kind = failEOF
				if l.ErrorKinds[failReset] > 0 { // unread bytes make it one
					tt.kind = failReset
				}
			}
			if l.ErrorKinds[tt.kind] != l.Errors || !strings.Contains(l.ErrorSample, tt.words) || !strings.Contains(l.ErrorSample, "POST grpc") {
				t.Errorf("%d errors, kinds %v, %q", l.Errors, l.ErrorKinds, l.ErrorSample)
			}
			if l.Requests != 0 || len(l.Status) != 0 || l.Service.N != 0 {
				t.Errorf("failures count as answers: %d requests, status %v", l.Requests, l.Status)
			}
			if err := Check(soon(t), plan); err == nil || !strings.Contains(err.Error(), tt.cure) {
				t.Errorf("Check: %v, want the cure %q", err, tt.cure)
			}
		})
	}
}

// TestGRPCWithinTLS is the near miss of the failures: it works.
func TestGRPCWithinTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(nil)
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	_, server, _ := serveGRPC(t)
	s.Config.Handler = server
	_, port, _ := strings.Cut(s.URL, "https://127.0.0.1:")
	r := unary("127.0.0.1:"+port, "hello")
	r.URL = "grpcs" + strings.TrimPrefix(r.URL, "grpc")
	x := newCaller(t, r)
	for range 3 {
		if o := x.exchange(0, false); o.status != http.StatusOK || o.bytes != 5 {
			t.Fatalf("%+v", o)
		}
	}
}

// TestGRPCLosesTheServer: what was in flight fails, is told by its kind, and the
// load goes on.
func TestGRPCLosesTheServer(t *testing.T) {
	e, server, addr := serveGRPC(t)
	g := start(t, closed(2, unary(addr, "hold")))
	s := g.First()
	until(t, "calls", func() bool { return e.seen.get("hold") == 2 })
	server.Stop()
	until(t, "errors", func() bool { return g.Live().Errors > 4 })
	g.Begin("rest")
	l := s.Load(soon(t))
	if l.ErrorKinds[failRefused] == 0 || l.ErrorKinds[failRefused]+l.ErrorKinds[failEOF]+l.ErrorKinds[failReset] != l.Errors || l.ErrorKinds[failRefused] == l.Errors {
		t.Errorf("%d errors: %v %s", l.Errors, l.ErrorKinds, l.ErrorSample)
	}
}

// TestGRPCNoDialStorm: connections that fail are tried again ever more slowly.
func TestGRPCNoDialStorm(t *testing.T) {
	t.Parallel()
	g := start(t, closed(5, unary(refusedAddr, "a")))
	time.Sleep(500 * time.Millisecond)
	g.Stop()
	if n := g.Live().Errors; n == 0 || n > 5*6 {
		t.Errorf("%d tries of 5 connections within half a second", n)
	}
}

func TestGRPCCheck(t *testing.T) {
	_, _, addr := serveGRPC(t)
	accepted := unary(addr, "fail 5 no")
	accepted.Expect = []int{404}
	if err := Check(soon(t), closed(1, unary(addr, "a"), accepted)); err != nil {
		t.Error(err)
	}
	none := unpark.Request{URL: "grpc://" + addr + "/test.Echo/None", Body: framed("")}
	err := Check(soon(t), closed(1, unary(addr, "a"), unary(addr, "fail 13 boom"), unary(addr, "fail 13 again"), none))
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"status 500", `gRPC INTERNAL "boom"`, "--expect 500", "status 501", "check the name test.Echo/None"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "again") {
		t.Errorf("the same error is reported twice: %v", err)
	}
}

// TestGRPCPlans has plans that cannot be driven.
func TestGRPCPlans(t *testing.T) {
	const url = "grpc://127.0.0.1:1/p.S/M"
	for _, tt := range []struct {
		want string
		r    unpark.Request
	}{
		{"a gRPC URL has host, port", unpark.Request{URL: "grpc://127.0.0.1/p.S/M", Body: framed("")}},
		{"a gRPC URL has host, port", unpark.Request{URL: "grpc://127.0.0.1:1/p.S", Body: framed("")}},
		{"a gRPC URL has host, port", unpark.Request{URL: "grpc://127.0.0.1:1/p.S/M/N", Body: framed("")}},
		{"a gRPC URL has host, port", unpark.Request{URL: url + "?a=b", Body: framed("")}},
		{"gRPC sends POST", unpark.Request{URL: url, Method: "GET", Body: framed("")}},
		{"0 messages", unpark.Request{URL: url}},
		{"2 messages", unpark.Request{URL: url, Body: framed("a", "b")}},
		{"2 messages", unpark.Request{URL: url, Body: framed("a", "b"), Stream: unpark.ServerStream}},
		{`stream "both"`, unpark.Request{URL: url, Body: framed("a"), Stream: "both"}},
		{"message 1 at byte 0: the prefix has 3 bytes of 5", unpark.Request{URL: url, Body: []byte("abc")}},
		{"message 2 at byte 6: 1 bytes of 2", unpark.Request{URL: url, Body: append(framed("a"), 0, 0, 0, 0, 2, 'x')}},
		{"message 1 at byte 0: 0 bytes of 4294967295", unpark.Request{URL: url, Body: []byte{0, 255, 255, 255, 255}}},
		{"compressed messages are not sent", unpark.Request{URL: url, Body: []byte{1, 0, 0, 0, 0}}},
		{"gRPC sets it itself", unpark.Request{URL: url, Body: framed(""), Header: map[string][]string{"Grpc-Timeout": {"1S"}}}},
		{"a name in gRPC has letters", unpark.Request{URL: url, Body: framed(""), Header: map[string][]string{"X Y": {"1"}}}},
		{"not printable ASCII", unpark.Request{URL: url, Body: framed(""), Header: map[string][]string{"X": {"ä"}}}},
	} {
		if _, err := newSettings(closed(1, tt.r)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
	for _, protocol := range []string{"", "grpc"} {
		plan := closed(1, unpark.Request{URL: url, Body: framed("")})
		plan.Protocol = protocol
		if s, err := newSettings(plan); err != nil || s.protocol != protoGRPC {
			t.Errorf("protocol %q: %v", protocol, err)
		}
	}
	for protocol, r := range map[string]unpark.Request{
		"h2c":  {URL: url, Body: framed("")},
		"grpc": {URL: "http://127.0.0.1:1/"},
	} {
		plan := closed(1, r)
		plan.Protocol = protocol
		if _, err := newSettings(plan); err == nil || !strings.Contains(err.Error(), "gRPC needs grpc://") {
			t.Errorf("protocol %q with %s: %v", protocol, r.URL, err)
		}
	}
	if _, err := newSettings(closed(1, unpark.Request{URL: "http://127.0.0.1:1/"}, unpark.Request{URL: url, Body: framed("")})); err == nil {
		t.Error("a plan with HTTP and gRPC is accepted")
	}
}

// TestGRPCWrongShape: an answer that is not what the plan's stream says.
func TestGRPCWrongShape(t *testing.T) {
	_, _, addr := serveGRPC(t)
	x := newCaller(t, unpark.Request{URL: "grpc://" + addr + "/test.Echo/Server", Body: framed("a")}, unary(addr, "size 67108865"))
	for kind, want := range []string{"a second message", "more than 67108864"} {
		if o := x.exchange(kind, false); o.err != failProtocol || o.status != 0 || !strings.Contains(o.detail.Error(), want) {
			t.Errorf("%+v, want %q", o, want)
		}
	}
}
