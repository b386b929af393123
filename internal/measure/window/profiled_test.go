package window

import (
	"bytes"
	"context"
	"net/http"
	netpprof "net/http/pprof"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	xtrace "golang.org/x/exp/trace"

	"github.com/unpark-go/unpark"
)

// burn computes for the length of a test.
func burn(t *testing.T) {
	t.Helper()
	var done atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() { burning(&done) })
	t.Cleanup(func() { done.Store(true); wg.Wait() })
}

func burning(done *atomic.Bool) {
	for !done.Load() {
		continue
	}
}

// samples counts those of the CPU in a trace at a function.
func samples(t *testing.T, b []byte, function string) (n int) {
	t.Helper()
	r, err := xtrace.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	for {
		ev, err := r.ReadEvent()
		if err != nil {
			return n
		}
		if ev.Kind() != xtrace.EventStackSample {
			continue
		}
		for f := range ev.Stack().Frames() {
			if strings.HasSuffix(f.Func, function) {
				n++
				break
			}
		}
	}
}

// profiler takes this process's CPU profiler, as soon as nobody has it, and gives it back.
func profiler(t *testing.T) (end func()) {
	t.Helper()
	eventually(t, "the CPU profile has ended", func() bool { return pprof.StartCPUProfile(&bytes.Buffer{}) == nil })
	return pprof.StopCPUProfile
}

// What ran stands in the trace, the window has its own CPU profile, and when it is over nothing is profiled.
func TestTraceHasSamples(t *testing.T) {
	if testing.Short() {
		t.Skip("holds a window")
	}
	profiler(t)()
	burn(t)
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", netpprof.Index)
	mux.HandleFunc("/debug/pprof/profile", netpprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", netpprof.Trace)
	files := &memory{}
	c, err := Measure(context.Background(), Options{
		Name: "window-01", Duration: time.Second, Trace: time.Second,
		Endpoints: []*Endpoint{newTestEndpoint(t, mux)}, Create: files.Create,
	})
	if err != nil {
		t.Fatal(err)
	}
	profiler(t)()
	cpu := 0
	for _, f := range c.Window.Profiles {
		switch f.Kind {
		case unpark.KindCPU:
			cpu++
		case unpark.KindTrace:
			if n := samples(t, files.files[f.File].Bytes(), "window.burning"); n == 0 {
				t.Errorf("no sample in a second of computing; record %+v", f)
			}
		}
	}
	if cpu != 1 || len(c.Profiles[unpark.KindCPU]) != 1 {
		t.Errorf("%d records of a CPU profile, want the window's one: %+v", cpu, c.Window.Profiles)
	}
}

// A process whose profiler somebody else has is traced all the same, and one whose connection ends is left at once.
func TestProfilerIsTaken(t *testing.T) {
	refused := newTestEndpoint(t, http.HandlerFunc(netpprof.Profile))
	end := profiler(t)
	stop := profiled(context.Background(), []*member{{endpoint: refused}}, time.Minute)
	stop()
	end()
	stop = profiled(context.Background(), []*member{{endpoint: refused}}, time.Hour)
	began := time.Now()
	stop()
	profiler(t)()
	if d := time.Since(began); d > 30*time.Second {
		t.Errorf("it was given back %v later", d)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	profiled(ctx, []*member{{endpoint: refused}}, time.Hour)()
	profiler(t)()
	if trace.IsEnabled() {
		t.Error("a trace goes on")
	}
}
