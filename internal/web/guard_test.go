package web

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Only who names the server and holds its key is answered.
func TestGuard(t *testing.T) {
	s := serve(t, shop(t))
	port := s.url[strings.LastIndex(s.url, ":"):]
	cookie := &http.Cookie{Name: s.cookie(), Value: s.session}
	for _, tt := range []struct {
		name, host, path string
		cookie           bool
		origin           string
		want             int
	}{
		{"let in", "127.0.0.1" + port, "/", true, "", 200},
		{"by another name of this machine", "localhost" + port, "/", true, "", 200},
		{"no cookie", "127.0.0.1" + port, "/api/runs", false, "", 403},
		{"another host's name", "evil.example" + port, "/", true, "", 421},
		{"another port", "127.0.0.1:1", "/", true, "", 421},
		{"another site", "127.0.0.1" + port, "/api/runs", true, "http://evil.example", 403},
		{"no site", "127.0.0.1" + port, "/api/runs", true, "null", 403},
		{"a wrong key", "127.0.0.1" + port, "/?key=x", false, "", 403},
		{"the key", "127.0.0.1" + port, "/?key=" + s.key + "&service=a", false, "", 303},
		{"the key to another host's path", "127.0.0.1" + port, "//evil.example/?key=" + s.key, false, "", 303},
	} {
		r := httptest.NewRequest(http.MethodGet, tt.path, nil)
		r.Host = tt.host
		if strings.HasPrefix(tt.path, "//") {
			r.URL.Path, r.URL.Host = "//evil.example/", ""
		}
		if tt.cookie {
			r.AddCookie(cookie)
		}
		if tt.origin != "" {
			r.Header.Set("Origin", tt.origin)
		}
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if w.Code != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, w.Code, tt.want)
		}
		if to := w.Header().Get("Location"); strings.Contains(to, "key") || strings.HasPrefix(to, "//") || strings.Contains(to, "evil") {
			t.Errorf("%s: sent to %s", tt.name, to)
		}
		if set := w.Header().Get("Set-Cookie"); tt.want == 303 && (!strings.Contains(set, "HttpOnly") || !strings.Contains(set, "SameSite=Strict")) {
			t.Errorf("%s: cookie %s", tt.name, set)
		}
		if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "frame-ancestors 'none'") {
			t.Errorf("%s: policy %q", tt.name, csp)
		}
	}
}

func TestListen(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "[::]:0", "example.com:0", "127.0.0.1"} {
		if l, err := Listen(address); err == nil || !strings.Contains(err.Error(), "listen on "+address) {
			t.Errorf("%s: %v, %v", address, l, err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := Listen(l.Addr().String()); err == nil || !strings.Contains(err.Error(), "--listen") {
		t.Errorf("a port that is taken: %v", err)
	}
}
