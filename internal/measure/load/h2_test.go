package load

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"github.com/unpark-go/unpark"
)

// serveH2 serves over h2c, or over h2 within TLS.
func serveH2(t testing.TB, protocol string, h http.HandlerFunc, options ...func(*http.Server)) string {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.Protocols = new(http.Protocols)
	for _, set := range options {
		set(s.Config)
	}
	if s.EnableHTTP2 = protocol == protoH2; s.EnableHTTP2 {
		s.Config.Protocols.SetHTTP2(true)
		s.StartTLS()
	} else {
		s.Config.Protocols.SetUnencryptedHTTP2(true)
		s.Start()
	}
	t.Cleanup(s.Close)
	return s.URL
}

// over is a plan of a protocol.
func over(protocol string, plan unpark.Plan) unpark.Plan {
	plan.Protocol = protocol
	return plan
}

// TestH2LinkAsHTTPLink: in the clear and within TLS, whatever the shape of the
// answer, the outcome is that of net/http.
func TestH2LinkAsHTTPLink(t *testing.T) {
	for _, protocol := range []string{protoH2C, protoH2} {
		t.Run(protocol, func(t *testing.T) {
			var conns atomic.Int64
			url := serveH2(t, protocol, answers, func(s *http.Server) {
				s.ConnState = func(_ net.Conn, state http.ConnState) {
					if state == http.StateNew {
						conns.Add(1)
					}
				}
			})
			var rs []unpark.Request
			for _, path := range []string{"/", "/chunks", "/nothing", "/hints", "/long", "/fail", "/echo"} {
				rs = append(rs, unpark.Request{URL: url + path}, unpark.Request{URL: url + path, Method: "HEAD"})
			}
			long := bytes.Repeat([]byte("abc"), 2_000_000) // more than windows hold
			rs = append(rs, unpark.Request{URL: url + "/echo", Method: "POST", Body: []byte("short")},
				unpark.Request{URL: url + "/echo", Method: "PUT", Body: long}, unpark.Request{URL: url + "/echo", Method: "POST"})
			s, err := newSettings(over(protocol, closed(1, rs...)))
			if err != nil {
				t.Fatal(err)
			}
			seed, c := maphash.MakeSeed(), &clock{base: time.Now()}
			x, err := newH2Link(t.Context(), s, c, seed)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(x.close)
			other := newHTTPLink(t.Context(), s, c, seed)
			t.Cleanup(other.close)
			alike(t, x, other, rs)
			if n := conns.Load(); n != 2 {
				t.Errorf("%d connections of two clients", n)
			}
		})
	}
}

// TestH2SendsAsPlanned: what arrives is what net/http would have sent.
func TestH2SendsAsPlanned(t *testing.T) {
	got := make(chan string, 1)
	url := serveH2(t, protoH2C, func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- fmt.Sprintf("%s %s %s %v %d %q", r.Method, r.RequestURI, r.Host, r.Header, r.ContentLength, body)
	})
	for _, r := range []unpark.Request{
		{Method: "POST", URL: url + "/a%2Fb?c=d#e", Body: []byte("hello"), Header: map[string][]string{
			"Host": {"shop.example"}, "X-A": {"1", "2"}, "User-Agent": {"me"}, "Connection": {"close"}, "Te": {"trailers"}, "Cookie": {"a=b"},
		}},
		{URL: url, Header: map[string][]string{"X-Empty": {""}}},
		{Method: "POST", URL: url + "/?q=1"},
		{Method: "DELETE", URL: url + "/x", Body: []byte{0}},
	} {
		s, err := newSettings(over(protoH2C, closed(1, r)))
		if err != nil {
			t.Fatal(err)
		}
		c := &clock{base: time.Now()}
		x, err := newH2Link(t.Context(), s, c, maphash.MakeSeed())
		if err != nil {
			t.Fatal(err)
		}
		good(t, x.exchange(0, false), 200, 0)
		ours := <-got
		x.close()
		s.kinds[0].header.Del("Connection") // net/http would obey it
		s.kinds[0].header.Del("Te")
		other := newHTTPLink(t.Context(), s, c, maphash.MakeSeed())
		good(t, other.exchange(0, false), 200, 0)
		theirs := <-got
		other.close()
		if ours != theirs {
			t.Errorf("sent %s\nnet/http %s", ours, theirs)
		}
	}
}

