package investigate

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"runtime"
	"sync"
	"testing"

	"github.com/unpark-go/unpark/window"
)

// service is a server of profiles; info is what its probe says, empty without one.
type service struct {
	*httptest.Server
	mu   sync.Mutex
	open map[net.Conn]bool
}

func newService(t *testing.T, info string) *service {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	if info != "" {
		mux.HandleFunc("/debug/unpark/info", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, info) })
	}
	s := &service{open: map[net.Conn]bool{}}
	s.Server = httptest.NewUnstartedServer(mux)
	s.Config.ConnState = func(c net.Conn, state http.ConnState) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open[c] = state != http.StateClosed
	}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

const inContainer = `{"schema":"unpark.probe/v1","pid":1,"num_cpu":8}`

// Two containers that both call themselves process 1 keep a folder each, and neither is
// taken for this machine's init.
func TestContainersAreNotInit(t *testing.T) {
	a, b := newService(t, inContainer), newService(t, inContainer)
	r := &runner{c: Config{Pprof: []string{a.URL, b.URL}}}
	es, err := r.named(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll(es)
	if len(es) != 2 || es[0].PID == es[1].PID {
		t.Fatalf("%d endpoints, numbered %d and %d", len(es), es[0].PID, es[1].PID)
	}
	for _, e := range es {
		if e.Local != 0 || e.Machine == window.Here {
			t.Errorf("%s is taken for process %d of this machine", e.Address, e.Local)
		}
	}
}

func TestOneProcessNamedTwice(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are looked for in /proc")
	}
	s := newService(t, "")
	r := &runner{c: Config{Pprof: []string{s.URL, s.URL + "/debug/pprof/"}}}
	for range 2 { // once for each level
		es, err := r.named(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		closeAll(es)
		if len(es) != 1 || len(r.run.Warnings) != 1 || r.run.Warnings[0].Code != "endpoint-twice" {
			t.Errorf("%d endpoints, %v", len(es), r.run.Warnings)
		}
	}
}
