package evidence_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime/pprof"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/evidence"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// TestAnswersWithoutBlockProfile: net/http's client waits for an answer in a select, which a trace tells as a wait for the network and a
// dump as one that the block profile has. Where that is off, and dumps are there, the trace tells it.
func TestAnswersWithoutBlockProfile(t *testing.T) {
	const late = 5 * time.Millisecond
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(late) }))
	defer slow.Close()
	var dumps [][]*profile.Profile
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 4 {
			time.Sleep(2 * late)
			var b bytes.Buffer
			if err := pprof.Lookup("goroutine").WriteTo(&b, 0); err != nil {
				t.Error(err)
				return
			}
			p, err := profile.Decode(&b, unpark.KindGoroutine, "goroutine")
			if err != nil {
				t.Error(err)
				return
			}
			dumps = append(dumps, []*profile.Profile{p})
		}
	}()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	defer client.CloseIdleConnections()
	tr := traced(t, 4, 40, func(http.ResponseWriter, *http.Request) {
		resp, err := client.Get(slow.URL)
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	})
	<-done
	ev, _, _ := evidence.Reduce(evidence.Input{
		Target: unpark.Target{Module: "github.com/unpark-go/unpark/evidence_test"}, Traces: []evidence.Trace{tr}, Snapshots: dumps,
		Window: unpark.Window{Profiles: []unpark.ProfileFile{{Kind: unpark.KindBlock, State: unpark.Off}}},
	})
	var waited float64
	for _, w := range ev.Waits {
		if w.Class == unpark.WaitDownstream && w.Side == unpark.RequestPath && !w.Idle {
			waited += w.Delay
		}
	}
	if want := 4 * 40 * late.Seconds(); waited < 0.8*want {
		t.Errorf("requests waited %v s for answers, want %v: %+v", waited, want, ev.Waits)
	}
}
