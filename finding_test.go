package unpark_test

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestBuysNothing: what would become worse is no gain, however sure; a gain beside it is one.
func TestBuysNothing(t *testing.T) {
	for _, c := range []struct {
		name                 string
		throughput, p50, p99 float64
		want                 bool
	}{
		{"all stays", 1, 1, 1, true},
		{"throughput rises", 1.1, 1, 1, false},
		{"throughput falls", 0.9, 1, 1, true},
		{"p99 falls", 1, 1, 0.9, false},
		{"p99 rises", 1, 1, 1.2, true},
		{"all becomes worse", 0.9, 1.1, 1.2, true},
		{"throughput falls, and p99 with it", 0.9, 1, 0.8, false},
	} {
		q := func(v float64) unpark.Quantity { return unpark.Between(v, v-0.01, v+0.01, "ratio", 100) }
		p := unpark.Prediction{Throughput: q(c.throughput), P50: q(c.p50), P99: q(c.p99)}
		if got := p.BuysNothing(); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
