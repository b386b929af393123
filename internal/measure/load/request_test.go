package load

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/unpark-go/unpark"
)

// seen counts requests by what a test wants to know of them.
type seen struct {
	mu sync.Mutex
	n  map[string]int
}

func (s *seen) add(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.n == nil {
		s.n = map[string]int{}
	}
	s.n[key]++
}

func (s *seen) get(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n[key]
}

func (s *seen) kinds() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.n)
}

func TestRequestsArriveAsPlanned(t *testing.T) { everyEngine(t, testRequestsArriveAsPlanned) }

func testRequestsArriveAsPlanned(t *testing.T) {
	var got seen
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got.add(fmt.Sprintf("%s %s %s %s %s %q", r.Method, r.Host, r.RequestURI, r.Header.Get("X-Test"), r.UserAgent(), body))
	})
	g := start(t, closed(2,
		unpark.Request{Method: "POST", URL: url + "/p?q=1", Body: []byte("body"), Header: map[string][]string{"Host": {"shop.example"}, "X-Test": {"a"}, "User-Agent": {"me"}}},
		unpark.Request{URL: url + "/g", Header: map[string][]string{"Host": {"other.example"}}},
	))
	s := g.Begin("window")
	until(t, "both kinds", func() bool {
		return got.get(`POST shop.example /p?q=1 a me "body"`) > 20 && got.get(`GET other.example /g  unpark ""`) > 20
	})
	g.Begin("rest")
	if l := s.Load(soon(t)); l.Errors != 0 {
		t.Errorf("errors: %v %s", l.ErrorKinds, l.ErrorSample)
	}
	if got.kinds() != 2 {
		t.Errorf("%d kinds of requests", got.kinds())
	}
}

func TestWeightsDecideHowOften(t *testing.T) { everyEngine(t, testWeightsDecideHowOften) }

func testWeightsDecideHowOften(t *testing.T) {
	var got seen
	var n atomic.Int64
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) { got.add(r.URL.Path); n.Add(1) })
	start(t, closed(3, unpark.Request{URL: url + "/rare"}, unpark.Request{URL: url + "/often", Weight: 4}))
	until(t, "requests", func() bool { return n.Load() > 2000 })
	if share := float64(got.get("/often")) / float64(n.Load()); share < 0.74 || share > 0.86 {
		t.Errorf("weight 4 of 5 got a share of %.2f", share)
	}
}

func TestUnexpectedStatus(t *testing.T) { everyEngine(t, testUnexpectedStatus) }

func testUnexpectedStatus(t *testing.T) {
	var n atomic.Int64
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { n.Add(1); w.WriteHeader(http.StatusTeapot) })
	for _, tt := range []struct {
		expect []int
		fails  bool
	}{{nil, true}, {[]int{200, 418}, false}} {
		n.Store(0)
		g := start(t, closed(1, unpark.Request{URL: url, Expect: tt.expect}))
		s := g.First()
		until(t, "requests", func() bool { return n.Load() > 20 })
		g.Begin("rest")
		l := s.Load(soon(t))
		g.Stop()
		if l.Status["418"] == 0 || l.Response.N != l.Status["418"] || l.Service.N != l.Response.N {
			t.Errorf("status %v, %d latencies", l.Status, l.Response.N)
		}
		if tt.fails != (l.Errors == l.Status["418"]) || l.ErrorKinds[failStatus] != l.Errors || tt.fails == (l.ErrorSample == "") {
			t.Errorf("expect %v: %d errors, %v, %q", tt.expect, l.Errors, l.ErrorKinds, l.ErrorSample)
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) { everyEngine(t, testRedirectsAreNotFollowed) }

func testRedirectsAreNotFollowed(t *testing.T) {
	var target atomic.Int64
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/to" {
			target.Add(1)
		}
		http.Redirect(w, r, "/to", http.StatusFound)
	})
	g := start(t, closed(1, unpark.Request{URL: url + "/from"}))
	s := g.Begin("window")
	until(t, "answers", func() bool { return g.engine.connections()[0].current.Load() > s.start })
	g.Begin("rest")
	if l := s.Load(soon(t)); l.Status["302"] == 0 || l.Errors != 0 || target.Load() != 0 {
		t.Errorf("status %v, %d errors, %d requests to the target of the redirect", l.Status, l.Errors, target.Load())
	}
}

func TestProtocols(t *testing.T) {
	for _, tt := range []struct {
		name, protocol, want string
		tls                  bool
	}{
		{"http", "", "HTTP/1.1", false},
		{"https", "http/1.1", "HTTP/1.1", true},
		{"https by default", "", "HTTP/1.1", true},
		{"h2", "h2", "HTTP/2.0", true},
		{"h2c", "h2c", "HTTP/2.0", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got seen
			var remotes sync.Map
			var total atomic.Int64
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got.add(r.Proto)
				remotes.Store(r.RemoteAddr, true)
				total.Add(1)
				hello(w, r)
			}))
			s.Config.Protocols = new(http.Protocols)
			s.Config.Protocols.SetHTTP1(true)
			s.Config.Protocols.SetHTTP2(true)
			s.Config.Protocols.SetUnencryptedHTTP2(true)
			s.EnableHTTP2 = true
			if tt.tls {
				s.StartTLS()
			} else {
				s.Start()
			}
			t.Cleanup(s.Close)
			plan := closed(3, unpark.Request{URL: s.URL}, unpark.Request{URL: s.URL, Method: "POST", Body: []byte("x")})
			plan.Protocol = tt.protocol
			if err := Check(soon(t), plan); err != nil {
				t.Fatal(err)
			}
			remotes.Clear()
			g := start(t, plan)
			st := g.First()
			until(t, "requests", func() bool { return total.Load() > 100 })
			g.Begin("rest")
			l := st.Load(soon(t))
			if l.Errors != 0 || l.Response.N == 0 || got.kinds() != 1 || got.get(tt.want) == 0 {
				t.Errorf("%d protocols, %d of the right one, %d errors %s", got.kinds(), got.get(tt.want), l.Errors, l.ErrorSample)
			}
			if l.Service.N != l.Response.N || l.Lag.N != l.Response.N {
				t.Errorf("response %d, service %d, lag %d", l.Response.N, l.Service.N, l.Lag.N)
			}
			connections := 0
			remotes.Range(func(any, any) bool { connections++; return true })
			if connections != 3 {
				t.Errorf("%d connections, want 3", connections)
			}
		})
	}
}

func TestHTTP2AgainstAServerWithoutIt(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(hello))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	plan := closed(1, unpark.Request{URL: s.URL})
	plan.Protocol = "h2"
	if err := Check(soon(t), plan); err == nil {
		t.Error("Check accepts a server that does not speak h2")
	} else {
		t.Log(err)
	}
}
