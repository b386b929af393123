package evidence

import (
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// TestPart: of a kind that was recorded for a third of the window a third of the events was seen, and no wait that is longer: what
// dumps show of one counts. The same of a kind that was recorded all the while says that the wait ends often.
func TestPart(t *testing.T) {
	for _, tt := range []struct {
		recorded unpark.Number
		delay    float64
		source   string
		events   int64
	}{
		{unpark.Num(10), 60, sourceDump, 15},
		{unpark.Number{}, 22.5, "block.pb.gz", 45},
	} {
		w := window(30)
		w.Profiles = []unpark.ProfileFile{{Kind: unpark.KindBlock, State: unpark.Present, Start: w.Start, End: w.Start.Add(30 * time.Second), Recorded: tt.recorded}}
		ev, _, _ := Reduce(Input{
			Target: unpark.Target{Module: "example.com/shop"}, Window: w,
			Profiles:  single(profileOf(t, unpark.KindBlock, made{"runtime.chanrecv1 main.long@5" + serve, 22.5, 45})),
			Snapshots: repeat(5, profileOf(t, unpark.KindGoroutine, made{dumpRecv + "main.long@5" + serve, 2, 2})),
		})
		got := waitsBy(ev)["main.long channel"]
		if !near(got.Delay, tt.delay, 1e-6) || got.Source != tt.source {
			t.Errorf("recorded %v: %v s by %s, want %v by %s", tt.recorded, got.Delay, got.Source, tt.delay, tt.source)
		}
		if n := ev.Coverage[unpark.KindBlock].Events; n != tt.events {
			t.Errorf("recorded %v: %d events, want %d", tt.recorded, n, tt.events)
		}
	}
}
