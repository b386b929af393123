package load

import (
	"context"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// TestPrepare: what was prepared can be given back before it has begun, whichever engine it is, also by the end of its context, and one that
// was kept begins when it is to.
func TestPrepare(t *testing.T) {
	files := func() int {
		all, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	procs := runtime.GOMAXPROCS(0)
	for _, url := range []string{serve(t, hello), "https://127.0.0.1:1/"} {
		before := files() // an earlier test may still close some
		plan := unpark.Plan{Mode: unpark.Constant, RateRPS: 100, Connections: 200, Requests: []unpark.Request{{URL: url}}}
		g, err := Prepare(t.Context(), plan)
		if err != nil {
			t.Fatal(err)
		}
		g.Stop()
		g.Stop()
		if n := files(); n > before || runtime.GOMAXPROCS(0) != procs {
			t.Errorf("%s: %d files are left, and %d processors of %d", url, n-before, runtime.GOMAXPROCS(0), procs)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Prepare(ctx, unpark.Plan{Mode: unpark.Closed, Connections: 1, Requests: []unpark.Request{{URL: "http://127.0.0.1:1/"}}}); err == nil {
		t.Error("prepared for a load that is over")
	}
	ctx, cancel = context.WithCancel(t.Context())
	g, err := Prepare(ctx, unpark.Plan{Mode: unpark.Closed, Connections: 1, Requests: []unpark.Request{{URL: serve(t, hello)}}})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(50 * time.Millisecond)
	g.StartAt(at)
	if began, _ := g.Began(); began.Before(at) || began.After(at.Add(time.Second)) {
		t.Errorf("it began %v from the instant", began.Sub(at))
	}
	cancel()
	select {
	case <-g.stopped:
	case <-time.After(20 * time.Second):
		t.Error("it goes on after its context")
	}
}
