package predict

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestSummaryOfTail: where throughput stays and the p99 falls, the finding is not said to be worth nothing.
func TestSummaryOfTail(t *testing.T) {
	s := &service{}
	s.Mode, s.rate, s.Response = unpark.Closed, 1000, unpark.Latency{P99: 0.08, N: 1000}
	c := closedLoop{change{s, cut{}}}
	flat := span{0.8, 1, 1.2}
	for _, at := range []struct {
		name string
		p99  unpark.Quantity
		want string
	}{
		{"falls", unpark.Between(0.25, 0.125, 0.5, "ratio", 9), "Removing it would cut p99 from 80 ms to 10–40 ms; throughput hardly moves; then file I/O is the limit."},
		{"falls, too wide to say", unpark.Between(0.25, 0.01, 0.5, "ratio", 9), "Removing it would cut p99 from 80 ms to 40 ms or less; throughput hardly moves; then file I/O is the limit."},
		{"stays", unpark.Between(1, 0.9, 1.1, "ratio", 9), "Real, and worth at most +20 %: file I/O is what binds."},
	} {
		got := c.summary(flat, at.p99, unpark.LimitIO)
		if strings.ReplaceAll(got, ".0 ms", " ms") != at.want {
			t.Errorf("%s: %q, want %q", at.name, got, at.want)
		}
	}
}
