package investigate

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
)

// profiled is a server of profiles; info is what its probe says, empty without one.
type profiled struct {
	*httptest.Server
	mu   sync.Mutex
	open map[net.Conn]bool
}

func newProfiled(t *testing.T, info string) *profiled {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	if info != "" {
		mux.HandleFunc("/debug/unpark/info", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, info) })
	}
	s := &profiled{open: map[net.Conn]bool{}}
	s.Server = httptest.NewUnstartedServer(mux)
	s.watch()
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// watch notes which connections are open.
func (s *profiled) watch() {
	s.Config.ConnState = func(c net.Conn, state http.ConnState) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open[c] = state != http.StateClosed
	}
}

func (s *profiled) connections() (open int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, is := range s.open {
		if is {
			open++
		}
	}
	return open
}

const inContainer = `{"schema":"unpark.probe/v1","pid":1,"num_cpu":8}`

// Two containers that both call themselves process 1 keep a folder each, and neither is
// taken for this machine's init.
func TestContainersAreNotInit(t *testing.T) {
	a, b := newProfiled(t, inContainer), newProfiled(t, inContainer)
	r := &service{c: Config{Pprof: []string{a.URL, b.URL}}, rec: &record{}}
	es, err := r.named(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll(es)
	if len(es) != 2 || es[0].PID == es[1].PID {
		t.Fatalf("%d endpoints, numbered %d and %d", len(es), es[0].PID, es[1].PID)
	}
	for _, e := range es {
		if e.Local != 0 || e.Machine == "" {
			t.Errorf("%s is taken for process %d of this machine", e.Address, e.Local)
		}
	}
}

func TestOneProcessNamedTwice(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are looked for in /proc")
	}
	s := newProfiled(t, "")
	r := &service{c: Config{Pprof: []string{s.URL, s.URL + "/debug/pprof/"}}, rec: &record{}}
	for range 2 { // once for each level
		es, err := r.named(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		closeAll(es)
		if len(es) != 1 || len(r.rec.run.Warnings) != 1 || r.rec.run.Warnings[0].Code != "endpoint-twice" {
			t.Errorf("%d endpoints, %v", len(es), r.rec.run.Warnings)
		}
	}
}

// Of a target elsewhere neither the processors of this machine count nor its quota, and
// the generator takes nothing from it.
func TestElsewhere(t *testing.T) {
	a := newProfiled(t, inContainer)
	r := &service{c: Config{Pprof: []string{a.URL}}, rec: &record{run: newRun(Config{})}}
	es, err := r.named(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll(es)
	r.introduce(es)
	got := r.rec.run.Target
	if !got.Elsewhere || r.shared() || len(got.CPUs) > 0 || got.Quota.Known() || r.throttled != nil {
		t.Errorf("%+v, shared %v", got, r.shared())
	}
	w := unpark.Window{Processes: []unpark.Process{{PID: 1, Machine: 1, Endpoint: a.URL, NumCPU: unpark.Num(8), Cores: unpark.Num(2.5)}}}
	if v := got.Cores(r.rec.run.Host, w); v != unpark.Num(8) {
		t.Errorf("it may use %v cores", v)
	}
}

// An attached process of this machine has its own processors and its own cgroup.
func TestProcessorsOfItsOwn(t *testing.T) {
	all := confine.Allowed()
	tests := []struct {
		name     string
		host     int
		cpus     []int
		want     int
		overlaps bool
	}{
		{"all", len(all), all, 0, false},
		{"some, which the generator may use", len(all) + 1, all[:1], 1, true},
		{"some, which it may not", len(all) + 2, []int{1000}, 1, false},
		{"not known", 4, nil, 0, false},
	}
	for _, tt := range tests {
		r := &service{rec: &record{run: unpark.Run{Host: unpark.Host{CPUs: tt.host}}}}
		r.onProcessors(tt.cpus)
		if got := r.rec.run.Target; len(got.CPUs) != tt.want || got.Overlaps != tt.overlaps || r.shared() != (tt.want == 0 || tt.overlaps) {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

// A probe that is not ready is asked every 50 ms for seconds: nothing is left open of it.
func TestAskedEndpointsAreClosed(t *testing.T) {
	dir, err := os.MkdirTemp("", "u") // short: it is part of a socket's path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	l, err := net.Listen("unix", filepath.Join(dir, "1.sock"))
	if err != nil {
		t.Fatal(err)
	}
	s := &profiled{open: map[net.Conn]bool{}, Server: httptest.NewUnstartedServer(http.HandlerFunc(http.NotFound))}
	s.Listener.Close()
	s.Listener = l
	s.watch()
	s.Start()
	t.Cleanup(s.Close)
	ps := []target.Process{{PID: 1, Socket: filepath.Join(dir, "1.sock")}}
	if es, waiting := answering(context.Background(), ps); len(es) != 0 || !waiting {
		t.Fatalf("%d endpoints, waiting %v", len(es), waiting)
	}
	for end := time.Now().Add(10 * time.Second); s.connections() != 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d connections are open", s.connections())
		}
	}
	if len(s.open) == 0 {
		t.Error("it was not asked")
	}
}
