package window

import (
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"runtime"
	"testing"
)

// TestGoroutines reads the page of net/http/pprof itself, and takes others for silent.
func TestGoroutines(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	for _, c := range []struct {
		name  string
		pages http.Handler
		known bool
	}{
		{"net/http/pprof", mux, true},
		{"another page", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<td>7</td><td>heap</td>")) }), false},
		{"no page", http.NotFoundHandler(), false},
	} {
		srv := httptest.NewServer(c.pages)
		e, err := NewEndpoint(srv.URL, "")
		if err != nil {
			t.Fatal(err)
		}
		before := runtime.NumGoroutine()
		n, ok := e.Goroutines(t.Context())
		if ok != c.known || ok && (n < before/2 || n > before+20) {
			t.Errorf("%s: %d of %d, %v", c.name, n, before, ok)
		}
		e.Close()
		srv.Close()
	}
}
