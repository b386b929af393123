package window

import (
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"runtime"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
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

// TestCostOfAllRequests: the CPU of a process is that of all requests, also of those of void parts of the load.
func TestCostOfAllRequests(t *testing.T) {
	for beside, want := range map[unpark.Number]float64{{}: 0.02, unpark.Num(100): 0.01} {
		c := Contents{Window: unpark.Window{Start: time.Unix(0, 0), End: time.Unix(10, 0), Processes: []unpark.Process{{Cores: unpark.Num(0.2)}}}}
		c.SetLoad(unpark.Load{Requests: 100, Beside: beside}, nil, nil)
		if got := c.Window.Processes[0].CPUPerReq.Or(0); got != want {
			t.Errorf("beside %v: %v s a request, want %v", beside, got, want)
		}
	}
}