func TestH2RefusesHeaders(t *testing.T) {
	for protocol, r := range map[string]unpark.Request{
		"h2c": {URL: "http://127.0.0.1:1/x", Header: map[string][]string{"X-Bad": {"a\r\nb"}}},
		"h2":  {URL: "https://127.0.0.1:1/x", Header: map[string][]string{"X-Bad": {"a\r\nb"}}},
	} {
		if g, err := Start(t.Context(), over(protocol, closed(1, r))); err == nil || !strings.Contains(err.Error(), "X-Bad") || !strings.Contains(err.Error(), "GET "+r.URL) {
			t.Errorf("%v", err)
			if err == nil {
				g.Stop()
			}
		}
	}
}

// frames serves connections by what a script writes after the first request.
func frames(t testing.TB, write func(*http2.Framer)) string {
	return listen(t, func(c net.Conn) {
		f := http2.NewFramer(c, c)
		_, _ = io.ReadFull(c, make([]byte, len(http2.ClientPreface)))
		_ = f.WriteSettings()
		for {
			got, err := f.ReadFrame()
			if err != nil {
				return
			}
			if got.Header().Type == http2.FrameHeaders {
				write(f)
				return
			}
		}
	})
}

// TestH2FailureKinds makes each kind of failure with a real fault.
func TestH2FailureKinds(t *testing.T) { everyEngine(t, testH2FailureKinds) }

func testH2FailureKinds(t *testing.T) {
	drain := func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }
	h1 := strings.TrimPrefix(serve(t, hello), "http://")
	for _, tt := range []struct {
		name, kind, words, addr string
		timeout                 float64
	}{
		{"closed port", failRefused, "refused", refusedAddr, 0},
		{"no answer", failTimeout, "no answer in time", listen(t, drain), 0.2},
		{"closed at once", failEOF, "without an answer", listen(t, func(c net.Conn) { _, _ = io.ReadAtLeast(c, make([]byte, 4096), 90) }), 0},
		{"HTTP/1.1", failProtocol, "HTTP/1.1", h1, 0},
		{"garbage", failProtocol, "220 smtp", listen(t, func(c net.Conn) { reply("220 smtp ready\r\n\r\n")(c); drain(c) }), 0},
		{"reset by the handler", failReset, "INTERNAL_ERROR", strings.TrimPrefix(serveH2(t, protoH2C, func(http.ResponseWriter, *http.Request) {
			panic(http.ErrAbortHandler)
		}), "http://"), 0},
		{"body cut short", failProtocol, "bad Content-Length", strings.TrimPrefix(serveH2(t, protoH2C, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10")
			_, _ = io.WriteString(w, "abc")
		}), "http://"), 0},
		{"ends in the middle", failEOF, "in the middle", frames(t, func(f *http2.Framer) {
			_ = f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: []byte{0x88}, EndHeaders: true})
		}), 0},
		{"leaves before it looks", failReset, "GOAWAY", frames(t, func(f *http2.Framer) { _ = f.WriteGoAway(0, http2.ErrCodeEnhanceYourCalm, nil) }), 0},
		{"breaks the protocol", failProtocol, "http2: ", frames(t, func(f *http2.Framer) { _ = f.WriteData(1, true, []byte("x")) }), 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			plan := over(protoH2C, closed(2, unpark.Request{URL: "http://" + tt.addr + "/"}))
			if tt.timeout > 0 {
				plan.Timeout = tt.timeout
			}
			g := start(t, plan)
			s := g.First()
			until(t, "an error", func() bool { return g.Live().Errors > 3 })
			g.Begin("rest")
			l := s.Load(soon(t))
			if tt.kind == failEOF && l.ErrorKinds[failReset] > 0 { // unread bytes make it one
				l.ErrorKinds[failEOF] += l.ErrorKinds[failReset]
				tt.words = ""
			}
			if l.ErrorKinds[tt.kind] != l.Errors || !strings.Contains(l.ErrorSample, "GET ") || !strings.Contains(l.ErrorSample, tt.words) {
				t.Errorf("%d errors, kinds %v, %q", l.Errors, l.ErrorKinds, l.ErrorSample)
			}
			if l.Requests != 0 || len(l.Status) != 0 || l.Service.N != 0 {
				t.Errorf("failures count as answers: %d requests, status %v", l.Requests, l.Status)
			}
		})
	}
}

