package window

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target"
	"github.com/unpark-go/unpark/internal/measure/target/rusage"
)

// saying is a server that says of itself what a probe would.
func saying(t *testing.T, info string) *Endpoint {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	if info != "" {
		mux.HandleFunc("/debug/unpark/info", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, info) })
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	e, err := NewEndpoint(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	if err := e.Probe(context.Background()); err != nil {
		t.Fatal(err)
	}
	e.Locate(context.Background())
	return e
}

func TestLocate(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are looked for in /proc")
	}
	me := os.Getpid()
	const probe = `{"schema":"unpark.probe/v1","pid":%d}`
	tests := []struct {
		name       string
		e          *Endpoint
		local, pid int
		here       bool
	}{
		{"no probe, this process listens", saying(t, ""), me, me, true},
		{"a probe, this process listens", saying(t, fmt.Sprintf(probe, me)), me, me, true},
		{"a container behind this process", saying(t, fmt.Sprintf(probe, 1)), 0, 1, false},
		{"another machine", saying(t, fmt.Sprintf(`{"schema":"unpark.probe/v1","pid":%d,"boot_id":"other","start_ticks":5}`, me)), 0, me, false},
	}
	for _, tt := range tests {
		if e := tt.e; e.Local != tt.local || e.PID != tt.pid || (e.Machine == "") != tt.here {
			t.Errorf("%s: process %d, numbered %d, machine %q", tt.name, e.Local, e.PID, e.Machine)
		}
	}
	if e := probed(t); e.Local != 0 {
		t.Error("known before it was looked for")
	} else if e.Locate(context.Background()); e.Local != me || e.Machine != "" || e.Info.StartTicks == 0 {
		t.Errorf("the probe of this process: %d on %q, %+v", e.Local, e.Machine, e.Info)
	}
}

func TestMachines(t *testing.T) {
	at := func(address, boot string) *Endpoint {
		e, err := NewEndpoint(address, "")
		if err != nil {
			t.Fatal(err)
		}
		if boot != "" {
			e.Info = &Info{Boot: boot}
		}
		e.Place(0, false)
		return e
	}
	same := func(a, b *Endpoint) bool { return a.Machine == b.Machine }
	if !same(at("http://10.0.0.5:6060", ""), at("http://10.0.0.5:6061", "")) || !same(at("http://10.0.0.5:1", "b"), at("http://10.0.0.6:1", "b")) {
		t.Error("one machine counts as two")
	}
	if same(at("http://10.0.0.5:6060", ""), at("http://10.0.0.6:6060", "")) || same(at("http://127.0.0.1:6060", ""), at("http://127.0.0.1:6061", "")) ||
		same(at("http://10.0.0.5:1", "b"), at("http://10.0.0.5:1", "c")) {
		t.Error("two machines count as one")
	}
}

// Two containers both say that they are process 1: each keeps its profiles.
func TestNumber(t *testing.T) {
	es := []*Endpoint{{PID: 1}, {PID: 1}, {PID: 0}, {PID: 7, Local: 7}, {PID: 7}, {PID: 9}}
	Number(es)
	files := map[int]bool{}
	for _, e := range es {
		files[e.PID] = true
	}
	if len(files) != len(es) || es[3].PID != 7 || es[5].PID != 9 {
		t.Errorf("numbers %v", files)
	}
}

// What a process that is not seen here has used is what its probe says, never what the
// process has used that has its number here.
func TestProcessesByTheirProbes(t *testing.T) {
	n := unpark.Num
	start := time.Unix(1000, 0)
	told := func(pid int) *member {
		m := &member{endpoint: &Endpoint{Address: "a", PID: pid, Machine: "host a", Info: &Info{PID: 1, Parent: 5, NumCPU: 8, GOMAXPROCS: 4}}}
		m.pages[0] = page{At: start, CPU: n(10), System: n(1), Faults: n(5), Voluntary: n(7), Involuntary: n(9)}
		m.pages[1] = page{At: start.Add(4 * time.Second), CPU: n(16), System: n(2), Faults: n(6), Voluntary: n(9), Involuntary: n(9)}
		return m
	}
	silent := &member{endpoint: &Endpoint{Address: "b", PID: -2, Machine: "host b"}}
	again := told(-3) // it was started anew
	again.pages[1].CPU = n(0.1)
	u := usage{first: counters{at: start}, last: counters{at: start.Add(4 * time.Second)}, members: members{told(1), silent, again}}
	ps := u.processes()
	if len(ps) != 3 {
		t.Fatalf("%d processes", len(ps))
	}
	if ps[0].Machine != 1 || ps[1].Machine != 2 || ps[2].Machine != 1 {
		t.Errorf("machines %d, %d, %d", ps[0].Machine, ps[1].Machine, ps[2].Machine)
	}
	if p := ps[0]; p.PID != 1 || p.Parent != 5 || p.Cores != n(1.5) || p.System != n(0.25) || p.Voluntary != n(2) || p.Faults != n(1) ||
		p.NumCPU != n(8) || p.RSS.Known() || p.Endpoint != "a" {
		t.Errorf("with a probe: %+v", p)
	}
	if p := ps[1]; p.PID != -2 || p.Cores.Known() || p.Threads.Known() || p.Endpoint != "b" {
		t.Errorf("without one: %+v", p)
	}
	if ps[2].Cores.Known() {
		t.Errorf("it fell: %v cores", ps[2].Cores)
	}
	// Of a target that was started here the kernel tells of every process.
	u.o.Processes = func() ([]target.Process, error) { return nil, nil }
	silent.endpoint.Machine = ""
	if ps := u.processes(); len(ps) != 2 || ps[0].PID != 1 {
		t.Errorf("%+v", ps)
	}
}

