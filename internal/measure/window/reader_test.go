package window

import (
	"context"
	"fmt"
	"net/http"
	"testing"
)

// What a reader of several processes uses is counted once, and unknown where the process is not read from outside.
func TestReaderIsCountedOnce(t *testing.T) {
	t.Parallel()
	cpu := 1.5
	one := newTestEndpoint(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, `{"pid": 7, "cpu_s": %g}`, cpu) }))
	one.Info = &Info{Attached: true}
	probe := newTestEndpoint(t, http.NotFoundHandler())
	all := members{{endpoint: one}, {endpoint: one}, {endpoint: probe}}
	before := all.readers(context.Background())
	cpu = 1.75
	if v, ok := usedBy(before, all.readers(context.Background())).Get(); !ok || v != 0.25 {
		t.Errorf("it used %g s, known: %v; want 0.25", v, ok)
	}
	if usedBy(all[2:].readers(context.Background()), nil).Known() {
		t.Error("a process with a probe has no reader")
	}
}
