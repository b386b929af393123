package diagnose

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// A quota is the limit of a service that uses it up, on average or whenever it runs.
func TestQuotaBound(t *testing.T) {
	tests := []struct {
		name                    string
		quota, cores, throttled float64
		want                    bool
	}{
		{"used up", 4, 3.9, 0.3, true},
		{"used up, hardly throttled", 4, 3.9, 0.04, false},
		{"a tenth of it is used, throttled in each period it ran in", 4, 0.4, 1, false},
		{"throttled in most periods", 4, 2.2, 0.55, true},
		{"throttled in some", 4, 2.2, 0.45, false},
	}
	for _, tt := range tests {
		ev := facts.Evidence{Seconds: 10, Host: unpark.Host{CPUs: 8}, Target: unpark.Target{Quota: unpark.Num(tt.quota)}}
		ev.CPU = facts.CPU{Cores: unpark.Num(tt.cores), Allowed: unpark.Num(tt.quota), Throttled: unpark.Num(tt.throttled)}
		if _, ok := quotaBound(model.New(ev), nil); ok != tt.want {
			t.Errorf("%s: %v", tt.name, ok)
		}
	}
}
