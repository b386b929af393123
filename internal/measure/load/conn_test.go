package load

import (
	"bufio"
	"bytes"
	"context"
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

	"github.com/unpark-go/unpark"
)

// newLink returns a connLink for requests.
func newLink(t testing.TB, rs ...unpark.Request) *connLink {
	t.Helper()
	s, err := newSettings(closed(1, rs...))
	if err != nil {
		t.Fatal(err)
	}
	x, err := newConnLink(t.Context(), s, &clock{base: time.Now()}, maphash.MakeSeed())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.close)
	return x
}

func at(addr string) unpark.Request { return unpark.Request{URL: "http://" + addr + "/"} }

// good fails the test unless the exchange gave the status and so many bytes.
func good(t *testing.T, o outcome, status int, size int64) {
	t.Helper()
	if o.err != "" || o.detail != nil || o.status != status || o.bytes != size {
		t.Errorf("got %+v, want status %d and %d bytes", o, status, size)
	}
	if o.written <= 0 || o.done < o.written || o.dial < 0 || o.dial > o.written {
		t.Errorf("times: dial %d, written %d, done %d", o.dial, o.written, o.done)
	}
}

// bad fails the test unless the exchange failed in that way.
func bad(t *testing.T, o outcome, kind string) {
	t.Helper()
	if o.status != 0 || o.sum != 0 || o.err != kind || o.detail == nil || o.done <= 0 {
		t.Errorf("got %+v, want failure %q", o, kind)
	}
}

// answers is a handler with each shape of response.
func answers(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/chunks":
		for i := range 5 {
			_, _ = fmt.Fprintf(w, "chunk %d of %s;", i, strings.Repeat("x", i*100))
			_ = http.NewResponseController(w).Flush()
		}
	case "/nothing":
		w.WriteHeader(http.StatusNoContent)
	case "/hints":
		w.WriteHeader(http.StatusEarlyHints)
		hello(w, r)
	case "/close":
		w.Header().Set("Connection", "close")
		hello(w, r)
	case "/long":
		_, _ = w.Write(bytes.Repeat([]byte("0123456789"), 30_000))
	case "/echo":
		body, _ := io.ReadAll(r.Body) // net/http closes the connection of who answers earlier
		_, _ = w.Write(body)
	case "/fail":
		http.Error(w, "no", http.StatusInternalServerError)
	default:
		hello(w, r)
	}
}

// alike fails the test unless both say the same of each request, several times over.
func alike(t *testing.T, x, other exchanger, rs []unpark.Request) {
	t.Helper()
	for range 3 {
		for i, r := range rs {
			for _, hash := range []bool{false, true} {
				got, want := x.exchange(i, hash), other.exchange(i, hash)
				if got.status != want.status || got.bytes != want.bytes || got.err != want.err {
					t.Errorf("%s %s: %+v, net/http %+v", r.Method, r.URL, got, want)
				}
				good(t, got, want.status, want.bytes)
				if got.sum != want.sum && want.bytes < hashedBytes {
					t.Errorf("%s %s: sum %x, net/http %x", r.Method, r.URL, got.sum, want.sum)
				}
			}
		}
	}
}

// TestConnLinkAsHTTPLink: over plain connections and TLS, whatever the shape of
// the answer, the outcome is that of net/http.
func TestConnLinkAsHTTPLink(t *testing.T) {
	for name, start := range map[string]func(*httptest.Server){"http": (*httptest.Server).Start, "https": (*httptest.Server).StartTLS} {
		t.Run(name, func(t *testing.T) {
			var conns atomic.Int64
			srv := httptest.NewUnstartedServer(http.HandlerFunc(answers))
			srv.EnableHTTP2 = true // which must not be agreed on
			srv.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					conns.Add(1)
				}
			}
			start(srv)
			t.Cleanup(srv.Close)
			var rs []unpark.Request
			for _, path := range []string{"/", "/chunks", "/nothing", "/hints", "/close", "/long", "/fail", "/echo"} {
				rs = append(rs, unpark.Request{URL: srv.URL + path}, unpark.Request{URL: srv.URL + path, Method: "HEAD"})
			}
			long := bytes.Repeat([]byte("abc"), 200_000)
			rs = append(rs, unpark.Request{URL: srv.URL + "/echo", Method: "POST", Body: []byte("short")},
				unpark.Request{URL: srv.URL + "/echo", Method: "PUT", Body: long}, unpark.Request{URL: srv.URL + "/echo", Method: "POST"})
			x := newLink(t, rs...)
			seed := x.sum.hash.Seed()
			other := newHTTPLink(t.Context(), x.settings, x.clock, seed)
			t.Cleanup(other.close)
			alike(t, x, other, rs)
			if n := conns.Load(); n != 2*(1+3*2*2) { // "/close" ends one each time
				t.Errorf("%d connections of two clients", n)
			}
		})
	}
}

