package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestBufferForThoseThatSend: a request that receives waits for what is not there yet, and a buffer has none of it. One that sends, or
// that may do either, goes on where there is room.
func TestBufferForThoseThatSend(t *testing.T) {
	for leaf, want := range map[string]bool{"runtime.chanrecv1": false, "runtime.chansend1": true, "runtime.selectgo": true} {
		class := unpark.WaitChannel
		if leaf == "runtime.selectgo" {
			class = unpark.WaitSelect
		}
		ev := chained(edge(class, "app.ask", "app.answer"))
		ev.Waits = []facts.Wait{waits(class, 80, 10000, "block.pb.gz", leaf, "app.ask", "net/http.(*conn).serve")}
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassChannel, findings)
		if len(f) != 1 {
			t.Fatalf("%s: %+v", leaf, findings)
		}
		if got := slices.ContainsFunc(f[0].Remedies, func(r unpark.Remedy) bool { return strings.HasPrefix(r.Title, "Give the channel a buffer") }); got != want {
			t.Errorf("%s: a buffer is advised: %v, want %v: %+v", leaf, got, want, f[0].Remedies)
		}
	}
}

// TestShareIsOfWhatWasMeasured: without load the time of a request is the trace's, and so is the share of it.
func TestShareIsOfWhatWasMeasured(t *testing.T) {
	for _, want := range []string{"load", "trace.out"} {
		ev := chained(edge(unpark.WaitChannel, "app.ask", "app.answer"))
		ev.Waits = []facts.Wait{waits(unpark.WaitChannel, 80, 10000, "block.pb.gz", "runtime.chansend1", "app.ask", "net/http.(*conn).serve")}
		if want != "load" {
			ev.Window.Load = nil
			ev.Coverage[unpark.KindBlock] = facts.KindCoverage{State: unpark.Present, Seconds: unpark.Num(10)}
			ev.Tracing.Wall = unpark.Latency{Mean: 10e-3, N: 1000}
		}
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassChannel, findings)
		if len(f) != 1 {
			t.Fatalf("%s: %+v", want, findings)
		}
		i := slices.IndexFunc(f[0].Facts, func(x unpark.Fact) bool { return x.Text == "share of a request's time" })
		if i < 0 || f[0].Facts[i].Source != want {
			t.Errorf("%s: %+v", want, f[0].Facts)
		}
	}
}
