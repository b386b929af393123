package diagnose

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestWaitsBetweenAttempts: what few requests wait between attempts is told where a sleep of as much, which
// programs mean to have, is not.
func TestWaitsBetweenAttempts(t *testing.T) {
	site := unpark.Site{Function: "main.deliver", File: "main.go", Line: 9}
	retry := unpark.Site{Function: "github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/retry.waitRetryBackoff"}
	for name, c := range map[string]struct {
		class unpark.WaitClass
		leaf  unpark.Site
		delay float64 // s, of the 50 s that all requests take
		want  int
	}{
		"a quarter of a request between attempts": {unpark.WaitSelect, retry, 12, 1},
		"a twentieth": {unpark.WaitSelect, retry, 2.5, 0},
		"a quarter asleep, of the program's choice": {unpark.WaitSleep, unpark.Site{Function: "main.pause"}, 12, 0},
	} {
		l := unpark.Latency{N: 1000, Mean: 0.05, P50: 0.04, P99: 0.2, Max: 0.3}
		m := model.New(facts.Evidence{
			Seconds: 10, Requests: unpark.Num(1000),
			CPU: facts.CPU{Cores: unpark.Num(0.2), Allowed: unpark.Num(2), Sampled: unpark.Num(2)},
			Waits: []facts.Wait{{
				Side: unpark.RequestPath, Class: c.class, Waiter: site, Delay: c.delay, Count: 200, Source: "block.pb.gz",
				Stack: []unpark.Site{{Function: "runtime.selectgo"}, c.leaf, site},
			}},
			Window: unpark.Window{Load: &unpark.Load{Mode: unpark.Closed, AchievedRPS: 100, Response: l, Service: l}},
		})
		var got []unpark.Finding
		for _, f := range apply(m) {
			if f.Class == unpark.ClassRateLimit {
				got = append(got, f)
			}
		}
		if len(got) != c.want {
			t.Errorf("%s: %d findings, want %d: %+v", name, len(got), c.want, got)
		}
	}
}
