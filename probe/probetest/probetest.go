package probetest

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/unpark-go/unpark/probe/agent"
)

// The defaults of Options. A window of 15 s gives a CPU profile 1500 samples per
// busy core; waits of a millisecond and more are all recorded, shorter ones in
// proportion, at a cost that cannot be measured.
const (
	DefaultWarmup        = 2 * time.Second
	DefaultWindow        = 15 * time.Second
	DefaultBlockRate     = 1_000_000
	DefaultMutexFraction = 1
)

// Options of a run. Zero fields take the default.
type Options struct {
	Workers int           // goroutines; default GOMAXPROCS
	Warmup  time.Duration // before the window; default 2 s, negative for none
	Window  time.Duration // default 15 s
	// Dir is the run directory; default a new one, see the package documentation.
	Dir string
	// BlockRate is for runtime.SetBlockProfileRate, in ns; default 1 000 000,
	// negative to leave the rate as it is.
	BlockRate int
	// MutexFraction is for runtime.SetMutexProfileFraction; default 1, negative to
	// leave the fraction as it is.
	MutexFraction int
}

func (o Options) withDefaults() Options {
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Warmup == 0 {
		o.Warmup = DefaultWarmup
	}
	if o.Window == 0 {
		o.Window = DefaultWindow
	}
	if o.BlockRate == 0 {
		o.BlockRate = DefaultBlockRate
	}
	if o.MutexFraction == 0 {
		o.MutexFraction = DefaultMutexFraction
	}
	return o
}

func (o Options) check() error {
	switch {
	case o.Workers < 1:
		return fmt.Errorf("%d workers: at least one has to call the function", o.Workers)
	case o.Window < 0:
		return fmt.Errorf("a window of %v: it has to be longer than one call of the function", o.Window)
	}
	return nil
}

// Run calls f from o.Workers goroutines, over and over, first for the warm-up and
// then for one captured window, and writes what it captured into a run directory.
// f gets its worker's number, from 0.
//
// Under -short the test is skipped. If f ends its goroutine (t.FailNow, t.Skip) or
// panics, every worker is stopped, rates and the CPU profile are put back, and Run
// does the same in the test's goroutine. Run waits for calls that are under way at
// the window's end.
func Run(t testing.TB, name string, o Options, f func(worker int)) {
	t.Helper()
	if testing.Short() {
		t.Skipf("probetest: %s takes a window of load: run without -short", name)
	}
	o = o.withDefaults()
	if err := o.check(); err != nil {
		t.Fatalf("probetest: %s: %v", name, err)
	}
	dir, err := makeDir(o.Dir, name)
	if err != nil {
		t.Fatalf("probetest: %s: %v", name, err)
	}
	w, bad, err := measure(o, f)
	if err == nil && bad == nil {
		w.doc.Name, w.doc.Test = name, t.Name()
		err = w.save(dir)
	}
	switch {
	case bad != nil:
		dir.discard()
		bad.repeat(t)
	case err != nil:
		dir.discard()
		t.Fatalf("probetest: %s: %v", name, err)
	}
	report(t, name, w.doc, dir)
}

// measure takes the window. When it returns no worker runs (but see crew.stop),
// and rates and CPU profile are as they were before.
func measure(o Options, f func(int)) (*window, *failure, error) {
	// From before the load: a lock's queue that never empties is not charged for
	// its waiters if its head came while the fraction was 0 (see agent.Acquire).
	mutex, err := agent.Acquire(agent.Rates{Mutex: max(o.MutexFraction, 0)})
	if err != nil {
		return nil, nil, fmt.Errorf("set the mutex profile fraction: %w: one window at a time, without t.Parallel", err)
	}
	defer mutex.Release()
	c := newCrew(o.Workers)
	c.start(f)
	defer c.stop()
	c.sleep(o.Warmup)
	w, err := c.capture(o)
	if err != nil {
		return nil, nil, err
	}
	// The files are complete in memory: rates go back before a call that never
	// returns could keep them.
	mutex.Release()
	c.stop()
	w.doc.Workers, w.doc.Operations = o.Workers, c.operations()
	w.doc.Rates.Mutex = mutex.Mutex
	w.doc.Notes = append(w.doc.Notes, mutex.Notes...)
	return w, c.failure(), nil
}

// capture takes the window itself while the crew works.
func (c *crew) capture(o Options) (*window, error) {
	if c.failure() != nil {
		return &window{}, nil
	}
	block, err := agent.Acquire(agent.Rates{Block: max(o.BlockRate, 0), Previous: declaredBlockRate()})
	if err != nil {
		return nil, fmt.Errorf("set the block profile rate: %w: one window at a time, without t.Parallel", err)
	}
	defer block.Release()
	w := &window{}
	w.begin(block)
	defer w.stopCPU()
	c.phase.Store(counting)
	c.sleep(o.Window)
	w.snapshot()
	c.phase.Store(over)
	w.end()
	return w, nil
}

func report(t testing.TB, name string, d document, dir *directory) {
	t.Helper()
	seconds := d.End.Sub(d.Start).Seconds()
	rate := float64(d.Operations) / seconds
	t.Logf("probetest: %s: %.1f ops/s (n=%d in %.2f s, %d workers)", name, rate, d.Operations, seconds, d.Workers)
	if d.Operations == 0 {
		t.Logf("probetest: %s: no call returned within the window: make Window longer than one call", name)
	}
	for _, note := range d.Notes {
		t.Logf("probetest: %s: %s", name, note)
	}
	t.Logf("probetest: next: unpark diagnose %s", dir.path)
	if b, ok := t.(interface{ ReportMetric(float64, string) }); ok {
		b.ReportMetric(rate, "ops/s")
	}
}