func TestConnLinkKeepsItsConnections(t *testing.T) {
	var conns atomic.Int64
	count := func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			conns.Add(1)
		}
	}
	var rs []unpark.Request
	for range 2 {
		srv := httptest.NewUnstartedServer(http.HandlerFunc(answers))
		srv.Config.ConnState = count
		srv.Start()
		t.Cleanup(srv.Close)
		rs = append(rs, unpark.Request{URL: srv.URL + "/a"}, unpark.Request{URL: srv.URL + "/b"})
	}
	rs = append(rs, unpark.Request{URL: rs[0].URL, Header: map[string][]string{"Connection": {"x, Close"}}})
	x := newLink(t, rs...)
	for i := range 40 {
		o := x.exchange(i%4, false)
		good(t, o, 200, 5)
		if dialled, first := o.dial > 0, i == 0 || i == 2; dialled != first {
			t.Errorf("exchange %d: dial %d", i, o.dial)
		}
	}
	if n := conns.Load(); n != 2 {
		t.Errorf("%d connections to two hosts", n)
	}
	for range 3 { // each asks for the end of its connection
		good(t, x.exchange(4, false), 200, 5)
	}
	if n := conns.Load(); n != 4 {
		t.Errorf("%d connections, want 4", n)
	}
}

func TestConnLinkRefusesHeaders(t *testing.T) {
	s, err := newSettings(closed(1, unpark.Request{URL: "http://127.0.0.1:1/x", Header: map[string][]string{"X-Bad": {"a\r\nb"}}}))
	if err != nil {
		t.Fatal(err)
	}
	_, err = newConnLink(t.Context(), s, &clock{base: time.Now()}, maphash.MakeSeed())
	if err == nil || !strings.Contains(err.Error(), "X-Bad") || !strings.Contains(err.Error(), "GET http://127.0.0.1:1/x") {
		t.Errorf("%v", err)
	}
}

// TestConnLinkUploads: a body that the kernel does not take at once is written
// whole, and one that the server does not want ends with its answer.
func TestConnLinkUploads(t *testing.T) {
	body := bytes.Repeat([]byte("0123456789abcdef"), 1<<20) // more than the kernel's buffers hold
	var conns atomic.Int64
	early := listen(t, func(c net.Conn) {
		conns.Add(1)
		reply("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nno!")(c)
		<-t.Context().Done() // and reads no more
	})
	slow := func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Millisecond) // the buffers fill
		answers(w, r)
	}
	x := newLink(t, unpark.Request{URL: serve(t, slow) + "/echo", Method: "POST", Body: body},
		unpark.Request{URL: "http://" + early + "/", Method: "POST", Body: body},
		unpark.Request{URL: "http://" + listen(t, func(c net.Conn) { readRequest(c); <-t.Context().Done() }) + "/", Method: "POST", Body: body})
	for i := range 3 {
		o := x.exchange(0, false)
		good(t, o, 200, int64(len(body)))
		if i > 0 && o.dial > 0 {
			t.Error("the connection was not kept")
		}
		good(t, x.exchange(1, false), 413, 3)
	}
	if n := conns.Load(); n != 3 {
		t.Errorf("%d connections, want 3", n)
	}
	x.settings.timeout = 200 * time.Millisecond
	bad(t, x.exchange(2, false), failTimeout)
}

// TestConnLinkDeadlines: the deadline of an earlier request neither fails a later
// one nor is it moved for each.
func TestConnLinkDeadlines(t *testing.T) {
	slow := make(chan struct{})
	x := newLink(t, unpark.Request{URL: serve(t, func(w http.ResponseWriter, r *http.Request) {
		<-slow
		hello(w, r)
	})})
	p := x.messages[0].to
	next := func(busy bool) outcome {
		if p.freed = -int64(time.Hour); busy {
			p.freed = never
		}
		go func() { slow <- struct{}{} }()
		return x.exchange(0, false)
	}
	good(t, next(false), 200, 5)
	armed := p.armed
	for range 3 {
		good(t, next(false), 200, 5)
	}
	if p.armed != armed {
		t.Error("the deadline is moved for every request")
	}
	// That of a busy connection is moved when it is near.
	good(t, next(true), 200, 5)
	if p.armed != 0 || p.glance == 0 {
		t.Errorf("armed %d, glance %d: a busy connection waits as an idle one", p.armed, p.glance)
	}
	for range 10 {
		before := p.glance
		start := x.clock.now()
		good(t, next(true), 200, 5)
		if p.glance != before && before >= start+int64(shortGlance) && p.armed == 0 {
			t.Errorf("the deadline is moved though %d ns are left", before-start)
		}
	}
	armed = 0
	// It fires while the next request waits.
	p.freed = -int64(time.Hour)
	_ = p.conn.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	time.AfterFunc(60*time.Millisecond, func() { slow <- struct{}{} })
	good(t, x.exchange(0, false), 200, 5)
	if p.armed == armed {
		t.Error("the deadline is where it was")
	}
	x.settings.timeout = 300 * time.Millisecond
	p.armed = 0
	start := x.clock.now()
	bad(t, x.exchange(0, false), failTimeout)
	if took := time.Duration(x.clock.now() - start); took < 300*time.Millisecond {
		t.Errorf("given up after %v", took)
	}
	close(slow)
	good(t, x.exchange(0, false), 200, 5)
}

