package probe

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark/probe/agent"
)

// measure makes the process measured for the length of a test.
func measure(t testing.TB) {
	t.Helper()
	l, err := agent.Acquire(agent.Rates{Block: 1e9, Previous: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Release)
}

// follow has requests timed for the length of a test, as a guard does.
func follow(t testing.TB) {
	t.Helper()
	a, err := agent.Start(agent.Options{Address: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	resp, err := http.Get("http://" + a.Addr() + "/debug/unpark/vitals?ttl=600")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
}

// labelOf serves a request and returns the route that its handler is marked with.
func labelOf(h func(http.Handler) http.Handler, method, path string) string {
	label := "unmarked"
	end := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if v, ok := pprof.Label(r.Context(), LabelRoute); ok {
			label = v
		}
	})
	h(end).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(method, path, nil))
	return label
}

func TestRoute(t *testing.T) {
	plain := Handler
	mux := func(pattern string) func(http.Handler) http.Handler {
		return func(end http.Handler) http.Handler {
			m := http.NewServeMux()
			m.Handle(pattern, end)
			return Handler(m)
		}
	}
	inside := func(pattern string) func(http.Handler) http.Handler {
		return func(end http.Handler) http.Handler {
			m := http.NewServeMux()
			m.Handle(pattern, Handler(end))
			return m
		}
	}
	tests := []struct {
		name         string
		wrap         func(http.Handler) http.Handler
		method, path string
		want         string
	}{
		{"first segment", plain, "GET", "/items/42/parts", "GET /items"},
		{"root", plain, "GET", "/", "GET /"},
		{"a number", plain, "GET", "/4711", "GET /N"},
		{"not a number", plain, "GET", "/v2/x", "GET /v2"},
		{"too long", plain, "GET", "/" + strings.Repeat("x", 65), "GET /…"},
		{"any word for a method", plain, "BREW", "/pot", "METHOD /pot"},
		{"no UTF-8", plain, "GET", "/%ff", "GET /?"},
		{"mux, pattern with method", mux("GET /items/{id}"), "GET", "/items/42", "GET /items/{id}"},
		{"mux, pattern without", mux("/items/{id}"), "POST", "/items/42", "POST /items/{id}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := labelOf(tt.wrap, tt.method, tt.path); got != "unmarked" {
				t.Errorf("while nobody measures: %q", got)
			}
			measure(t)
			if got := labelOf(tt.wrap, tt.method, tt.path); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	t.Run("inside a mux", func(t *testing.T) {
		measure(t)
		want := "GET /items/{id}"
		if strings.HasPrefix(runtime.Version(), "go1.22") {
			want = "GET /items"
		}
		if got := labelOf(inside("GET /items/{id}"), "GET", "/items/42"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestUnmatched(t *testing.T) {
	measure(t)
	m := Handler(http.NewServeMux()).(*marker)
	if got := m.route(httptest.NewRequest("GET", "/wp-admin.php", nil)); got != "GET unmatched" {
		t.Errorf("got %q", got)
	}
}

func TestRoutesAreBounded(t *testing.T) {
	m := Handler(http.NotFoundHandler()).(*marker)
	seen := map[string]bool{}
	for i := 0; i < 1000; i++ {
		seen[m.route(httptest.NewRequest("GET", fmt.Sprintf("/p%d", i), nil))] = true
	}
	if len(seen) != maxRoutes+1 || !seen["other"] || !seen["GET /p0"] {
		t.Errorf("%d routes", len(seen))
	}
	if got := m.route(httptest.NewRequest("GET", "/p0/again", nil)); got != "GET /p0" {
		t.Errorf("a known route became %q", got)
	}
}

// What net/http gives is what the handler gets, also while marked.
func TestResponseWriterIsNotWrapped(t *testing.T) {
	measure(t)
	server := httptest.NewServer(Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, ok := w.(http.Flusher); !ok {
			t.Error("no Flusher")
		}
		if _, ok := w.(io.ReaderFrom); !ok {
			t.Error("no ReaderFrom")
		}
		conn, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		rw.WriteString("HTTP/1.1 299 Mine\r\nContent-Length: 0\r\n\r\n")
		rw.Flush()
	})))
	defer server.Close()
	resp, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 299 {
		t.Error(resp.Status)
	}
}

func TestPanicPasses(t *testing.T) {
	measure(t)
	defer func() {
		if err, _ := recover().(error); !errors.Is(err, http.ErrAbortHandler) {
			t.Error("the panic was changed")
		}
	}()
	labelOf(func(http.Handler) http.Handler {
		return Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	}, "GET", "/")
}

// net/http deletes a form's temporary files through the request that it made.
func TestFormFilesAreKnownOutside(t *testing.T) {
	measure(t)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("f", "f.txt")
	if err != nil {
		t.Fatal(err)
	}
	part.Write(make([]byte, 1<<16))
	form.Close()
	r := httptest.NewRequest("POST", "/up", &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if err := r.ParseMultipartForm(1); err != nil {
			t.Error(err)
		}
	})).ServeHTTP(httptest.NewRecorder(), r)
	if r.MultipartForm == nil {
		t.Fatal("the form's files would stay")
	}
	r.MultipartForm.RemoveAll()
}

