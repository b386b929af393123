//go:build live

package load

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestLiveStallIsNoFaultOfTheGenerator: with five connections nearly all requests of a
// stall waited for a free one. That is the server's doing and must not void the run;
// four requests in five met no stall.
func TestLiveStallIsNoFaultOfTheGenerator(t *testing.T) {
	everyEngine(t, func(t *testing.T) {
		l := stalled(t)
		if l.Response.P50 > 0.2 {
			t.Errorf("p50 = %.3f, though four requests in five met no stall", l.Response.P50)
		}
		for _, own := range []unpark.Latency{l.OwnLag, {}} {
			l.OwnLag = own
			if n := ruleLag(l, Conditions{}); n != nil {
				t.Errorf("a stalled server made the run void: %+v", n)
			}
		}
	})
}

// TestLiveGRPCStallIsNotInTheMiddle: seven calls in ten met no stall.
func TestLiveGRPCStallIsNotInTheMiddle(t *testing.T) {
	if l := stalledGRPC(t); l.Response.P50 > 0.15 {
		t.Errorf("p50 %.3f", l.Response.P50)
	}
}
