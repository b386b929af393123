package window

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

//go:noinline
func filled() []byte { return make([]byte, 32<<20) }

// TestCollect: what a process fills its memory with when it starts is in no reading until it collects garbage.
func TestCollect(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	runtime.GC()
	mux := http.NewServeMux()
	for _, kind := range []string{"heap", "allocs"} {
		mux.Handle("/debug/pprof/"+kind, pprof.Handler(kind))
	}
	server := httptest.NewServer(mux)
	defer server.Close()
	e, err := NewEndpoint(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	read := func() (sum float64) {
		body, err := e.Read(t.Context(), unpark.KindAllocs, 0)
		if err != nil {
			t.Fatal(err)
		}
		p, err := profile.Decode(bytes.NewReader(body), unpark.KindAllocs, "allocs.pb.gz")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Samples() {
			for _, at := range s.Stack {
				if strings.HasSuffix(at.Function, "window.filled") {
					sum += s.Value
				}
			}
		}
		return sum
	}
	before := read()
	kept := filled()
	if got := read() - before; got != 0 {
		t.Errorf("%v bytes before a collection: there is nothing to wait for", got)
	}
	if err := e.Collect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := read() - before; got < 31<<20 {
		t.Errorf("%v bytes after a collection, want 32 MiB", got)
	}
	runtime.KeepAlive(kept)
	server.Close()
	if err := e.Collect(t.Context()); err == nil || !strings.Contains(err.Error(), "collect garbage by "+e.Address) {
		t.Errorf("of a process that has ended: %v", err)
	}
}
