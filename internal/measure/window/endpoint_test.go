package window

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

func TestNewEndpoint(t *testing.T) {
	tests := []struct {
		address, base, hostport string
	}{
		{"127.0.0.1:6060", "http://127.0.0.1:6060/debug/pprof/", "127.0.0.1:6060"},
		{"http://127.0.0.1:6060", "http://127.0.0.1:6060/debug/pprof/", "127.0.0.1:6060"},
		{"http://127.0.0.1:6060/", "http://127.0.0.1:6060/debug/pprof/", "127.0.0.1:6060"},
		{"http://h/debug/pprof", "http://h/debug/pprof/", "h:80"},
		{"http://h:1/debug/pprof/profile?seconds=30", "http://h:1/debug/pprof/", "h:1"},
		{"https://h/admin/debug/pprof/heap", "https://h/admin/debug/pprof/", "h:443"},
		{"http://h/internal/profiling", "http://h/internal/profiling/", "h:80"},
		{"unix:///run/a.sock", "http://unix/debug/pprof/", ""},
		{"unix:///run/a.sock:/", "http://unix/debug/pprof/", ""},
		{"unix:///run/a.sock:/admin/debug/pprof/heap", "http://unix/admin/debug/pprof/", ""},
		{"http://ann:s3cret@h:1/?token=s3cret", "http://h:1/debug/pprof/", "h:1"},
	}
	for _, test := range tests {
		e, err := NewEndpoint(test.address, "")
		if err != nil {
			t.Errorf("NewEndpoint(%q): %v", test.address, err)
			continue
		}
		if strings.Contains(e.Address, "s3cret") {
			t.Errorf("NewEndpoint(%q) shows %q", test.address, e.Address)
		}
		if e.base != test.base || e.Hostport() != test.hostport {
			t.Errorf("NewEndpoint(%q) = %q at %q, want %q at %q", test.address, e.base, e.Hostport(), test.base, test.hostport)
		}
	}
	for _, bad := range []string{"", "unix://", "ftp://h", "http://", "::"} {
		if _, err := NewEndpoint(bad, ""); err == nil {
			t.Errorf("NewEndpoint(%q) succeeded", bad)
		}
	}
	if _, err := NewEndpoint("ftp://ann:s3cret@h/?t=s3cret", ""); err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("%v", err)
	}
}

// TestProbeAnswers tells the answers of things that are no profile apart.
func TestProbeAnswers(t *testing.T) {
	tests := []struct {
		name    string
		handler http.HandlerFunc
		want    string // in the error; empty: none
	}{
		{"pprof", pprof.Index, ""},
		{"404", http.NotFound, "status 404"},
		{"sign-in page", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<html>Sign in</html>")) }, "an HTML page, not a profile"},
		{"text", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("OK\n")) }, `"OK", not a profile`},
		{"empty", func(http.ResponseWriter, *http.Request) {}, "empty, not a profile"},
		{"redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/login", http.StatusFound) }, "status 302"},
		{"token", func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer secret" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			pprof.Index(w, r)
		}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(test.handler)
			defer server.Close()
			e, err := NewEndpoint(server.URL, "secret")
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			err = e.Probe(context.Background())
			switch {
			case test.want == "" && err != nil:
				t.Fatal(err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Fatalf("error %v, want %q in it", err, test.want)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "heap"):
			w.Header().Set("Content-Length", "1000")
			w.Write([]byte("cut"))
		case strings.HasSuffix(r.URL.Path, "profile"):
			http.Error(w, "Could not enable CPU profiling: cpu profiling already in use", http.StatusInternalServerError)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	e, err := NewEndpoint(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for kind, want := range map[unpark.Kind]string{
		unpark.KindHeap: "cut off after 3 bytes",
		unpark.KindCPU:  "already in use",
	} {
		if _, err := e.Read(context.Background(), kind, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q in it", kind, err, want)
		}
	}
	if _, err := e.Read(context.Background(), unpark.KindGoroutineLeak, 0); !absent(err) {
		t.Errorf("a kind behind a 404 is not absent: %v", err)
	}
}

func TestMutexFraction(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(pprof.Index))
	defer server.Close()
	e, err := NewEndpoint(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if n, ok := e.mutexFraction(context.Background()).Get(); !ok || n != 0 {
		t.Errorf("fraction %v, %v; this test sets none", n, ok)
	}
}

// TestEndpointOnSocket: net/http/pprof behind a unix socket, at a path of its own.
func TestEndpointOnSocket(t *testing.T) {
	dir, err := os.MkdirTemp("", "u")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	socket := filepath.Join(dir, "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/admin/debug/pprof/goroutine", pprof.Handler("goroutine").ServeHTTP)
	server := httptest.NewUnstartedServer(mux)
	_ = server.Listener.Close()
	server.Listener = l
	server.Start()
	defer server.Close()
	for address, ok := range map[string]bool{
		"unix://" + socket + ":/admin/debug/pprof": true, "unix://" + socket: false, "unix://" + socket + ".none": false,
	} {
		e, err := NewEndpoint(address, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Probe(t.Context()); (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
		e.Close()
	}
}

// TestEndpointAuthorizes: a token goes before the user of the URL.
func TestEndpointAuthorizes(t *testing.T) {
	for token, want := range map[string]string{"": "Basic YW5uOnMzY3JldA==", "t0k": "Bearer t0k"} {
		var got string
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header.Get("Authorization") }))
		e, err := NewEndpoint(strings.Replace(server.URL, "://", "://ann:s3cret@", 1), token)
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := e.open(t.Context(), e.base); err != nil || got != want {
			t.Errorf("token %q: %q, %v; want %q", token, got, err, want)
		} else {
			resp.Body.Close()
		}
		e.Close()
		server.Close()
	}
}
