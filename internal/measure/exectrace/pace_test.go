package exectrace_test

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"runtime/trace"
	"testing"

	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

// node is memory that stays alive.
type node struct {
	next *node
	_    [1000]byte
}

var garbage []byte

// TestPace: by how much a heap may grow between collections is what GOGC says, and so is what is
// alive after one. What a trace writes when it begins a new part is not the end of a collection.
func TestPace(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	const alive = 32 << 20
	var list *node
	for range alive / 1024 {
		list = &node{next: list}
	}
	runtime.GC()
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Skipf("another trace is under way: %v", err)
	}
	for range 200 << 10 {
		garbage = make([]byte, 1000)
	}
	trace.Stop()
	runtime.KeepAlive(list)
	tr, err := exectrace.Read(&b, catalogued())
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.Live) < 5 || len(tr.Goals) != len(tr.Live) {
		t.Fatalf("%d collections of 200 MB of garbage, %d goals, %d events, %v", len(tr.Live), len(tr.Goals), tr.Events, tr.Broken)
	}
	if tr.Procs != runtime.GOMAXPROCS(0) {
		t.Errorf("GOMAXPROCS %d, want %d", tr.Procs, runtime.GOMAXPROCS(0))
	}
	middle := len(tr.Live) / 2
	live := tr.Live[middle]
	if by := float64(tr.Goals[middle])/float64(live) - 1; by < 0.19 || by > 0.25 || live < alive || live > 2*alive {
		t.Errorf("of %d bytes alive the heap may grow by %.3g", live, by)
	}
}
