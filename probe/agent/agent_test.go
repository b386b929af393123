package agent

import (
	"context"
	"go/parser"
	"go/token"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// startUnix starts an agent on a socket in a folder of its own.
func startUnix(t *testing.T, o Options) (*Agent, *http.Client) {
	t.Helper()
	o.Address = "unix:" + shortDir(t)
	a, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a, unixClient(t, a.address.path)
}

// shortDir is t.TempDir with a path that fits a socket.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "unpark")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func unixClient(t *testing.T, path string) *http.Client {
	t.Helper()
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// get returns the answer to a GET with its body read.
func get(t *testing.T, c *http.Client, url string) (*http.Response, string) {
	t.Helper()
	resp, err := c.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("read %s: %v", url, err)
	}
	return resp, string(body)
}

// eventually waits for a state that another goroutine reaches.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("not reached: %s", what)
}

func TestOffByDefault(t *testing.T) {
	t.Setenv(EnvAddress, "")
	a, err := Start(Options{})
	if a != nil || err != nil {
		t.Fatalf("Start = %v, %v; want nil, nil", a, err)
	}
	if a.Addr() != "" || a.Close() != nil || Active() {
		t.Error("an agent that is off must be harmless")
	}
}

func TestEnvironment(t *testing.T) {
	dir := shortDir(t)
	t.Setenv(EnvAddress, "unix:"+dir)
	a, err := Start(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if want := "unix:" + filepath.Join(dir, strconv.Itoa(os.Getpid())+".sock"); a.Addr() != want {
		t.Errorf("Addr = %q, want %q", a.Addr(), want)
	}
	if _, err := Start(Options{Address: "127.0.0.1:0"}); err == nil || !strings.Contains(err.Error(), "start it once") {
		t.Errorf("a second agent in one process: %v", err)
	}
}

// The service's own mux must stay as it was: pprof on it would be public.
func TestDefaultMuxUntouched(t *testing.T) {
	_, client := startUnix(t, Options{})
	if resp, _ := get(t, client, "http://unix/debug/pprof/"); resp.StatusCode != 200 {
		t.Fatal(resp.Status)
	}
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/heap", "/debug/vars", "/debug/unpark/info"} {
		r := httptest.NewRequest("GET", path, nil)
		if _, pattern := http.DefaultServeMux.Handler(r); pattern != "" {
			t.Errorf("%s is on http.DefaultServeMux as %q", path, pattern)
		}
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if p := i.Path.Value; p == `"expvar"` || p == `"net/http/pprof"` || strings.Contains(p, ".") {
				t.Errorf("%s imports %s", name, p)
			}
		}
	}
}

func TestTCP(t *testing.T) {
	tests := []struct {
		name, token string
		header      map[string]string
		host        string
		want        int
	}{
		{name: "loopback without a token", want: 200},
		{name: "localhost", host: "localhost:1", want: 200},
		{name: "a name that was rebound", host: "evil.example:1", want: 403},
		{name: "another site in a browser", header: map[string]string{"Sec-Fetch-Site": "cross-site"}, want: 403},
		{name: "typed into a browser", header: map[string]string{"Sec-Fetch-Site": "none"}, want: 200},
		{name: "token missing", token: "s3cret", want: 401},
		{name: "token wrong", token: "s3cret", header: map[string]string{"Authorization": "Bearer s3cre"}, want: 401},
		{name: "token empty", token: "s3cret", header: map[string]string{"Authorization": "Bearer "}, want: 401},
		{name: "token in basic", token: "s3cret", header: map[string]string{"Authorization": "Basic s3cret"}, want: 401},
		{name: "token right", token: "s3cret", header: map[string]string{"Authorization": "Bearer s3cret"}, want: 200},
		{name: "token right by name", token: "s3cret", host: "box.example", header: map[string]string{"Authorization": "bearer s3cret"}, want: 200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := Start(Options{Address: "127.0.0.1:0", Token: tt.token})
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			for _, path := range []string{"/debug/unpark/info", "/debug/pprof/heap", "/debug/unpark/metrics", "/debug/pprof/"} {
				r, err := http.NewRequest("GET", "http://"+a.Addr()+path, nil)
				if err != nil {
					t.Fatal(err)
				}
				r.Host = tt.host
				for k, v := range tt.header {
					r.Header.Set(k, v)
				}
				resp, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				if resp.StatusCode != tt.want {
					t.Errorf("%s: %s, want %d", path, resp.Status, tt.want)
				}
			}
			http.DefaultClient.CloseIdleConnections()
		})
	}
}

func TestRefusedStart(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	dir := shortDir(t)
	own := strconv.Itoa(os.Getpid()) + ".sock"
	if err := os.WriteFile(filepath.Join(dir, own), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, address, want string }{
		{"every interface", ":6061", "set UNPARK_PROBE_TOKEN"},
		{"every interface in full", "0.0.0.0:0", "set UNPARK_PROBE_TOKEN"},
		{"every interface, IPv6", "[::]:0", "set UNPARK_PROBE_TOKEN"},
		{"another address", "192.0.2.7:0", "set UNPARK_PROBE_TOKEN"},
		{"mapped address", "[::ffff:192.0.2.7]:0", "set UNPARK_PROBE_TOKEN"},
		{"a name", "example.com:80", "write one, or localhost"},
		{"no port", "127.0.0.1", "write unix:DIR, or HOST:PORT"},
		{"a word", "on", "write unix:DIR, or HOST:PORT"},
		{"a port too high", "127.0.0.1:70000", "up to 65535"},
		{"a port in use", busy.Addr().String(), "free the port"},
		{"no folder", "unix:", "a folder for one socket per process"},
		{"a long folder", "unix:/" + strings.Repeat("a", 120), "name a shorter folder"},
		{"a file in the way", "unix:" + dir, "a file that is no socket"},
		{"a file for a folder", "unix:" + filepath.Join(dir, own), "this user may write"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := Start(Options{Address: tt.address})
			if err == nil {
				a.Close()
				t.Fatal("started")
			}
			if a != nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "unpark probe: ") {
				t.Errorf("Start = %v, %q; want an error with %q", a, err, tt.want)
			}
		})
	}
	// A start that failed must not stand in the way of the next.
	startUnix(t, Options{})
}

func TestReachableWithToken(t *testing.T) {
	a, err := Start(Options{Address: "0.0.0.0:0", Token: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

func TestMethods(t *testing.T) {
	_, client := startUnix(t, Options{})
	for _, method := range []string{"POST", "PUT", "HEAD", "OPTIONS"} {
		r, _ := http.NewRequest(method, "http://unix/debug/unpark/lease?block=1&ttl=1", nil)
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 405 || resp.Header.Get("Allow") != "GET" {
			t.Errorf("%s: %s", method, resp.Status)
		}
	}
	if resp, _ := get(t, client, "http://unix/"); resp.StatusCode != 404 {
		t.Errorf("/: %s", resp.Status)
	}
}

func TestCloseDuringProfile(t *testing.T) {
	a, client := startUnix(t, Options{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		if resp, err := client.Get("http://unix/debug/pprof/trace?seconds=3600"); err == nil {
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
	}()
	eventually(t, "a trace is running", Active)
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if Active() {
		t.Error("active after Close")
	}
	<-done
	if err := a.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}
