package report

import (
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// TestMarksOfLatency: a percentile at the left edge of the chart has its label as the others have, on a phone as well.
func TestMarksOfLatency(t *testing.T) {
	b := newBrowser(t)
	l := unpark.Latency{P50: 20e-6, P90: 2.75e-3, P95: 6e-3, P99: 20e-3, P999: 52e-3, Max: 0.165, Min: 15e-6, N: 9000}
	for le := l.Min; le < l.Max; le *= 1.3 {
		l.Buckets = append(l.Buckets, unpark.Bucket{Le: le, Count: 200})
	}
	l.Buckets = append(l.Buckets, unpark.Bucket{Le: l.Max, Count: 200})
	at := time.Unix(1000, 0).UTC()
	r := unpark.Run{ID: "r", Started: at, Windows: []unpark.Window{{
		Start: at, End: at.Add(time.Second), Load: &unpark.Load{Mode: unpark.Closed, Seconds: 1, Requests: 9000, AchievedRPS: 9000, Response: l, Service: l},
	}}}
	for _, width := range []int{390, 1280} {
		b.view(t, r, "", width, 850)
		b.Until(t, `document.querySelectorAll('#latency-chart .mark').length >= 4`)
		if got := b.Eval(t, `document.querySelectorAll('#latency-chart .mark').length - document.querySelectorAll('#latency-chart text.strong').length`); got != 0.0 {
			t.Errorf("at %d: %v percentiles have no label", width, got)
		}
		if got := b.Eval(t, `Math.min(...[...document.querySelectorAll('#latency-chart text.strong')].map(x => x.getBoundingClientRect().left)) >= document.getElementById('latency-chart').getBoundingClientRect().left - 1`); got != true {
			t.Errorf("at %d: a label begins left of the chart", width)
		}
	}
}
