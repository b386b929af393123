package load

import (
	"bytes"
	"hash/maphash"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

const okAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

// isPoller fails when a plan went to another engine.
func isPoller(t *testing.T, g *Generator) *pollers {
	t.Helper()
	e, ok := g.engine.(*pollers)
	if !ok {
		t.Fatalf("driven by %T", g.engine)
	}
	return e
}

func TestEngineByPlan(t *testing.T) {
	for name, tt := range map[string]struct {
		urls     []string
		protocol string
		plain    bool
	}{
		"plain":         {[]string{"http://127.0.0.1:1/a", "http://127.0.0.1:1/b"}, "", true},
		"two hosts":     {[]string{"http://127.0.0.1:1/a", "http://127.0.0.1:2/b"}, "", false},
		"TLS":           {[]string{"https://127.0.0.1:1/"}, "", false},
		"HTTP/2":        {[]string{"http://127.0.0.1:1/"}, "h2c", true},
		"h2 in TLS":     {[]string{"https://127.0.0.1:1/"}, "h2", false},
		"unknown host":  {[]string{"http://no-such-host.invalid/"}, "", false},
		"port by name":  {[]string{"http://127.0.0.1/"}, "", true},
		"a socket":      {[]string{"unix:///x:/a", "unix:///x:/b"}, "", true},
		"two sockets":   {[]string{"unix:///x:/a", "unix:///y:/a"}, "", false},
		"socket and IP": {[]string{"unix:///x:/a", "http://localhost/a"}, "", false},
		"IPv6 loopback": {[]string{"http://[::1]:1/"}, "", true},
	} {
		var rs []unpark.Request
		for _, u := range tt.urls {
			rs = append(rs, unpark.Request{URL: u})
		}
		plan := closed(1, rs...)
		plan.Protocol = tt.protocol
		s, err := newSettings(plan)
		if err != nil {
			t.Fatal(err)
		}
		p, err := plainOf(t.Context(), s, maphash.MakeSeed())
		if err != nil || (p != nil) != tt.plain {
			t.Errorf("%s: for pollers %v, want %v (%v)", name, p != nil, tt.plain, err)
		}
	}
}

// TestClosedWhileIdle: a server may close a connection just when a request is on
// its way. That is no failure where the request may be repeated.
func TestClosedWhileIdle(t *testing.T) {
	for method, want := range map[string]bool{http.MethodGet: true, http.MethodPost: false} {
		var answers atomic.Int64
		addr := listen(t, func(c net.Conn) {
			readRequest(c) // one answer for each connection, and no word of closing
			_, _ = io.WriteString(c, okAnswer)
			answers.Add(1)
		})
		g := start(t, closed(2, unpark.Request{Method: method, URL: "http://" + addr + "/"}))
		isPoller(t, g)
		until(t, "answers", func() bool { return answers.Load() > 20 })
		s := g.First()
		g.Begin("rest")
		l := s.Load(soon(t))
		if clean := l.Errors == 0; clean != want {
			t.Errorf("%s: %d errors %v: %s", method, l.Errors, l.ErrorKinds, l.ErrorSample)
		}
	}
}

func TestSurplusIsAnError(t *testing.T) {
	addr := listen(t, reply(okAnswer+"surplus"))
	g := start(t, closed(1, unpark.Request{URL: "http://" + addr + "/"}))
	isPoller(t, g)
	until(t, "errors", func() bool { return g.Live().Errors > 0 })
	g.Begin("rest")
	l := g.First().Load(soon(t))
	if l.ErrorKinds[failProtocol] == 0 || !strings.Contains(l.ErrorSample, "7 bytes after the answer") {
		t.Errorf("%v: %s", l.ErrorKinds, l.ErrorSample)
	}
}

// TestLargeBodies: what the kernel does not take at once is sent when it can.
func TestLargeBodies(t *testing.T) {
	body := bytes.Repeat([]byte("0123456789abcdef"), 1<<18) // 4 MB
	var good atomic.Int64
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Millisecond) // the socket's buffer fills
		got, _ := io.ReadAll(r.Body)
		if bytes.Equal(got, body) {
			good.Add(1)
		}
		_, _ = w.Write(got[:1<<20])
	})
	g := start(t, closed(2, unpark.Request{Method: "POST", URL: url, Body: body}))
	isPoller(t, g)
	until(t, "uploads", func() bool { return good.Load() >= 10 })
	g.Begin("rest")
	l := g.First().Load(soon(t))
	if b := l.BytesPerResponse.Or(0); l.Errors != 0 || b != 1<<20 {
		t.Errorf("%d errors (%s), %g bytes an answer", l.Errors, l.ErrorSample, b)
	}
}