func TestTrace(t *testing.T) {
	a := Start(Options{Address: "127.0.0.1:0"})
	if a == nil {
		t.Fatal("not started")
	}
	defer a.Close()
	measure(t)
	var out bytes.Buffer
	if err := trace.Start(&out); err != nil {
		t.Skip(err) // the tests themselves are being traced
	}
	labelOf(Handler, "GET", "/traced-route/1")
	trace.Stop()
	for _, want := range []string{"GET /traced-route", RegionRequest} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in the trace", want)
		}
	}
}

// A request's age is in the trace when its client says when it was sent, by a clock
// that can be believed.
func TestAge(t *testing.T) {
	a := Start(Options{Address: "127.0.0.1:0"})
	if a == nil {
		t.Fatal("not started")
	}
	defer a.Close()
	measure(t)
	now := time.Now()
	tests := []struct {
		name, sent string
		want       bool
	}{
		{"just now", fmt.Sprint(now.Add(-time.Minute).UnixNano()), true},
		{"none", "", false},
		{"another machine's clock, ahead", fmt.Sprint(now.Add(time.Minute).UnixNano()), false},
		{"another machine's clock, behind", fmt.Sprint(now.Add(-2 * time.Hour).UnixNano()), false},
		{"zero", "0", false},
		{"would wrap", "-9223372036854775808", false},
		{"no number", "now", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := trace.Start(&out); err != nil {
				t.Skip(err) // the tests themselves are being traced
			}
			r := httptest.NewRequest("GET", "/", nil)
			r.Header.Set("unpark-sent", tt.sent)
			Handler(http.NotFoundHandler()).ServeHTTP(httptest.NewRecorder(), r)
			trace.Stop()
			if got := strings.Contains(out.String(), LogAge); got != tt.want {
				t.Errorf("in the trace: %v, want %v", got, tt.want)
			}
			if tt.want && !regexp.MustCompile(`6\d{10}`).Match(out.Bytes()) {
				t.Error("the trace has no age of 60 s in nanoseconds")
			}
		})
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set(HeaderSent, fmt.Sprint(now.UnixNano()))
	if n := testing.AllocsPerRun(100, func() { logAge(r.Context(), r.Header.Get(HeaderSent)) }); n != 0 {
		t.Errorf("%v allocations while there is no trace", n)
	}
}

// The labels must reach a profile, not only the context.
func TestGoroutineLabel(t *testing.T) {
	measure(t)
	var dump bytes.Buffer
	h := Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		pprof.Lookup("goroutine").WriteTo(&dump, 1)
	}))
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/labelled", nil))
	if !strings.Contains(dump.String(), `"route":"GET /labelled"`) {
		t.Errorf("no label in\n%s", dump.String())
	}
}

func quiet() (http.Handler, http.ResponseWriter, *http.Request) {
	h := Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	return h, httptest.NewRecorder(), httptest.NewRequest("GET", "/items/1", nil)
}

func TestNoAllocationWhileNobodyMeasures(t *testing.T) {
	h, w, r := quiet()
	if n := testing.AllocsPerRun(1000, func() { h.ServeHTTP(w, r) }); n != 0 {
		t.Errorf("%v allocations a request", n)
	}
}

func BenchmarkHandler(b *testing.B) {
	b.Run("off", func(b *testing.B) {
		h, w, r := quiet()
		b.ReportAllocs()
		for i := 0; i < b.N; i++ {
			h.ServeHTTP(w, r)
		}
	})
	b.Run("timed", func(b *testing.B) {
		follow(b)
		h, w, r := quiet()
		b.ReportAllocs()
		for i := 0; i < b.N; i++ {
			h.ServeHTTP(w, r)
		}
	})
	b.Run("measured", func(b *testing.B) {
		measure(b)
		h, w, r := quiet()
		b.ReportAllocs()
		for i := 0; i < b.N; i++ {
			h.ServeHTTP(w, r)
		}
	})
}

func TestStartReportsAndGoesOn(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.Stderr
	os.Stderr = write
	defer func() { os.Stderr = stderr }()
	t.Setenv(agent.EnvAddress, "0.0.0.0:0")
	a := Start()
	write.Close()
	line, _ := bufio.NewReader(read).ReadString('\n')
	if a != nil || !strings.Contains(line, "UNPARK_PROBE_TOKEN") || !strings.Contains(line, "the service runs on") {
		t.Errorf("Start = %v, said %q", a, line)
	}
	if a.Addr() != "" || a.Close() != nil {
		t.Error("a nil agent must be harmless")
	}
}

func TestStartOff(t *testing.T) {
	t.Setenv(agent.EnvAddress, "")
	if a := Start(); a != nil || Active() {
		t.Error("on without being asked for")
	}
}
