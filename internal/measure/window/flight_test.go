package window

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime/trace"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/probe/agent"
)

// probed starts a probe in this process and returns its endpoint.
func probed(t *testing.T) *Endpoint {
	t.Helper()
	dir, err := os.MkdirTemp("", "u") // short: it is part of a socket's path
	if err != nil {
		t.Fatal(err)
	}
	a, err := agent.Start(agent.Options{Address: "unix:" + dir, BlockProfileRate: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		os.RemoveAll(dir)
	})
	e, err := NewEndpoint("unix://"+strings.TrimPrefix(a.Addr(), "unix:"), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	if err := e.Probe(context.Background()); err != nil {
		t.Fatal(err)
	}
	return e
}

// serviceEnv makes this test binary the service of the tests: the load must come from
// another process, whose own switches are in no trace.
const serviceEnv = "UNPARK_WINDOW_TEST_SERVICE"

func TestMain(m *testing.M) {
	if os.Getenv(serviceEnv) == "" {
		os.Exit(m.Run())
	}
	if err := serveRarely(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serveRarely is a service of which one answer in thirty is slow, and says so in a
// trace. It ends with its standard input.
func serveRarely() error {
	if _, err := agent.Start(agent.Options{}); err != nil {
		return err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	var n atomic.Int64
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1)%30 == 0 {
			trace.Log(r.Context(), "test", "a slow request began")
			time.Sleep(150 * time.Millisecond)
		}
		w.Write([]byte("ok"))
	}))
	fmt.Println("http://" + ln.Addr().String())
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// rarely starts that service and returns its address and its probe.
func rarely(t *testing.T) (url string, e *Endpoint) {
	t.Helper()
	dir, err := os.MkdirTemp("", "u") // short: it is part of a socket's path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), serviceEnv+"=1", agent.EnvAddress+"=unix:"+dir)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); _ = c.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	e, err = NewEndpoint(fmt.Sprintf("unix://%s/%d.sock", dir, c.Process.Pid), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	if err := e.Probe(context.Background()); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line), e
}

func drive(t *testing.T, url string, rps float64) (*load.Generator, time.Time) {
	t.Helper()
	plan := unpark.Plan{Mode: unpark.Constant, RateRPS: rps, Timeout: 10, Seed: 1, Requests: []unpark.Request{{Method: "GET", URL: url}}}
	g, err := load.Start(context.Background(), plan)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Stop)
	return g, time.Now()
}

// At forty requests a second a trace has one slow request or none. The window waits
// for one, and what happened in it is in a file; interrupted, nothing stays armed. On a
// machine that others fill, the slowest request may be one that nothing in the service
// delayed, so a few snapshots are taken.
func TestFlight(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("holds a window")
	}
	url, e := rarely(t)
	g, began := drive(t, url, 40)
	const tries = 8
	for range tries {
		b := flight(t, e, g, began)
		if n := events(t, b); n == 0 {
			t.Fatalf("no events in a snapshot of %d bytes", len(b))
		}
		if strings.Contains(string(b), "a slow request began") {
			return
		}
	}
	t.Errorf("no slow request in %d snapshots", tries)
}

// flight measures until the window has a snapshot of its flight recorder, checks that
// the recorder is disarmed then, and returns the snapshot.
func flight(t *testing.T, e *Endpoint, g *load.Generator, began time.Time) []byte {
	t.Helper()
	files := &memory{}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	snapshot := func(name string) bool { return strings.HasSuffix(name, "/trace-01.out") }
	go func() { // as soon as there is a snapshot, it has been seen to work
		for ctx.Err() == nil && !files.has(snapshot) {
			time.Sleep(20 * time.Millisecond)
		}
		cancel()
	}()
	c, err := Measure(ctx, Options{
		Name: "window-01", Duration: 2 * time.Second, Trace: 100 * time.Millisecond, TraceMost: 200 * time.Millisecond,
		Endpoints: []*Endpoint{e}, Create: files.Create, Generator: g, LoadStart: began,
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	eventually(t, "the recorder is disarmed", func() bool {
		_, err := e.get(context.Background(), e.root+"/debug/unpark/flight/snapshot", maxTrace)
		var answer *statusError
		return errors.As(err, &answer) && answer.status == http.StatusConflict
	})
	for _, f := range c.Window.Profiles {
		if f.Kind != unpark.KindTrace || !snapshot(f.File) {
			continue
		}
		if f.State != unpark.Present || f.PID != e.PID {
			t.Errorf("record %+v", f)
		}
		return files.files[f.File].Bytes()
	}
	t.Fatalf("no snapshot among %+v; warnings %+v; timeline %+v", c.Window.Profiles, c.Warnings, c.Window.Timeline)
	return nil
}

// Where slow requests cannot be waited for, the reader is told how few there are; with
// enough of them nothing is waited for.
func TestNoFlight(t *testing.T) {
	tests := []struct {
		name     string
		requests float64
		note     bool
	}{{"few requests", 20, true}, {"enough", 500, false}, {"none", 0, false}}
	for _, tt := range tests {
		server := httptest.NewServer(http.NotFoundHandler())
		g, began := drive(t, server.URL, 200)
		tr := &tracer{o: Options{Generator: g, LoadStart: began, Endpoints: []*Endpoint{{}}}, members: members{{endpoint: &Endpoint{}}}}
		tr.fly(context.Background(), activity{requests: unpark.Num(tt.requests)}, 10*time.Second)
		if got := len(tr.notes) == 1 && tr.notes[0].Code == "few-slow-requests"; got != tt.note {
			t.Errorf("%s: notes %+v", tt.name, tr.notes)
		}
		g.Stop()
		server.Close()
	}
}

// What the traces wrote is known when they were taken; without one, or an empty one, it
// is estimated.
func TestWritten(t *testing.T) {
	tr := &tracer{}
	if v, ok := tr.written(time.Second).Get(); ok && v > 0 {
		t.Errorf("%v bytes a second without a trace", v)
	}
	for _, bytes := range []int64{100, 4000, 300} {
		tr.members = append(tr.members, &member{traces: []*recording{{bytes: 1 << 20}, {bytes: bytes}}})
	}
	if v, _ := tr.written(2 * time.Second).Get(); v != 2000 {
		t.Errorf("%v bytes a second, want the 4000 in 2 s of the largest", v)
	}
}

// The probe says what its process uses, wherever that runs; a process that is idle
// uses next to nothing of it.
func TestLook(t *testing.T) {
	e := probed(t)
	plain := &Endpoint{PID: os.Getpid(), Local: os.Getpid()}
	stranger := &Endpoint{PID: -1}
	var done atomic.Bool
	defer done.Store(true)
	go func() {
		for !done.Load() {
			continue
		}
	}()
	all, err := Look(context.Background(), []*Endpoint{e, plain, stranger}, 300*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range all[:2] {
		if v, ok := s.Cores.Get(); !ok || v < 0.05 || v > 64 {
			t.Errorf("process %d: %v cores, %v", i, v, ok)
		}
	}
	if v, ok := all[0].GOMAXPROCS.Get(); !ok || v < 1 || !all[0].NumCPU.Known() {
		t.Errorf("with a probe: %+v", all[0])
	}
	if all[2].Cores.Known() || all[1].GOMAXPROCS.Known() {
		t.Errorf("known from nowhere: %+v, %+v", all[1], all[2])
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Look(ctx, []*Endpoint{e}, time.Hour); err == nil {
		t.Error("it looked on")
	}
}
