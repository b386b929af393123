package load

import (
	"context"
	"errors"
	"hash/maphash"
	"math"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/unpark-go/unpark"
)

// newCaller returns a link for the requests.
func newCaller(t testing.TB, rs ...unpark.Request) *h2Link {
	t.Helper()
	s, err := newSettings(closed(1, rs...))
	if err != nil {
		t.Fatal(err)
	}
	x, err := newH2Link(soon(t), s, &clock{base: time.Now()}, maphash.MakeSeed())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.close)
	return x
}

// TestGRPCCalls has each kind of call, with its status and the size of its answer.
func TestGRPCCalls(t *testing.T) {
	_, _, addr := serveGRPC(t)
	big := strings.Repeat("b", 200<<10)
	for _, tt := range []struct {
		name    string
		request unpark.Request
		status  int
		bytes   int64
		detail  string
	}{
		{"unary", unary(addr, "hello"), 200, 5, ""},
		{"unary, empty", unary(addr, ""), 200, 0, ""},
		{"unary, 5 MB", unary(addr, "size 5000000"), 200, 5_000_000, ""},
		{"server", streaming(addr, unpark.ServerStream, "hello"), 200, 15, ""},
		{"server, big", streaming(addr, unpark.ServerStream, "size 2000000"), 200, 6_000_000, ""},
		{"server, fails late", streaming(addr, unpark.ServerStream, "late"), 409, 12, `gRPC ABORTED "too late"`},
		{"client", streaming(addr, unpark.ClientStream, "a", "bc", "def"), 200, 19, ""},
		{"client, nothing", streaming(addr, unpark.ClientStream), 200, 19, ""},
		{"client, fails early", streaming(addr, unpark.ClientStream, "fail 9 no", "a"), 400, 0, `gRPC FAILED_PRECONDITION "no"`},
		{"bidi", streaming(addr, unpark.BidiStream, "a", "bc", "def"), 200, 6, ""},
		{"bidi, nothing", streaming(addr, unpark.BidiStream), 200, 0, ""},
		{"bidi, more than the windows hold", streaming(addr, unpark.BidiStream, big, big, big, big, big, big, big, big), 200, 8 * 200 << 10, ""},
		{"not found", unary(addr, "fail 5 no \x1b such"), 404, 0, `gRPC NOT_FOUND "no \x1b such"`},
		{"unknown code", unary(addr, "fail 99 odd"), 500, 0, `gRPC code 99 "odd"`},
		{"unavailable, says the server", unary(addr, "fail 14 busy"), 503, 0, `gRPC UNAVAILABLE "busy"`},
		{"cancelled, says the server", unary(addr, "fail 1 "), 499, 0, `gRPC CANCELLED`},
		{"deadline, says the server", unary(addr, "fail 4 late"), 504, 0, `gRPC DEADLINE_EXCEEDED "late"`},
		{"no such method", unpark.Request{URL: "grpc://" + addr + "/test.Echo/None", Body: framed("")}, 501, 0, `gRPC UNIMPLEMENTED`},
		{"the method does not stream", unpark.Request{URL: "grpc://" + addr + "/test.Echo/Unary", Stream: unpark.BidiStream, Body: framed("a", "b")}, 500, 0, `gRPC INTERNAL`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := newCaller(t, tt.request)
			for range 3 {
				o := x.exchange(0, true)
				if o.status != tt.status || o.bytes != tt.bytes || o.err != "" {
					t.Fatalf("status %d, %d bytes, %q, %v; want %d, %d", o.status, o.bytes, o.err, o.detail, tt.status, tt.bytes)
				}
				if (o.detail == nil) != (tt.detail == "") || o.detail != nil && !strings.HasPrefix(o.detail.Error(), tt.detail) {
					t.Errorf("detail %v, want %q", o.detail, tt.detail)
				}
				if o.written <= 0 || o.done < o.written {
					t.Errorf("written %d, done %d", o.written, o.done)
				}
			}
		})
	}
}

func TestGRPCConnectionIsKept(t *testing.T) {
	_, _, addr := serveGRPC(t)
	x := newCaller(t, unary(addr, "a"), unary(addr, "fail 5 no"), streaming(addr, unpark.BidiStream, "a"))
	for i := range 12 {
		o := x.exchange(i%3, i%2 == 0)
		if fresh := o.dial > 0; o.status == 0 || fresh != (i == 0) {
			t.Fatalf("call %d: %+v", i, o)
		}
		if i == 0 && o.written < o.dial {
			t.Errorf("written after %d, the connection was open after %d", o.written, o.dial)
		}
	}
}

func TestGRPCSumsTellAnswersApart(t *testing.T) {
	_, _, addr := serveGRPC(t)
	x := newCaller(t, unary(addr, "size 100000"), unary(addr, "size 100001"), unary(addr, "hello"))
	sums := map[uint64]int{}
	for i := range 6 {
		sums[x.exchange(i%3, true).sum]++
	}
	if len(sums) != 3 {
		t.Errorf("sums of three answers, twice each: %v", sums)
	}
	if o := x.exchange(0, false); o.sum != 0 {
		t.Errorf("a sum that nobody asked for: %d", o.sum)
	}
}