// TestEarlyAnswer: an answer that does not wait for the whole request counts, and
// the connection is not used again.
func TestEarlyAnswer(t *testing.T) {
	var conns atomic.Int64
	done := make(chan struct{})
	defer close(done)
	addr := listen(t, func(c net.Conn) {
		conns.Add(1)
		readRequest(c)
		_, _ = io.WriteString(c, "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
		<-done // the rest is never read
	})
	g := start(t, closed(1, unpark.Request{Method: "POST", URL: "http://" + addr + "/", Body: make([]byte, 16<<20), Expect: []int{413}}))
	isPoller(t, g)
	until(t, "connections", func() bool { return conns.Load() > 3 })
	g.Begin("rest")
	l := g.First().Load(soon(t))
	if l.Errors != 0 || l.Status["413"] < 3 {
		t.Errorf("%d errors (%s), %v", l.Errors, l.ErrorSample, l.Status)
	}
}

// TestBothFamilies: localhost has two addresses, and a server may have one.
func TestBothFamilies(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"127.0.0.1:0", "[::1]:0"} {
		ln, err := net.Listen("tcp", at)
		if err != nil {
			t.Logf("%s: %v", at, err)
			continue
		}
		server := &http.Server{Handler: http.HandlerFunc(hello), ReadHeaderTimeout: time.Minute}
		go func() { _ = server.Serve(ln) }()
		t.Cleanup(func() { _ = server.Close() })
		_, port, _ := net.SplitHostPort(ln.Addr().String())
		number, _ := strconv.Atoi(port)
		s, err := newSettings(closed(4, unpark.Request{URL: "http://localhost:" + port + "/"}))
		if err != nil {
			t.Fatal(err)
		}
		g, err := s.prepare(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		// Whatever this machine's localhost is.
		for _, p := range isPoller(t, g).by {
			p.opener.addrs = []address{newAddress(netip.MustParseAddr("::1"), number), newAddress(netip.MustParseAddr("127.0.0.1"), number)}
		}
		g.run(time.Now())
		t.Cleanup(g.Stop)
		until(t, "answers", func() bool { return len(g.Ticks()) > 0 })
		g.Begin("rest")
		if l := g.First().Load(soon(t)); l.Errors != 0 || l.Requests == 0 {
			t.Errorf("%s: %d requests, %d errors: %s", at, l.Requests, l.Errors, l.ErrorSample)
		}
	}
}

// TestManyConnections: thousands are opened a few at a time, and none fails.
func TestManyConnections(t *testing.T) {
	n := 2000
	if testing.Short() {
		n = 300
	}
	var open, most atomic.Int64
	addr := listen(t, func(c net.Conn) {
		most.Store(max(most.Load(), open.Add(1)))
		var buf [4096]byte
		for {
			if _, err := c.Read(buf[:]); err != nil {
				return
			}
			_, _ = io.WriteString(c, okAnswer)
		}
	})
	g := start(t, closed(n, unpark.Request{URL: "http://" + addr + "/"}))
	isPoller(t, g)
	until(t, strconv.Itoa(n)+" connections", func() bool { return open.Load() == int64(n) })
	g.Begin("rest")
	if l := g.First().Load(soon(t)); l.Errors != 0 {
		t.Errorf("%d errors: %v %s", l.Errors, l.ErrorKinds, l.ErrorSample)
	}
}

// TestNothingAllocated: a request and its answer leave nothing for the collector.
func TestNothingAllocated(t *testing.T) {
	var mu sync.Mutex
	conns := map[net.Conn]bool{}
	addr := listen(t, func(c net.Conn) {
		mu.Lock()
		conns[c] = true
		mu.Unlock()
		buf := make([]byte, 4096)
		answer := []byte(okAnswer)
		for {
			if _, err := c.Read(buf); err != nil {
				return
			}
			if _, err := c.Write(answer); err != nil {
				return
			}
		}
	})
	s, err := newSettings(closed(1, unpark.Request{URL: "http://" + addr + "/"}))
	if err != nil {
		t.Fatal(err)
	}
	g, err := s.prepare(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer g.Stop()
	p := isPoller(t, g).by[0]
	x := &p.sockets[0]
	p.next(x, p.clock.now())
	step := func() {
		p.openQueued()
		p.serve(p.ep.poll(1e9))
	}
	for x.count < 300 { // until bodies are hashed no more than now and then
		step()
	}
	allocs := testing.AllocsPerRun(300, step)
	if x.failures > 0 || allocs >= 1 {
		t.Errorf("%g allocations a request, %d failures", allocs, x.failures)
	}
}
