package load

import (
	"math"
	"testing"

	"github.com/unpark-go/unpark"
)

func TestHistogramQuantiles(t *testing.T) {
	h := newHistogram(digits)
	for i := int64(1); i <= 10_000; i++ {
		h.add(i * 10_000) // 10 µs to 100 ms
	}
	l := h.drawn()
	for name, v := range map[string][2]float64{
		"p50": {l.P50, 0.05}, "p90": {l.P90, 0.09}, "p95": {l.P95, 0.095}, "p99": {l.P99, 0.099}, "p999": {l.P999, 0.0999},
		"max": {l.Max, 0.1}, "min": {l.Min, 10e-6}, "mean": {l.Mean, 0.050005},
	} {
		if math.Abs(v[0]/v[1]-1) > 0.002 {
			t.Errorf("%s = %g, want %g", name, v[0], v[1])
		}
	}
	if l.N != 10_000 {
		t.Errorf("n = %d", l.N)
	}
}

func TestHistogramBounds(t *testing.T) {
	tests := map[string][]int64{
		"one value": {123_456}, "two": {1000, 60e9}, "zero": {0}, "negative": {-5}, "beyond the range": {never, 1},
		"equal": {7e6, 7e6, 7e6}, "close": {1_000_000, 1_001_000, 1_002_000},
	}
	for name, values := range tests {
		h := newHistogram(digits)
		for _, v := range values {
			h.add(v)
		}
		checkBuckets(t, name, h.drawn())
	}
	if l := newHistogram(digits).drawn(); l.N != 0 || l.Buckets != nil {
		t.Errorf("an empty histogram gives %+v", l)
	}
}

func checkBuckets(t *testing.T, name string, l unpark.Latency) {
	t.Helper()
	sum, last := int64(0), -1.0
	for _, b := range l.Buckets {
		if b.Le <= last {
			t.Errorf("%s: bounds do not ascend: %g after %g", name, b.Le, last)
		}
		sum, last = sum+b.Count, b.Le
	}
	if sum != l.N {
		t.Errorf("%s: buckets hold %d of %d values", name, sum, l.N)
	}
	if len(l.Buckets) == 0 || len(l.Buckets) > 120 {
		t.Errorf("%s: %d buckets", name, len(l.Buckets))
	}
	if l.Min > l.P50 || l.P50 > l.P90 || l.P90 > l.P99 || l.P99 > l.P999 || l.P999 > l.Max {
		t.Errorf("%s: quantiles are out of order: %+v", name, l)
	}
}

func TestHistogramMerge(t *testing.T) {
	a, b := newHistogram(digits), newHistogram(digits)
	a.add(2e6)
	b.add(1e6)
	b.add(9e6)
	a.merge(b)
	a.merge(newHistogram(digits))
	if l := a.latency(); l.N != 3 || l.Min != 0.001 || l.Max != 0.009 || math.Abs(l.Mean-0.004) > 1e-12 {
		t.Errorf("merged: %+v", l)
	}
	a.reset()
	if l := a.latency(); l.N != 0 {
		t.Errorf("after reset: %+v", l)
	}
}