// kernel answers for /proc.
type kernel map[int]rusage.Process

func (k kernel) read(pid int) (rusage.Process, error) {
	u, ok := k[pid]
	if !ok {
		return u, os.ErrNotExist
	}
	return u, nil
}

// A number that is given to another process does not make it the same one.
func TestWatchComparesStarts(t *testing.T) {
	for _, named := range []bool{true, false} {
		k := kernel{40: {CPU: 100, StartTicks: 1}}
		endpoints := []*Endpoint{{Local: 40}, {PID: 1, Machine: "host a"}}
		list := func() ([]target.Process, error) { return []target.Process{{PID: 40}}, nil }
		if named {
			list = nil
		}
		w := newWatch(list, endpoints)
		w.read = k.read
		w.look()
		u := usage{watch: w}
		u.begin()
		k[40] = rusage.Process{CPU: 7, StartTicks: 2}
		u.finish()
		u.last.at = u.first.at.Add(time.Second)
		ps := u.processes()
		want := "died, born"
		if named {
			want = "died" // the later one is a stranger
		}
		var states []string
		for _, p := range ps {
			states = append(states, p.State)
			if v := p.Cores.Or(-1); v < 0 || v > 7 {
				t.Errorf("named %v: %v cores", named, v)
			}
		}
		if got := strings.Join(states, ", "); got != want {
			t.Errorf("named %v: %s, want %s", named, got, want)
		}
		if w.cores(time.Now()).Known() {
			t.Error("the CPU of all is known without that of the other machine")
		}
	}
}

// What another machine did in the window is not what this one did.
func TestMachineElsewhere(t *testing.T) {
	here, there := &Endpoint{}, &Endpoint{Machine: "host a"}
	if u, err := rusage.ReadMachine(); err != nil || (Options{Endpoints: []*Endpoint{here}}).machine().CPUs != u.CPUs {
		t.Skipf("this machine says nothing: %v", err)
	}
	u := usage{
		o:     Options{Endpoints: []*Endpoint{here, there}},
		watch: newWatch(nil, nil),
	}
	u.begin()
	u.finish()
	u.last.at = u.first.at.Add(9 * time.Second)
	if m := u.machine(); m.CPUs != 0 || m.Busy.Known() || m.Steal.Known() || m.GeneratorCPUs == 0 {
		t.Errorf("%+v", m)
	}
}

// Go 1.25 follows the quota while it runs: no one number holds for the window then.
func TestProcsChange(t *testing.T) {
	at := func(n float64) page {
		return page{metrics: reading{"/sched/gomaxprocs:threads": metric{number: unpark.Num(n)}}}
	}
	tests := []struct {
		name  string
		pages [2]page
		want  unpark.Number
		note  bool
	}{
		{"the same", [2]page{at(4), at(4)}, unpark.Num(4), false},
		{"less", [2]page{at(4), at(2)}, unpark.Number{}, true},
		{"read at the end only", [2]page{{}, at(2)}, unpark.Num(2), false},
		{"never read", [2]page{}, unpark.Num(8), false},
	}
	for _, tt := range tests {
		m := &member{endpoint: &Endpoint{PID: 7, Info: &Info{GOMAXPROCS: 8}}, pages: tt.pages}
		var p unpark.Process
		m.describe(&p, 1)
		notes := (&usage{members: members{m}}).changed()
		if p.GOMAXPROCS != tt.want || (len(notes) > 0) != tt.note {
			t.Errorf("%s: GOMAXPROCS %v, %v", tt.name, p.GOMAXPROCS, notes)
		}
	}
}
