package probetest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
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
	files, _ := filepath.Glob(filepath.Join(dir, "window-01", strconv.Itoa(d.PID), "*"))
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
	for _, kind := range []string{"mutex", "block"} { // the test's own selects must not be in it
		if strings.Contains(inflate(t, filepath.Join(dir, "window-01", strconv.Itoa(d.PID), kind+".pb.gz")), "(*crew).sleep") {
			t.Errorf("the harness waits in its own %s profile", kind)
		}
	}
}

// double is a testing.TB that ends its goroutine as the real one does, and can be
// looked at afterwards.
type double struct {
	testing.TB
	mu              sync.Mutex
	log             strings.Builder
	failed, skipped bool
}

func (d *double) Helper()      {}
func (d *double) Name() string { return "TestDouble" }
func (d *double) note(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	fmt.Fprintf(&d.log, format+"\n", args...)
}
func (d *double) Logf(format string, args ...any) { d.note(format, args...) }
func (d *double) FailNow()                        { d.set(&d.failed); runtime.Goexit() }
func (d *double) SkipNow()                        { d.set(&d.skipped); runtime.Goexit() }
func (d *double) Fatalf(format string, args ...any) {
	d.note(format, args...)
	d.FailNow()
}
func (d *double) Skipf(format string, args ...any) {
	d.note(format, args...)
	d.SkipNow()
}
func (d *double) set(flag *bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	*flag = true
}
func (d *double) Failed() bool  { d.mu.Lock(); defer d.mu.Unlock(); return d.failed }
func (d *double) Skipped() bool { d.mu.Lock(); defer d.mu.Unlock(); return d.skipped }

// runDouble is Run with a double; it returns what Run panicked with.
func runDouble(d *double, name string, o Options, f func(int)) (panicked any) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		Run(d, name, o, f)
	}()
	<-done
	return panicked
}

func TestWorkerThatEnds(t *testing.T) {
	tests := []struct {
		name         string
		when         int32 // the phase in which it ends
		end          func(d *double)
		failed       bool
		skipped      bool
		panics, logs string
	}{
		{name: "fails in the window", when: counting, end: (*double).FailNow, failed: true},
		{name: "fails in the warm-up", when: warming, end: (*double).FailNow, failed: true},
		{name: "skips", when: counting, end: (*double).SkipNow, skipped: true},
		{name: "panics", when: counting, end: func(*double) { panic("boom") }, panics: "boom"},
		{name: "panics in the warm-up", when: warming, end: func(*double) { panic("boom") }, panics: "boom"},
		{name: "just ends", when: counting, end: func(*double) { runtime.Goexit() }, failed: true, logs: "runtime.Goexit"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			o := brief(t, Options{Dir: dir})
			o.Window = time.Hour
			d := &double{TB: t}
			panicked := runDouble(d, "x", o, func(worker int) {
				if worker == 1 && (tt.when == warming || agent.Active()) {
					tt.end(d)
				}
				time.Sleep(time.Millisecond)
			})
			if d.failed != tt.failed || d.skipped != tt.skipped || !strings.Contains(d.log.String(), tt.logs) {
				t.Errorf("failed %v, skipped %v, log %q", d.failed, d.skipped, d.log.String())
			}
			if (panicked != nil) != (tt.panics != "") || !strings.Contains(fmt.Sprint(panicked), tt.panics) {
				t.Errorf("panic: %v", panicked)
			}
			if tt.panics != "" && !strings.Contains(fmt.Sprint(panicked), "probetest_test.go") {
				t.Errorf("the panic does not say where: %v", panicked)
			}
			undisturbed(t)
			if _, err := os.Stat(dir); err == nil {
				t.Error("a failed window left a directory")
			}
		})
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

func TestNumberedDirectories(t *testing.T) {
	base := filepath.Join(t.TempDir(), "base")
	t.Setenv(envDir, base)
	name := func() string {
		d, err := makeDir("", "a/b c")
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Base(d.path)
	}
	for i, want := range []string{"a_b_c-001", "a_b_c-002"} {
		if got := name(); got != want {
			t.Errorf("run %d: %s, want %s", i, got, want)
		}
	}
	for _, other := range []string{"a_b_c-041", "a_b_c-x", "a_b_c-900-old", "z-077"} {
		if err := os.Mkdir(filepath.Join(base, other), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if got := name(); got != "a_b_c-042" {
		t.Errorf("after 041: %s", got)
	}
}

func TestDefaultDirectory(t *testing.T) {
	t.Setenv(envDir, "")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Chdir(dir); err != nil {
		t.Fatal(err)
	}
	defer os.Chdir(here)
	for i := 0; i < 2; i++ {
		d, err := makeDir("", "x")
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("x-%03d", i+1); filepath.Base(d.path) != want || !filepath.IsAbs(d.path) {
			t.Errorf("%s, want …/%s", d.path, want)
		}
	}
	if b, err := os.ReadFile("testdata/unpark/.gitignore"); err != nil || string(b) != "*\n" {
		t.Errorf(".gitignore: %q, %v", b, err)
	}
}

func TestFileName(t *testing.T) {
	for in, want := range map[string]string{
		"": "run", "..": "run", "../x": "_x", "Größe": "Gr__e", "a.b-c_D9": "a.b-c_D9", strings.Repeat("x", 200): strings.Repeat("x", 100),
	} {
		if got := fileName(in); got != want {
			t.Errorf("fileName(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestModulePath(t *testing.T) {
	for in, want := range map[string]string{
		"module example.com/x\n\ngo 1.22\n":       "example.com/x",
		"// module no\nmodule \"a/b\" // yes\r\n": "a/b",
		"go 1.22\n": "",
		"":          "",
	} {
		if got := modulePath(in); got != want {
			t.Errorf("modulePath(%q) = %q, want %q", in, got, want)
		}
	}
}
