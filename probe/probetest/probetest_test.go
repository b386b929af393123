package probetest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/unpark-go/unpark/probe/agent"
)

// brief makes runs short, and lets them run under -short, which they pass quickly.
func brief(t *testing.T, o Options) Options {
	t.Helper()
	short := flag.Lookup("test.short").Value.String()
	flag.Set("test.short", "false")
	t.Cleanup(func() { flag.Set("test.short", short) })
	o.Warmup, o.Window = 20*time.Millisecond, 200*time.Millisecond
	if o.Workers == 0 {
		o.Workers = 3
	}
	return o
}

// undisturbed fails unless nothing of a run is left in the process.
func undisturbed(t *testing.T) {
	t.Helper()
	if agent.Active() {
		t.Error("the window is still open")
	}
	if n := runtime.SetMutexProfileFraction(-1); n != 0 {
		t.Errorf("mutex profile fraction %d", n)
	}
	before := pprof.Lookup("block").Count()
	blockSomewhereNew()
	if after := pprof.Lookup("block").Count(); after != before {
		t.Errorf("the block profile grew from %d to %d records", before, after)
	}
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Errorf("the CPU profile: %v", err)
	} else {
		pprof.StopCPUProfile()
	}
}

// blockSomewhereNew makes waits that no other test makes.
func blockSomewhereNew() {
	for i := 0; i < 5; i++ {
		c := make(chan struct{})
		time.AfterFunc(time.Millisecond, func() { close(c) })
		<-c
	}
}

type store struct {
	mu sync.Mutex
	b  []byte
}

// underLock holds the lock for about 100 µs.
//
//go:noinline
func (s *store) underLock() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.b = make([]byte, 1<<16)
	for end := time.Now().Add(100 * time.Microsecond); time.Now().Before(end); {
		s.b[0]++
	}
}

func inflate(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return string(text)
}

func TestRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	s := &store{}
	var calls atomic.Int64
	var active atomic.Bool
	workers := make([]atomic.Bool, 3)
	Run(t, "store", brief(t, Options{Dir: dir, BlockRate: 1}), func(worker int) {
		workers[worker].Store(true)
		calls.Add(1)
		if agent.Active() {
			active.Store(true)
		}
		s.underLock()
	})
	undisturbed(t)
	for i := range workers {
		if !workers[i].Load() {
			t.Errorf("worker %d did not call", i)
		}
	}
	if !active.Load() {
		t.Error("no window was open while it was taken")
	}
	var d document
	text, err := os.ReadFile(filepath.Join(dir, "window-01", "window.json"))
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	if d.Schema != "unpark.probetest/v1" || d.Name != "store" || d.Test != "TestRun" || d.Workers != 3 || d.PID != os.Getpid() ||
		d.Go != runtime.Version() || d.Rates.Block == nil || *d.Rates.Block != 1 || d.Rates.Mutex != 1 || len(d.Notes) != 0 {
		t.Errorf("window.json: %s", text)
	}
	if d.Module != "github.com/unpark-go/unpark/probe" {
		t.Errorf("module %q", d.Module)
	}
	if d.Operations < 1 || d.Operations > calls.Load() || d.End.Sub(d.Start) < 200*time.Millisecond {
		t.Errorf("%d operations of %d calls in %v", d.Operations, calls.Load(), d.End.Sub(d.Start))
	}
	checkFiles(t, filepath.Join(dir, "window-01", strconv.Itoa(d.PID)))
}

// checkFiles checks the profiles of TestRun.
func checkFiles(t *testing.T, dir string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 8 {
		t.Errorf("files: %v", files)
	}
	for _, path := range files {
		info, err := os.Stat(path)
		if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
		found := strings.Contains(inflate(t, path), "(*store).underLock")
		// A CPU profile of 0.2 s may miss it, and goroutines may be anywhere.
		switch name := filepath.Base(path); name {
		case "block.pb.gz", "mutex.pb.gz", "allocs.pb.gz":
			if !found {
				t.Errorf("the lock's holder is not in %s", name)
			}
		case "cpu.pb.gz", "goroutine.pb.gz", "block.base.pb.gz", "mutex.base.pb.gz", "allocs.base.pb.gz":
		default:
			t.Errorf("unexpected file %s", name)
		}
	}
	for _, kind := range []string{"mutex", "block"} { // a wait of the harness would be as long as the window
		if strings.Contains(inflate(t, filepath.Join(dir, kind+".pb.gz")), "(*crew).sleep") {
			t.Errorf("the harness waits in its own %s profile", kind)
		}
	}
}

func TestShort(t *testing.T) {
	short := flag.Lookup("test.short").Value.String()
	defer flag.Set("test.short", short)
	flag.Set("test.short", "true")
	d := &double{TB: t}
	runDouble(d, "x", Options{Dir: filepath.Join(t.TempDir(), "run")}, func(int) { t.Error("called") })
	if !d.skipped || d.failed {
		t.Errorf("skipped %v, failed %v", d.skipped, d.failed)
	}
}

func TestRefused(t *testing.T) {
	taken := t.TempDir()
	if err := os.Mkdir(filepath.Join(taken, "window-01"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		o    Options
		want string
	}{
		{"holds a window", Options{Dir: taken}, "nothing is overwritten"},
		{"a file", Options{Dir: file}, "make the run directory"},
		{"no workers", Options{Workers: -1, Dir: t.TempDir()}, "-1 workers"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := &double{TB: t}
			runDouble(d, "x", brief(t, tt.o), func(int) { t.Error("called") })
			if !d.failed || !strings.Contains(d.log.String(), tt.want) {
				t.Errorf("failed %v: %s", d.failed, d.log.String())
			}
			undisturbed(t)
		})
	}
	if _, err := os.Stat(filepath.Join(taken, "window-01")); err != nil {
		t.Errorf("an earlier window is gone: %v", err)
	}
}

func TestWhileAnotherWindowIsOpen(t *testing.T) {
	l, err := agent.Acquire(agent.Rates{Block: 1e9, Mutex: 1, Previous: -1})
	if err != nil {
		t.Fatal(err)
	}
	d := &double{TB: t}
	runDouble(d, "x", brief(t, Options{Dir: filepath.Join(t.TempDir(), "run")}), func(int) {})
	l.Release()
	if !d.failed || !strings.Contains(d.log.String(), "one window at a time") {
		t.Errorf("failed %v: %s", d.failed, d.log.String())
	}
	undisturbed(t)
}

func TestCPUProfileTaken(t *testing.T) {
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Skip(err)
	}
	defer pprof.StopCPUProfile()
	d := &double{TB: t}
	dir := filepath.Join(t.TempDir(), "run")
	runDouble(d, "x", brief(t, Options{Dir: dir}), func(int) { time.Sleep(time.Millisecond) })
	if d.failed || !strings.Contains(d.log.String(), "no CPU profile") || !strings.Contains(d.log.String(), "ops/s (n=") {
		t.Errorf("failed %v: %s", d.failed, d.log.String())
	}
	if err := pprof.StartCPUProfile(io.Discard); err == nil {
		t.Error("stopped a CPU profile that was not its own")
	}
	if m, _ := filepath.Glob(filepath.Join(dir, "*", "*", "cpu.pb.gz")); len(m) != 0 {
		t.Errorf("wrote %v", m)
	}
}
