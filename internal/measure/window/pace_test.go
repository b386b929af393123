package window

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"sync/atomic"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// TestPaced: a window that is to begin at an instant has counters from right before it, and not from when its processes were made
// ready; where there is no time to read them again, or that takes too long, those stay.
func TestPaced(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		left   time.Duration // before the instant
		hangs  bool          // the second reading
		reads  int32
		second bool // is the one that counts
	}{
		"again":   {10 * time.Second, false, 3, true},
		"no time": {10 * time.Millisecond, false, 2, false},
		"hangs":   {3 * time.Second, true, 3, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var reads atomic.Int32
			var waited atomic.Bool // for the instant
			var again atomic.Int64
			mux := http.NewServeMux()
			mux.HandleFunc("/debug/pprof/", func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/debug/pprof/allocs" && r.URL.RawQuery != "debug=1" && reads.Add(1) == 2 && !waited.Load() {
					again.Store(time.Now().UnixNano())
					if c.hangs {
						<-r.Context().Done()
						return
					}
				}
				pprof.Index(w, r)
			})
			mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
			server := httptest.NewServer(mux)
			defer server.Close()
			e, err := NewEndpoint(server.URL, "")
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			got, err := Measure(context.Background(), Options{
				Name: "window-01", Duration: time.Second, Endpoints: []*Endpoint{e}, Create: (&discarded{}).Create,
				Pace: func(_ context.Context, phase string, ahead time.Duration) (time.Duration, error) {
					waited.Store(waited.Load() || ahead == 0)
					if phase != "window" || ahead == 0 {
						return 0, nil
					}
					return c.left, nil
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if n := reads.Load(); n != c.reads {
				t.Errorf("allocations were read %d times, want %d", n, c.reads)
			}
			for _, f := range got.Window.Profiles {
				if f.Kind == unpark.KindAllocs && (again.Load() > 0 && f.Start.UnixNano() > again.Load()) != c.second {
					t.Errorf("they count since %v; read again at %v", f.Start, time.Unix(0, again.Load()))
				}
			}
		})
	}
}
