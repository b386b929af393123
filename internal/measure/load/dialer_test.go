package load

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// socketDir is a folder whose name leaves room for that of a socket.
func socketDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "u")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// serveUnix serves HTTP/1.1 and h2c on a unix socket.
func serveUnix(t testing.TB, path string, h http.HandlerFunc) {
	t.Helper()
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(h)
	_ = s.Listener.Close()
	s.Listener, s.Config.Protocols = l, new(http.Protocols)
	s.Config.Protocols.SetHTTP1(true)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Start()
	t.Cleanup(s.Close)
}

// TestUnixSockets: closed and open loops, both engines, both protocols.
func TestUnixSockets(t *testing.T) {
	socket := filepath.Join(socketDir(t), "x.sock")
	type seen struct{ host, target string }
	var last atomic.Value
	var count atomic.Int64
	serveUnix(t, socket, func(w http.ResponseWriter, r *http.Request) {
		last.Store(seen{r.Host, r.RequestURI})
		count.Add(1)
		hello(w, r)
	})
	everyEngine(t, func(t *testing.T) {
		for name, plan := range map[string]unpark.Plan{
			"closed": {Mode: unpark.Closed, Connections: 3},
			"open":   {Mode: unpark.Constant, RateRPS: 2000, Connections: 3},
			"h2c":    {Mode: unpark.Closed, Connections: 3, Protocol: protoH2C},
		} {
			t.Run(name, func(t *testing.T) {
				plan.Requests = []unpark.Request{{URL: unpark.UnixURL(socket, "/a/b?c=d")}}
				if err := Check(t.Context(), plan); err != nil {
					t.Fatal(err)
				}
				g := start(t, plan)
				s, before := g.First(), count.Load()
				until(t, "answers", func() bool { return count.Load() > before+20 })
				g.Begin("rest")
				l := s.Load(soon(t))
				if l.Errors != 0 || l.Requests == 0 {
					t.Errorf("%d requests, %d errors: %s", l.Requests, l.Errors, l.ErrorSample)
				}
				if got := last.Load(); got != (seen{"localhost", "/a/b?c=d"}) {
					t.Errorf("asked for %+v", got)
				}
			})
		}
	})
}

// TestUnixSocketsOfOnePlan: two sockets are two hosts.
func TestUnixSocketsOfOnePlan(t *testing.T) {
	dir := socketDir(t)
	var plan unpark.Plan
	asked := make(chan string, 1000)
	for _, name := range []string{"a", "b"} {
		serveUnix(t, filepath.Join(dir, name), func(http.ResponseWriter, *http.Request) {
			select {
			case asked <- name:
			default:
			}
		})
		plan.Requests = append(plan.Requests, unpark.Request{URL: unpark.UnixURL(filepath.Join(dir, name), "/")})
	}
	plan.Mode, plan.Connections = unpark.Closed, 2
	if err := Check(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	if a, b := <-asked, <-asked; a+b != "ab" {
		t.Errorf("checked %s and %s", a, b)
	}
	g := start(t, plan)
	seen := map[string]bool{}
	for len(seen) < 2 {
		seen[<-asked] = true
	}
	s := g.First()
	g.Begin("rest")
	if l := s.Load(soon(t)); l.Errors != 0 {
		t.Error(l.ErrorSample)
	}
}

func TestUnixSocketAbsent(t *testing.T) {
	dir := socketDir(t)
	stale := filepath.Join(dir, "stale")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Net: "unix", Name: stale})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	_ = l.Close()
	for _, socket := range []string{stale, filepath.Join(dir, "none")} {
		plan := closed(1, unpark.Request{URL: unpark.UnixURL(socket, "/a?k=s3cret")})
		err := Check(t.Context(), plan)
		if err == nil || !strings.Contains(err.Error(), "listens at the socket "+socket) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%v", err)
		}
		everyEngine(t, func(t *testing.T) {
			g := start(t, plan)
			s := g.First()
			until(t, "an error", func() bool { return g.Live().Errors > 0 })
			g.Begin("rest")
			l := s.Load(soon(t))
			if l.ErrorKinds[failRefused] != l.Errors || strings.Contains(l.ErrorSample, "s3cret") || !strings.Contains(l.ErrorSample, "unix:/") {
				t.Errorf("%v: %s", l.ErrorKinds, l.ErrorSample)
			}
		})
	}
}

func TestUnixURLs(t *testing.T) {
	for address, says := range map[string]string{
		"unix:///run/x.sock:/":                       "",
		"unix:///run/x.sock/a":                       "a colon parts the socket",
		"unix:///" + strings.Repeat("x", 103) + ":/": "at most",
		"unix:///" + strings.Repeat("x", 102) + ":/": "",
		"unix:///run/x.sock:/%zz":                    `invalid URL escape "%zz"`,
		"unix:///run/x.sock:/a?token=s3cret%zz#%zz":  "",
		"http://ann:s3/cret@h/":                      `"http://xxxxx@h/": it cannot be parsed`,
		"ftp://ann:s3cret@h/":                        `"ftp://xxxxx@h/": needs http://`,
	} {
		_, err := newSettings(closed(1, unpark.Request{URL: address}))
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "s3")) {
			t.Errorf("%q: %v, want %q", address, err, says)
		}
	}
}

// TestCheckedAddresses: a host is dialled at the addresses that were checked, whatever
// a name server would answer now. The name has no address at all.
func TestCheckedAddresses(t *testing.T) {
	var count atomic.Int64
	u, err := url.Parse(serve(t, func(http.ResponseWriter, *http.Request) { count.Add(1) }))
	if err != nil {
		t.Fatal(err)
	}
	name := "rebound.invalid"
	plan := closed(2, unpark.Request{URL: "http://" + net.JoinHostPort(name, u.Port()) + "/"})
	// The first address is tried, and refuses.
	plan.Hosts = map[string][]netip.Addr{name: {netip.MustParseAddr("127.0.0.53"), netip.MustParseAddr("127.0.0.1")}}
	if err := Check(t.Context(), plan); err != nil {
		t.Error(err)
	}
	everyEngine(t, func(t *testing.T) {
		g := start(t, plan)
		s, before := g.First(), count.Load()
		until(t, "answers", func() bool { return count.Load() > before+20 })
		g.Begin("rest")
		if l := s.Load(soon(t)); l.Errors != 0 {
			t.Errorf("%d errors: %s", l.Errors, l.ErrorSample)
		}
	})
	delete(plan.Hosts, name)
	if err := Check(t.Context(), plan); err == nil {
		t.Error("a name without an address was reached")
	}
}

func TestDial(t *testing.T) {
	socket := filepath.Join(socketDir(t), "x")
	serveUnix(t, socket, hello)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for name, c := range map[string]struct {
		plan unpark.Plan
		addr string
		ok   bool
	}{
		"socket":     {closed(1, unpark.Request{URL: unpark.UnixURL(socket, "/")}), "localhost:80", true},
		"unknown":    {unpark.Plan{}, "rebound.invalid:80", false},
		"none takes": {unpark.Plan{Hosts: map[string][]netip.Addr{"h": {netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("::1")}}}, strings.Replace(refusedAddr, "127.0.0.1", "h", 1), false},
	} {
		conn, err := Dial(c.plan)(ctx, "tcp", c.addr)
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			_ = conn.Close()
		}
	}
}
