package predict

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts/sampled"
)

// TestQueuedForConnections: where all connections wait for a lock that is seldom held for long, one request in a hundred meets it and five queue
// behind these for a connection: their p99 goes with the wait of those few. Not where responses take as long as requests.
func TestQueuedForConnections(t *testing.T) {
	get := cut{wait: span{0.95e-3, 1e-3, 1.05e-3}, whole: 1e-3, part: span{0.95, 1, 1}, at: []string{"app.get"}, states: []unpark.WaitClass{unpark.WaitLock}, queue: true, under: -1}
	few := func(i int) sampled.Request { // five in a thousand wait for 100 ms
		if i%200 == 0 {
			return waits(100e-3, 1e-3)
		}
		return waits(0, 1e-3)
	}
	for name, c := range map[string]struct {
		served, before, least, most float64 // of the higher end
	}{
		"before a connection": {1e-3, 90e-3, 0, 20e-3},
		"not queued":          {90e-3, 90e-3, 50e-3, 1},
	} {
		o := traced(2000, get, few)
		o.Response.P99, o.Response.Min = c.before, 1e-3
		o.Load.Service = unpark.Latency{N: 2000, P99: c.served, Buckets: []unpark.Bucket{{Le: c.served, Count: 1990}, {Le: 110e-3, Count: 10}}}
		d, ok := resampledOf(o)
		if !ok {
			t.Fatal("nothing is said")
		}
		if p99 := d.quantile(0.99, c.before); p99.high > c.most || p99.high < c.least {
			t.Errorf("%s: p99 %+v", name, p99)
		}
	}
}
