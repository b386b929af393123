package slowest

import (
	"bytes"
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// recorded is a trace of a server that holds a lock across a sleep, with more requests than are told.
func recorded(t *testing.T) []byte {
	t.Helper()
	var lock sync.Mutex
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lock.Lock()
		time.Sleep(time.Millisecond)
		lock.Unlock()
		_, _ = io.WriteString(w, "done")
	}))
	defer s.Close()
	var out bytes.Buffer
	if err := trace.Start(&out); err != nil {
		t.Skip("another trace is on: ", err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				r, err := s.Client().Get(s.URL)
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, r.Body)
				r.Body.Close()
			}
		})
	}
	wg.Wait()
	trace.Stop()
	return out.Bytes()
}

func traced(t *testing.T, files map[string][]byte) (unpark.Run, string) {
	t.Helper()
	dir := t.TempDir()
	w := unpark.Window{Load: &unpark.Load{Requests: 1}}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
		w.Profiles = append(w.Profiles, unpark.ProfileFile{Kind: unpark.KindTrace, File: name, PID: 7, State: unpark.Present})
	}
	return unpark.Run{Target: unpark.Target{Module: "github.com/unpark-go/unpark"}, Windows: []unpark.Window{w}}, dir
}

func TestRead(t *testing.T) {
	run, dir := traced(t, map[string][]byte{"trace.out": recorded(t), "broken.out": []byte("no trace")})
	all, err := Read(run, dir)
	if err != nil || len(all) != Most {
		t.Fatalf("%d requests, %v", len(all), err)
	}
	waited := false
	for i, q := range all {
		var sum float64
		for j, s := range q.States {
			if math.Abs(s.From-sum) > 1e-9 || s.Time <= 0 || j > 0 && s.Class == q.States[j-1].Class && s.Site == q.States[j-1].Site && s.Class != unpark.WaitLock {
				t.Errorf("request %d: state %d is %+v after %v", i, j, s, sum)
			}
			sum += s.Time
			waited = waited || s.Class == unpark.WaitLock && strings.Contains(s.Site.Function, "slowest.recorded")
		}
		if math.Abs(sum-q.Wall) > 1e-9 || i > 0 && q.Wall > all[i-1].Wall || q.PID != 7 || len(q.Held) > holders {
			t.Errorf("request %d: its states are %v of %v", i, sum, q.Wall)
		}
	}
	if !waited {
		t.Error("nothing waited for the lock")
	}
}

func TestDraw(t *testing.T) {
	run, dir := traced(t, map[string][]byte{"trace.out": recorded(t)})
	s, err := Draw(run, dir)
	if err != nil || s.Of < 60 || // one or the other ends after the trace
		int64(len(s.Requests)) != s.Of || s.Seconds <= 0 {
		t.Fatalf("%d of %d in %v s, %v", len(s.Requests), s.Of, s.Seconds, err)
	}
	for _, q := range s.Requests {
		if q.Start < 0 || q.Start+q.Wall > s.Seconds+1e-9 || len(q.States) == 0 {
			t.Errorf("%+v outside of the trace", q)
		}
	}
	flames, err := s.Between(0, s.Seconds)
	if err != nil || len(flames) == 0 || flames[0].Kind != unpark.KindGoroutine || flames[0].Unit != "goroutines" {
		t.Fatalf("%+v, %v", flames, err)
	}
	if f := flames[0]; !named(f, "sync.(*Mutex).Lock") || f.Total < 1 || f.Total > 1000 || math.Abs(f.Total-f.Value[0]) > 1e-9*f.Total {
		t.Errorf("%v goroutines wait in %v", f.Total, f.Names)
	}
	if named(flames[0], "runtime.bgsweep") || named(flames[0], "runtime.gcBgMarkWorker") {
		t.Errorf("what the runtime starts for itself is in %v", flames[0].Names)
	}
	if none, err := s.Between(s.Seconds+1, s.Seconds+2); err != nil || len(none) != 0 {
		t.Errorf("behind the end %+v, %v", none, err)
	}
	run.Windows[0].Profiles = nil
	if _, err := Draw(run, dir); !errors.Is(err, errNone) {
		t.Errorf("of no trace: %v", err)
	}
}

func named(f unpark.Flame, function string) bool {
	return slices.ContainsFunc(f.Names, func(n string) bool { return strings.HasPrefix(n, function) })
}

// TestSampled: a trace that was recorded beside a CPU profile tells what ran.
func TestSampled(t *testing.T) {
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Skip("another CPU profile is on: ", err)
	}
	defer pprof.StopCPUProfile()
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := 0; ; n = spin(n) {
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	time.Sleep(100 * time.Millisecond)
	text := recorded(t)
	close(stop)
	wg.Wait()
	run, dir := traced(t, map[string][]byte{"trace.out": text})
	s, err := Draw(run, dir)
	if err != nil {
		t.Fatal(err)
	}
	flames, err := s.Between(0, s.Seconds)
	if err != nil || len(flames) != 2 || flames[1].Kind != unpark.KindCPU || !named(flames[1], "github.com/unpark-go/unpark/internal/slowest.spin") || flames[1].Total <= 0 {
		t.Fatalf("%d graphs, %v: %+v", len(flames), err, flames)
	}
}

//go:noinline
func spin(n int) int {
	for i := range 100_000 {
		n ^= i * 7
	}
	return n
}

func TestReadNothing(t *testing.T) {
	if _, err := Read(unpark.Run{}, t.TempDir()); !errors.Is(err, errNone) {
		t.Errorf("of no window: %v", err)
	}
	run, dir := traced(t, nil)
	if _, err := Read(run, dir); !errors.Is(err, errNone) {
		t.Errorf("of no trace: %v", err)
	}
	run, dir = traced(t, map[string][]byte{"broken.out": []byte("no trace")})
	if _, err := Read(run, dir); err == nil || !strings.Contains(err.Error(), "broken.out") {
		t.Errorf("of a broken trace: %v", err)
	}
	run.Windows[0].Profiles[0].File = "../elsewhere"
	if _, err := Read(run, dir); err == nil {
		t.Error("a file outside of the run was read")
	}
}