func TestGRPCMetadata(t *testing.T) {
	got := make(chan metadata.MD, 1)
	_, _, addr := serveGRPC(t, grpc.InTapHandle(func(ctx context.Context, info *tapInfo) (context.Context, error) {
		got <- info.Header
		return ctx, nil
	}))
	r := unary(addr, "a")
	r.Header = map[string][]string{"X-Tenant": {"a", "b"}, "Host": {"shop.example"}, "User-Agent": {"me"}, "Trace-Bin": {"\x00\xff"}}
	newCaller(t, r).exchange(0, false)
	md := <-got
	for key, want := range map[string]string{"x-tenant": "a b", ":authority": "shop.example", "trace-bin": "\x00\xff", "content-type": "application/grpc"} {
		if have := strings.Join(md.Get(key), " "); have != want {
			t.Errorf("%s: %q, want %q", key, have, want)
		}
	}
	if agent := strings.Join(md.Get("user-agent"), " "); agent != "me" {
		t.Errorf("user agent %q", agent)
	}
}

// TestGRPCLoad drives a closed and an open plan.
func TestGRPCLoad(t *testing.T) {
	t.Parallel()
	for _, plan := range []unpark.Plan{
		{Mode: unpark.Closed, Connections: 3},
		{Mode: unpark.Constant, RateRPS: 300, Connections: 10},
	} {
		t.Run(string(plan.Mode), func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int64
			_, _, addr := serveGRPC(t, grpc.InTapHandle(func(ctx context.Context, _ *tapInfo) (context.Context, error) {
				asked.Add(1)
				return ctx, nil
			}))
			plan.Requests = []unpark.Request{unary(addr, "size 100"), streaming(addr, unpark.ServerStream, "size 100"), unary(addr, "fail 5 no")}
			plan.Requests[2].Expect = []int{200, 404}
			g := start(t, plan)
			s := g.Begin("window")
			time.Sleep(700 * time.Millisecond)
			until(t, "40 requests", func() bool { return asked.Load() >= 40 }) // some of each kind, also on a full machine
			g.Begin("rest")
			l := s.Load(soon(t))
			if l.Requests < 10 || l.Errors != 0 || l.Unfinished != 0 {
				t.Errorf("%d requests, %d errors (%s), %d unfinished", l.Requests, l.Errors, l.ErrorSample, l.Unfinished)
			}
			if l.Status["200"]+l.Status["404"] != l.Response.N || l.Status["404"] == 0 || l.Service.N != l.Response.N || l.Lag.N != l.Response.N {
				t.Errorf("status %v, response %d, service %d, lag %d", l.Status, l.Response.N, l.Service.N, l.Lag.N)
			}
			if mean := l.Lag.Mean + l.Service.Mean; math.Abs(mean/l.Response.Mean-1) > 0.01 {
				t.Errorf("lag %g + service %g is not response %g", l.Lag.Mean, l.Service.Mean, l.Response.Mean)
			}
			if plan.Mode == unpark.Constant && math.Abs(l.OfferedRPS-300) > 30 {
				t.Errorf("offered %.1f/s", l.OfferedRPS)
			}
			if b, _ := l.BytesPerResponse.Get(); b < 90 || b > 210 {
				t.Errorf("%.0f bytes per response", b)
			}
			if r, _ := l.Repeated.Get(); r != 1 {
				t.Errorf("repeated %v", l.Repeated)
			}
		})
	}
}

// TestGRPCStallShows: the server holds all answers for 300 ms in every second.
func TestGRPCStallShows(t *testing.T) {
	t.Parallel()
	l := stalledGRPC(t)
	// 30 % of the arrivals wait for 0 to 300 ms: the truth is p90 = 200 ms.
	if l.Response.P90 < 0.15 || l.Response.P99 < 0.25 {
		t.Errorf("the stall does not show: p90 %.3f, p99 %.3f", l.Response.P90, l.Response.P99)
	}
	if l.Unfinished != 0 || l.Errors != 0 {
		t.Errorf("%d unfinished, %d errors (%s)", l.Unfinished, l.Errors, l.ErrorSample)
	}
}

func stalledGRPC(t *testing.T) unpark.Load {
	const rate, period, stall, periods = 200.0, time.Second, 300 * time.Millisecond, 3
	e, _, addr := serveGRPC(t)
	g := start(t, unpark.Plan{Mode: unpark.Constant, RateRPS: rate, Connections: 5, Requests: []unpark.Request{unary(addr, "size 100")}})
	s := g.Begin("window")
	for range periods {
		e.gate.Lock()
		time.Sleep(stall)
		e.gate.Unlock()
		time.Sleep(period - stall)
	}
	g.Begin("rest")
	return s.Load(soon(t))
}

