package report

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

func TestBlockingParts(t *testing.T) {
	at := unpark.Site{Function: "example.com/rand.(*lockedSource).Int63", File: "rand.go", Line: 24}
	few := unpark.Blocking{Waiters: unpark.Measured(1e-6, "waiters", 2), Events: 2}
	none := unpark.Blocking{Waiters: unpark.Measured(0, "waiters", 0)}
	named := unpark.Blocking{
		Waiters: unpark.Measured(0.00123, "waiters", 52), PerRequest: unpark.Measured(41e-9, "s/req", 52), Events: 52,
		Share: unpark.Measured(0.98, "ratio", 52), CPUShare: unpark.Num(0.0046),
		First: &unpark.Finding{
			Class: unpark.ClassLock, Waiter: &at,
			Prediction: unpark.Prediction{Throughput: unpark.Between(1, 0.93, 1.07, "ratio", 9), P99: unpark.Between(0.5, 0.4, 0.6, "ratio", 9)},
		},
	}
	for name, tt := range map[string]struct {
		b    *unpark.Blocking
		load *unpark.Load
		want string
	}{
		"no block profile": {nil, nil, ""},
		"nothing waits":    {&none, nil, "0 mean waiters"},
		"few":              {&few, nil, "under 0.001 mean waiters · 2 waits recorded, too few to say where"},
		"named": {&named, &unpark.Load{Mode: unpark.Closed}, "0.00123 mean waiters, 41.0 ns a request · " +
			"98.0 % of it for the lock in example.com/rand.(*lockedSource).Int63 rand.go:24 (0.46 % of the CPU) · " +
			"without it throughput ±0 % (−7.0 % to +7.0 %)"},
		"named, under an offered rate": {&named, &unpark.Load{Mode: unpark.Poisson}, "0.00123 mean waiters, 41.0 ns a request · " +
			"98.0 % of it for the lock in example.com/rand.(*lockedSource).Int63 rand.go:24 (0.46 % of the CPU) · " +
			"without it p99 ×0.50 (0.40–0.60)"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(blockingParts(tt.b, tt.load), " · "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