// TestConnLinkEnds: close and the end of the context end what is in progress.
func TestConnLinkEnds(t *testing.T) {
	for _, scheme := range []string{"http", "https"} { // https: in the handshake
		for name, end := range map[string]func(*connLink, context.CancelFunc){
			"close":   func(x *connLink, _ context.CancelFunc) { x.close() },
			"context": func(_ *connLink, cancel context.CancelFunc) { cancel() },
		} {
			t.Run(scheme+" "+name, func(t *testing.T) {
				asked := make(chan struct{}, 1)
				addr := listen(t, func(c net.Conn) {
					readRequest(c)
					asked <- struct{}{}
					_, _ = io.Copy(io.Discard, c)
				})
				s, err := newSettings(closed(1, unpark.Request{URL: scheme + "://" + addr}))
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				x, err := newConnLink(ctx, s, &clock{base: time.Now()}, maphash.MakeSeed())
				if err != nil {
					t.Fatal(err)
				}
				over := make(chan outcome)
				go func() { over <- x.exchange(0, false) }()
				<-asked
				end(x, cancel)
				select {
				case o := <-over:
					if o.err == "" || o.status != 0 || !errors.Is(o.detail, context.Canceled) {
						t.Errorf("%+v", o)
					}
				case <-time.After(10 * time.Second):
					t.Fatal("it goes on")
				}
				if o := x.exchange(0, false); o.err == "" {
					t.Errorf("after the end: %+v", o)
				}
				x.close()
			})
		}
	}
}

// okServer answers every request with 5 bytes, and allocates nothing for it.
func okServer(t testing.TB) string {
	const text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
	return listen(t, func(c net.Conn) {
		buf, answer := make([]byte, 4096), []byte(text)
		for {
			if _, err := c.Read(buf); err != nil {
				return
			}
			if _, err := c.Write(answer); err != nil {
				return
			}
		}
	})
}

func TestConnLinkAllocatesNothing(t *testing.T) {
	x := newLink(t, at(okServer(t)))
	hash := false
	if n := testing.AllocsPerRun(500, func() {
		hash = !hash
		if o := x.exchange(0, hash); o.status != 200 {
			t.Fatalf("%+v", o)
		}
	}); n != 0 {
		t.Errorf("%v allocations for a request", n)
	}
}

// BenchmarkConnLink compares with BenchmarkExchangeHTTP1.
func BenchmarkConnLink(b *testing.B) {
	secure := httptest.NewTLSServer(http.HandlerFunc(hello))
	b.Cleanup(secure.Close)
	for name, r := range map[string]unpark.Request{"http": at(okServer(b)), "https": {URL: secure.URL}} {
		for _, engine := range []string{"net.Conn", "net.http"} {
			b.Run(name+"/"+engine, func(b *testing.B) {
				c := newLink(b, r)
				var x exchanger = c
				if engine == "net.http" {
					x = newHTTPLink(b.Context(), c.settings, c.clock, c.sum.hash.Seed())
					b.Cleanup(x.close)
				}
				b.ReportAllocs()
				for b.Loop() {
					if o := x.exchange(0, false); o.status != 200 || o.bytes != 5 {
						b.Fatalf("%+v", o)
					}
				}
			})
		}
	}
}

// TestConnLinkSendsAsPlanned: what arrives is what net/http would have sent.
func TestConnLinkSendsAsPlanned(t *testing.T) {
	got := make(chan string, 1)
	addr := listen(t, func(c net.Conn) {
		r, err := http.ReadRequest(bufio.NewReader(c))
		if err != nil {
			return
		}
		body, _ := io.ReadAll(r.Body)
		got <- fmt.Sprintf("%s %s %s %v %q", r.Method, r.RequestURI, r.Host, r.Header, body)
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
	})
	r := unpark.Request{
		Method: "POST", URL: "http://" + addr + "/a%2Fb?c=d#e", Body: []byte("hello"),
		Header: map[string][]string{"Host": {"shop.example"}, "X-A": {"1", "2"}, "User-Agent": {"me"}},
	}
	x := newLink(t, r)
	good(t, x.exchange(0, false), 200, 0)
	ours := <-got
	other := newHTTPLink(t.Context(), x.settings, x.clock, x.sum.hash.Seed())
	t.Cleanup(other.close)
	good(t, other.exchange(0, false), 200, 0)
	if theirs := <-got; ours != theirs {
		t.Errorf("sent %s\nnet/http %s", ours, theirs)
	}
}