func TestGRPCUnexpectedStatusIsAnError(t *testing.T) {
	_, _, addr := serveGRPC(t)
	g := start(t, closed(1, unary(addr, "fail 7 not you")))
	s := g.First()
	until(t, "errors", func() bool { return g.Live().Errors > 3 })
	g.Begin("rest")
	l := s.Load(soon(t))
	if l.ErrorKinds[failStatus] != l.Errors || l.Status["403"] != l.Errors || l.Response.N != l.Errors {
		t.Errorf("%d errors, kinds %v, status %v, %d latencies", l.Errors, l.ErrorKinds, l.Status, l.Response.N)
	}
	for _, want := range []string{"POST grpc://", "status 403, expected 200–399", `gRPC PERMISSION_DENIED "not you"`} {
		if !strings.Contains(l.ErrorSample, want) {
			t.Errorf("%q does not say %q", l.ErrorSample, want)
		}
	}
}

func TestGRPCTimeoutDoesNotHitTheNextCall(t *testing.T) {
	t.Parallel()
	_, _, addr := serveGRPC(t)
	x := newCaller(t, unary(addr, "hold"), unary(addr, "a"), streaming(addr, unpark.BidiStream, "hold"))
	x.settings.timeout = 400 * time.Millisecond
	if o := x.exchange(1, false); o.status != http.StatusOK {
		t.Fatalf("%+v", o)
	}
	for _, kind := range []int{0, 2} {
		began := x.clock.now()
		o := x.exchange(kind, false)
		if o.err != failTimeout || !errors.Is(o.detail, errTimeout) || o.done-began < int64(x.settings.timeout) || o.written == 0 {
			t.Errorf("%+v", o)
		}
		if o := x.exchange(1, false); o.status != http.StatusOK || o.dial != 0 {
			t.Errorf("after a timeout: %+v", o)
		}
	}
}

// TestGRPCReconnects: the server ends its connections, as it may at any time.
func TestGRPCReconnects(t *testing.T) {
	t.Parallel()
	_, server, addr := serveGRPC(t)
	x := newCaller(t, unary(addr, "a"))
	if o := x.exchange(0, false); o.status != http.StatusOK {
		t.Fatalf("%+v", o)
	}
	server.GracefulStop()
	if o := x.exchange(0, false); o.err != failRefused || o.status != 0 {
		t.Errorf("nobody listens: %+v", o)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Skip(err) // somebody else has the port
	}
	again := grpc.NewServer(grpc.ForceServerCodec(bytesCodec{}))
	e := &echo{}
	again.RegisterService(e.desc(), e)
	go func() { _ = again.Serve(l) }()
	t.Cleanup(again.Stop)
	if o := x.exchange(0, false); o.status != http.StatusOK || o.dial == 0 {
		t.Errorf("it listens again: %+v", o)
	}
}

// TestGRPCOldConnections: a server that lets no connection grow old makes no
// errors.
func TestGRPCOldConnections(t *testing.T) {
	t.Parallel()
	e, _, addr := serveGRPC(t, grpc.KeepaliveParams(shortLived))
	g := start(t, closed(4, unary(addr, "a")))
	s := g.First()
	time.Sleep(time.Second)
	until(t, "calls", func() bool { return e.seen.get("a") > 500 })
	g.Begin("rest")
	if l := s.Load(soon(t)); l.Errors != 0 {
		t.Errorf("%d errors of %d: %v %s", l.Errors, l.Requests, l.ErrorKinds, l.ErrorSample)
	}
}

func TestGRPCStopLeavesNothing(t *testing.T) {
	e, server, addr := serveGRPC(t)
	frozen := listen(t, func(c net.Conn) { _, _ = c.Read(make([]byte, 1)); <-e.hold })
	before := runtime.NumGoroutine()
	var frozenOnes []unpark.Request
	for _, m := range []string{"a", "hold"} {
		frozenOnes = append(frozenOnes, unary(addr, m), streaming(addr, unpark.BidiStream, m, strings.Repeat("x", 3<<20)))
	}
	frozenOnes = append(frozenOnes, unary(frozen, "a"), unary(refusedAddr, "a"))
	for _, plan := range []unpark.Plan{{Mode: unpark.Closed, Connections: 4}, {Mode: unpark.Constant, RateRPS: 300}} {
		for _, r := range frozenOnes {
			plan.Requests = []unpark.Request{r}
			g, err := Start(context.Background(), plan)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(20 * time.Millisecond)
			began := time.Now()
			g.Stop()
			if took := time.Since(began); took > 4*time.Second {
				t.Errorf("%s: Stop took %v", r.URL, took)
			}
		}
	}
	close(e.hold)
	until(t, "goroutines ended", func() bool { return runtime.NumGoroutine() <= before })
	server.Stop()
}
