package diagnose_test

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestWaitsAtOnce: a wait that is nearly all of a request is told as that, also where its goroutines wait
// for much more at the same time; where they do not, it is a part of what requests wait for.
func TestWaitsAtOnce(t *testing.T) {
	for of, beside := range map[string]float64{"request-path waiting": 15, "a request's time": 150} {
		ev := calm()
		ev.Waits = []facts.Wait{
			waits(unpark.WaitDownstream, 80, 10000, "block.pb.gz", "runtime.selectgo", "net/http.(*persistConn).roundTrip", "app.ask", "net/http.(*conn).serve"),
			waits(unpark.WaitDownstream, beside, 10000, "block.pb.gz", "runtime.selectgo", "net/http.(*persistConn).roundTrip", "app.part", "app.fan.func1"),
		}
		_, findings, _ := diagnose.Verdict(ev, nil)
		for _, f := range findings {
			want := map[string]float64{"request-path waiting": 80.0 / 95, "a request's time": 0.8}[of]
			if f.Site.Function == "app.ask" && (f.ShareOf != of || f.Share != unpark.Ratio(want, 1)) {
				t.Errorf("beside %v s: %v of %s, want %v of %s", beside, f.Share, f.ShareOf, want, of)
			}
		}
		if len(findings) == 0 {
			t.Errorf("beside %v s: no finding", beside)
		}
	}
}
