package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestQueueForThoseThatAsk: what few goroutines wait for that requests queue for is told with the queue, whose every place
// waits for it, and not as a wait of its own that is worth little.
func TestQueueForThoseThatAsk(t *testing.T) {
	asks := func(share float64) unpark.Held {
		return unpark.Held{Class: unpark.WaitDownstream, Site: fn("app.ask"), Call: unpark.Site{Function: "net/http.(*Client).Do"}, Share: share}
	}
	for _, tt := range []struct {
		name  string
		delay float64 // s of their waits for the answer, beside the 60 s of requests for them
		held  unpark.Held
		alone bool // the wait for the answer is a finding
	}{
		{"few that ask, one answer after the other", 6, asks(0.95), false},
		{"one for each request", 50, asks(0.95), true},
		{"few that ask and mostly compute", 6, asks(0.2), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ev := chained(edge(unpark.WaitGroup, "app.commit", "app.done", tt.held, unpark.Held{Class: unpark.Running, Share: 1 - tt.held.Share}))
			ev.Waits = append(ev.Waits, waits(unpark.WaitDownstream, tt.delay, 10000, "block.pb.gz", "runtime.selectgo", "net/http.(*Client).Do", "app.ask", "app.work"))
			_, findings, _ := diagnose.Verdict(ev, nil)
			if got := len(of(unpark.ClassDownstream, findings)) == 1; got != tt.alone {
				t.Fatalf("told alone: %t, want %t: %+v", got, tt.alone, findings)
			}
			if tt.alone {
				return
			}
			joins := of(unpark.ClassChannel, findings)
			if len(joins) != 1 || !strings.Contains(joins[0].Remedies[1].Title, "app.ask") {
				t.Errorf("no remedy names what they ask: %+v", joins)
			}
		})
	}
}
