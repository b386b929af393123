package probetest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/unpark-go/unpark/probe/agent"
)

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
			if tt.panics != "" && !strings.Contains(fmt.Sprint(panicked), "crew_test.go") {
				t.Errorf("the panic does not say where: %v", panicked)
			}
			undisturbed(t)
			if _, err := os.Stat(dir); err == nil {
				t.Error("a failed window left a directory")
			}
		})
	}
}
