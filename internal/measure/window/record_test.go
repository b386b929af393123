package window

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"runtime/trace"
	"strings"
	"sync"
	"testing"
	"time"

	xtrace "golang.org/x/exp/trace"

	"github.com/unpark-go/unpark"
)

// memory keeps files.
type memory struct {
	mu    sync.Mutex
	files map[string]*bytes.Buffer
	err   error
}

func (m *memory) Create(name string) (io.WriteCloser, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err != nil {
		return nil, m.err
	}
	if m.files == nil {
		m.files = map[string]*bytes.Buffer{}
	}
	if m.files[name] != nil {
		return nil, fmt.Errorf("create %s: it exists", name)
	}
	m.files[name] = &bytes.Buffer{}
	return closable{m.files[name]}, nil
}

// events counts what can be read of a trace.
func events(t *testing.T, b []byte) (n int) {
	t.Helper()
	r, err := xtrace.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := r.ReadEvent(); err != nil {
			return n
		}
		n++
	}
}

// restless passes values between two goroutines for the length of a test, so that a
// trace of this process grows by a few megabytes a second.
func restless(t *testing.T) {
	t.Helper()
	done := make(chan struct{})
	c := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(c)
		for i := 0; ; i++ {
			if i%100 == 0 {
				time.Sleep(time.Millisecond)
			}
			select {
			case c <- i:
			case <-done:
				return
			}
		}
	})
	wg.Go(func() {
		for range c {
		}
	})
	t.Cleanup(func() { close(done); wg.Wait() })
}

func newTestEndpoint(t *testing.T, h http.Handler) *Endpoint {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	e, err := NewEndpoint(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("not reached: %s", what)
}

// A trace that is larger than its bound is cut, kept, readable, and over: the target
// does not trace for the ten minutes that were asked for.
func TestTraceIsCut(t *testing.T) {
	restless(t)
	e := newTestEndpoint(t, http.HandlerFunc(pprof.Trace))
	for limit := int64(4 << 20); ; limit *= 2 {
		files := &memory{}
		r := &recording{name: "t", file: lateFile{create: files.Create, name: "t"}}
		e.record(context.Background(), e.base+"trace?seconds=600", limit, r)
		eventually(t, "the target has stopped tracing", func() bool { return !trace.IsEnabled() })
		m := &member{endpoint: e}
		f := m.settleTrace(r)
		if f.State != unpark.Present || f.File != "t" || !strings.Contains(f.Note, fmt.Sprintf("cut at %d.0 MB", limit>>20)) {
			t.Fatalf("record %+v", f)
		}
		if got := int64(files.files["t"].Len()); got != limit {
			t.Fatalf("%d bytes in the file, want %d", got, limit)
		}
		if n := events(t, files.files["t"].Bytes()); n > 1000 {
			return
		}
		// The first generation, a second long, did not fit: this machine is faster.
		if limit >= maxTrace {
			t.Skip("a second of tracing is more than a trace may be")
		}
	}
}

func TestTraceIsWhole(t *testing.T) {
	e := newTestEndpoint(t, http.HandlerFunc(pprof.Trace))
	files := &memory{}
	r := &recording{name: "t", file: lateFile{create: files.Create, name: "t"}}
	e.record(context.Background(), e.base+"trace?seconds=0.1", maxTrace, r)
	f := (&member{endpoint: e}).settleTrace(r)
	if f.State != unpark.Present || f.Note != "" || events(t, files.files["t"].Bytes()) == 0 {
		t.Errorf("record %+v", f)
	}
}

// What is no whole trace is told as what it is.
func TestTraceThatFails(t *testing.T) {
	header := append([]byte("go 1.26 trace"), 0, 0, 0)
	broken := errors.New("no space left on device")
	tests := []struct {
		name    string
		handler http.HandlerFunc
		files   *memory
		state   unpark.Coverage
		file    bool
		note    string
	}{
		{"absent", http.NotFound, &memory{}, unpark.Absent, false, "status 404"},
		{"in use", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "Could not enable tracing: execution tracer already enabled", http.StatusInternalServerError)
		}, &memory{}, unpark.Bad, false, "already enabled"},
		{"empty", func(http.ResponseWriter, *http.Request) {}, &memory{}, unpark.Bad, false, "empty, not an execution trace"},
		{"a page", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintln(w, "<!doctype html><title>Sign in</title>")
		}, &memory{}, unpark.Bad, false, "an HTML page, not an execution trace"},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Write(append(header, "some of it"...))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, &memory{}, unpark.Present, true, "cut off after"},
		{"no room", func(w http.ResponseWriter, _ *http.Request) {
			w.Write(append(header, 1))
		}, &memory{err: broken}, unpark.Bad, true, broken.Error()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := newTestEndpoint(t, tt.handler)
			r := &recording{name: "t", file: lateFile{create: tt.files.Create, name: "t"}}
			e.record(context.Background(), e.base+"trace?seconds=1", 100, r)
			_ = r.file.Close()
			f := (&member{endpoint: e}).settleTrace(r)
			if f.State != tt.state || (f.File != "") != tt.file || !strings.Contains(f.Note, tt.note) {
				t.Errorf("record %+v", f)
			}
			if r.file.to != nil {
				t.Error("the file stayed open")
			}
		})
	}
}

// Exactly as much as is allowed is not cut.
func TestTraceOfExactlyTheLimit(t *testing.T) {
	body := append(append([]byte("go 1.26 trace"), 0, 0, 0), make([]byte, 84)...)
	e := newTestEndpoint(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(body) }))
	for limit, full := range map[int64]bool{99: true, 100: false, 101: false} {
		r := &recording{file: lateFile{}}
		e.record(context.Background(), e.base+"trace", limit, r)
		if r.err != nil || r.full != full || r.bytes != min(limit, 100) {
			t.Errorf("limit %d: %+v", limit, r)
		}
	}
}

// Interrupted, the target stops tracing and what came is kept.
func TestTraceIsInterrupted(t *testing.T) {
	restless(t)
	e := newTestEndpoint(t, http.HandlerFunc(pprof.Trace))
	ctx, cancel := context.WithCancel(context.Background())
	files := &memory{}
	r := &recording{name: "t", file: lateFile{create: files.Create, name: "t"}}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		e.record(ctx, e.base+"trace?seconds=600", maxTrace, r)
	}()
	eventually(t, "a part of the trace is here", func() bool {
		files.mu.Lock()
		defer files.mu.Unlock()
		return files.files["t"] != nil
	})
	cancel()
	<-ended
	eventually(t, "the target has stopped tracing", func() bool { return !trace.IsEnabled() })
	if f := (&member{endpoint: e}).settleTrace(r); f.State != unpark.Present || !strings.Contains(f.Note, "context canceled") {
		t.Errorf("record %+v", f)
	}
}

func (m *memory) has(name func(string) bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for n := range m.files {
		if name(n) {
			return true
		}
	}
	return false
}
