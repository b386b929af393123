package exectrace_test

import (
	"bytes"
	"runtime"
	"runtime/trace"
	"strings"
	"sync"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

// TestStarts: a trace says how often goroutines were started, where, and what they began
// with, and how many ended; and how often, for how long and where the world was stopped, but for the collector.
func TestStarts(t *testing.T) {
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Fatal(err)
	}
	startMany(40)
	var stats runtime.MemStats
	for range 5 {
		runtime.ReadMemStats(&stats)
	}
	runtime.GC()
	trace.Stop()
	got, err := exectrace.Read(&b, exectrace.Options{Meaning: func(exectrace.Event, []unpark.Site) exectrace.Meaning {
		return exectrace.Meaning{Class: unpark.WaitUnknown, Caller: -1}
	}})
	if err != nil {
		t.Fatal(err)
	}
	var count, ended int64
	for n, creators := range got.Starts {
		if entry := got.Stacks[n]; len(entry) == 0 || !strings.HasSuffix(entry[len(entry)-1].Function, ".started") {
			continue
		}
		ended += got.Ended[n]
		for n, times := range creators {
			count += times
			if at := got.Stacks[n]; len(at) == 0 || !strings.HasSuffix(at[0].Function, ".startMany") {
				t.Errorf("started by %v", at)
			}
		}
	}
	stops := map[string]int64{}
	for n, h := range got.Stops {
		stops[got.Stacks[n][0].Function] += h.N
		if h.Sum <= 0 || h.Sum > int64(got.Seconds*1e9) {
			t.Errorf("stopped for %d ns in %s", h.Sum, got.Stacks[n][0].Function)
		}
	}
	if stops["runtime.ReadMemStats"] != 5 || stops["runtime.gcStart"] != 0 || stops["runtime.GC"] != 0 {
		t.Errorf("stops: %v", stops)
	}
	if count != 40 || ended < 30 || ended > count { // the last may still be on their way out
		t.Errorf("%d starts and %d ends, want 40: %v, %v", count, ended, got.Starts, got.Ended)
	}
}

func startMany(n int) {
	var wg sync.WaitGroup
	wg.Add(n)
	for range n {
		go started(&wg)
	}
	wg.Wait()
}

func started(wg *sync.WaitGroup) { wg.Done() }