// TestH2OldConnections: a server that ends idle connections makes no errors, even
// where a request may not be repeated. The server's patience is long against what a
// full machine takes to bring it the first request of a connection: a new connection
// that is ended unused is an error.
func TestH2OldConnections(t *testing.T) {
	t.Parallel()
	everyEngine(t, func(t *testing.T) {
		t.Parallel()
		var conns atomic.Int64
		url := serveH2(t, protoH2C, hello, func(s *http.Server) {
			s.IdleTimeout = 300 * time.Millisecond
			s.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					conns.Add(1)
				}
			}
		})
		g := start(t, over(protoH2C, unpark.Plan{
			Mode: unpark.Poisson, RateRPS: 3, Connections: 1, Timeout: 20, Seed: 1, Requests: []unpark.Request{{URL: url, Method: "POST", Body: []byte("x")}},
		}))
		until(t, "connections", func() bool { return conns.Load() > 4 })
		s := g.First()
		g.Begin("rest")
		if l := s.Load(soon(t)); l.Errors != 0 {
			t.Errorf("%d errors of %d: %v %s", l.Errors, l.Requests, l.ErrorKinds, l.ErrorSample)
		}
	})
}

// TestH2GoAwayMeetsTheRequest: each connection answers once and is then ended while
// the next request is on its way, which says that it was not looked at (RFC 9113
// §6.8): it is sent again, even where a request may not be repeated.
func TestH2GoAwayMeetsTheRequest(t *testing.T) {
	everyEngine(t, func(t *testing.T) {
		var conns atomic.Int64
		addr := listen(t, func(c net.Conn) {
			conns.Add(1)
			f := http2.NewFramer(c, c)
			_, _ = io.ReadFull(c, make([]byte, len(http2.ClientPreface)))
			_ = f.WriteSettings()
			for {
				got, err := f.ReadFrame()
				if err != nil {
					return
				}
				if id := got.Header().StreamID; got.Header().Type == http2.FrameHeaders && id == 1 {
					_ = f.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: []byte{0x88}, EndHeaders: true, EndStream: true})
				} else if got.Header().Type == http2.FrameHeaders {
					_ = f.WriteGoAway(1, http2.ErrCodeNo, nil) // and reads on until the client leaves
				}
			}
		})
		g := start(t, over(protoH2C, closed(1, unpark.Request{URL: "http://" + addr + "/", Method: "POST", Body: []byte("x")})))
		s := g.First()
		until(t, "connections", func() bool { return conns.Load() > 20 })
		g.Begin("rest")
		if l := s.Load(soon(t)); l.Errors != 0 || l.Requests < 20 {
			t.Errorf("%d errors of %d: %v %s", l.Errors, l.Requests, l.ErrorKinds, l.ErrorSample)
		}
	})
}

// TestH2Varies: templates and stamps are filled in over HTTP/2 too.
func TestH2Varies(t *testing.T) {
	everyEngine(t, func(t *testing.T) {
		testEachDiffers(t, func(h http.HandlerFunc) string { return serveH2(t, protoH2C, h) }, unpark.Plan{Protocol: protoH2C, Stamp: true})
	})
}

// TestH2TimeoutKeepsTheConnection: a request that is given up costs no connection.
func TestH2TimeoutKeepsTheConnection(t *testing.T) {
	t.Parallel()
	everyEngine(t, func(t *testing.T) {
		t.Parallel()
		var conns, calls atomic.Int64
		url := serveH2(t, protoH2C, func(w http.ResponseWriter, r *http.Request) {
			if calls.Add(1)%3 == 0 {
				<-r.Context().Done() // until it is given up
				return
			}
			hello(w, r)
		}, func(s *http.Server) {
			s.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					conns.Add(1)
				}
			}
		})
		plan := over(protoH2C, closed(1, unpark.Request{URL: url}))
		plan.Timeout = 0.3
		g := start(t, plan)
		s := g.First()
		until(t, "timeouts", func() bool { return g.Live().Errors > 2 })
		g.Begin("rest")
		l := s.Load(soon(t))
		if l.ErrorKinds[failTimeout] != l.Errors || l.Requests < 4 || conns.Load() != 1 {
			t.Errorf("%d answers, errors %v, %d connections", l.Requests, l.ErrorKinds, conns.Load())
		}
	})
}

// TestH2LinkEnds: close ends what is in progress.
func TestH2LinkEnds(t *testing.T) {
	held := make(chan struct{}, 1)
	url := serveH2(t, protoH2, func(_ http.ResponseWriter, r *http.Request) {
		held <- struct{}{}
		<-r.Context().Done()
	})
	s, err := newSettings(over(protoH2, closed(1, unpark.Request{URL: url})))
	if err != nil {
		t.Fatal(err)
	}
	x, err := newH2Link(t.Context(), s, &clock{base: time.Now()}, maphash.MakeSeed())
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan outcome)
	go func() { done <- x.exchange(0, false) }()
	<-held
	x.close()
	if o := <-done; o.err == "" || o.status != 0 {
		t.Errorf("%+v", o)
	}
	if o := x.exchange(0, false); !errors.Is(o.detail, net.ErrClosed) && o.err == "" {
		t.Errorf("after the end: %+v", o)
	}
}
