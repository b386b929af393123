package diagnose_test

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestServedWaitIsNoPlace: a goroutine that a request has started to answer it, as gRPC's server behind net/http does, has the server's
// frames as a request has; it gives no place back to the one that it works for. One that serves another request does.
func TestServedWaitIsNoPlace(t *testing.T) {
	for name, c := range map[string]struct {
		served float64 // of 5 s
		places int     // findings of a pool
	}{"works for the one that waits": {5, 0}, "works for another": {0, 1}} {
		t.Run(name, func(t *testing.T) {
			e := edge(unpark.WaitSelect, "app.enter", "app.leave", unpark.Held{Class: unpark.WaitSleep, Site: fn("app.leave"), Share: 0.9})
			e.HolderStack = stack("runtime.selectgo", "app.leave", "app.answer", "net/http.(*conn).serve")
			e.Served = c.served
			ev := calm()
			ev.Waits = append(ev.Waits, waits(unpark.WaitSelect, 60, 10000, "block.pb.gz", "runtime.selectgo", "app.enter", "net/http.(*conn).serve"))
			ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: 1000, Edges: []unpark.Edge{e}}
			_, findings, _ := diagnose.Verdict(ev, nil)
			if got := of(unpark.ClassPool, findings); len(got) != c.places {
				t.Errorf("%d findings of a pool, want %d: %+v", len(got), c.places, findings)
			}
		})
	}
}
