package predict

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestNextLimitOfAJoin: a wait that is a finding of what is behind it is one wait, also where
// the evidence counts it as a join: taken away it is not the next limit, and of a sync that
// stays the disk is.
func TestNextLimitOfAJoin(t *testing.T) {
	commit := unpark.Site{Function: "app.commit"}
	join := func(edges ...unpark.Edge) *service {
		return full2(func(ev *facts.Evidence) {
			ev.CPU.Cores, ev.Tracing = unpark.Num(0.5), &unpark.Tracing{Edges: edges}
			ev.Waits = []facts.Wait{{Class: unpark.WaitSelect, Side: unpark.RequestPath, Waiter: commit, Delay: 20e-3 * 30_000, Count: 30_000}}
		})
	}
	s := join()
	s.limit = unpark.LimitDownstream
	f := unpark.Finding{Class: unpark.ClassDownstream, Site: commit, Waiter: &commit, Cost: unpark.Cost{WaitPerRequest: unpark.Measured(20e-3, "s/req", 30_000)}}
	if got := (change{s, cutOf(s, f)}).largestWait(5e-3); got != "" {
		t.Errorf("after the wait for another service: %q", got)
	}
	s = join(unpark.Edge{
		Class: unpark.WaitSelect, Waiter: commit, Delay: 1,
		Held: []unpark.Held{{Class: unpark.WaitSyscall, Call: unpark.Site{Function: "os.(*File).Sync"}, Share: 0.9}},
	})
	s.limit, f.Class = unpark.LimitIO, unpark.ClassIO
	if got := (change{s, cutOf(s, f)}).largestWait(20e-3); got != unpark.LimitIO {
		t.Errorf("after a sync that is shared: %q", got)
	}
}
