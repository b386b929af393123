package load

import (
	"math"
	"slices"

	hdr "github.com/HdrHistogram/hdrhistogram-go"

	"github.com/unpark-go/unpark"
)

const (
	lowest  = 1_000             // 1 µs: resolution at the low end
	highest = 3_600_000_000_000 // an hour: longer times count as an hour
	digits  = 3                 // significant decimal digits of a result
	coarse  = 2                 // of the figures of one tick
	bars    = 100               // of a distribution for drawing
)

// histogram counts times. Sum and extremes are exact; quantiles have the
// histogram's resolution.
type histogram struct {
	counts   *hdr.Histogram
	sum      float64
	min, max int64
}

func newHistogram(digits int) *histogram {
	return &histogram{counts: hdr.New(lowest, highest, digits), min: math.MaxInt64}
}

// add counts a time in nanoseconds; a negative one is 0.
func (h *histogram) add(ns int64) {
	ns = min(max(ns, 0), highest)
	_ = h.counts.RecordValue(ns) // within its range by the line above
	h.sum += float64(ns)
	h.min, h.max = min(h.min, ns), max(h.max, ns)
}

func (h *histogram) merge(from *histogram) {
	h.counts.Merge(from.counts)
	h.sum += from.sum
	h.min, h.max = min(h.min, from.min), max(h.max, from.max)
}

func (h *histogram) reset() {
	if h.max == 0 && h.min == math.MaxInt64 {
		return
	}
	h.counts.Reset()
	h.sum, h.min, h.max = 0, math.MaxInt64, 0
}

// latency summarises the histogram, without its distribution.
func (h *histogram) latency() unpark.Latency {
	n := h.counts.TotalCount()
	if n == 0 {
		return unpark.Latency{}
	}
	q := h.counts.ValueAtPercentilesSlice([]float64{50, 90, 95, 99, 99.9, 99.99})
	for i := range q {
		q[i] = min(max(q[i], h.min), h.max)
	}
	return unpark.Latency{
		P50: seconds(q[0]), P90: seconds(q[1]), P95: seconds(q[2]), P99: seconds(q[3]), P999: seconds(q[4]), P9999: seconds(q[5]),
		Min: seconds(h.min), Max: seconds(h.max), Mean: h.sum / float64(n) / 1e9, N: n,
	}
}

// drawn is latency with the distribution: at most bars+1 buckets whose bounds
// grow by a constant factor, so that they look evenly spaced on the logarithmic
// axis that latency needs. Empty buckets between others are kept: a bar's width
// is the distance to the bound before.
func (h *histogram) drawn() unpark.Latency {
	l := h.latency()
	if l.N == 0 {
		return l
	}
	first, last := float64(max(h.min, lowest)), float64(max(h.max, lowest))
	step := math.Pow(last/first, 1.0/bars)
	buckets := make([]unpark.Bucket, 1, bars+1)
	buckets[0].Le = first / 1e9
	for i := 1; i <= bars && step > 1; i++ {
		buckets = append(buckets, unpark.Bucket{Le: first * math.Pow(step, float64(i)) / 1e9})
	}
	buckets[len(buckets)-1].Le = last / 1e9
	for _, bar := range h.counts.Distribution() {
		if bar.Count == 0 {
			continue
		}
		// A bar's upper end may lie above the greatest recorded value.
		at := seconds(min(max(bar.To, h.min), h.max))
		i, _ := slices.BinarySearchFunc(buckets, at, func(b unpark.Bucket, v float64) int {
			if b.Le < v {
				return -1
			}
			return 1
		})
		buckets[min(i, len(buckets)-1)].Count += bar.Count
	}
	l.Buckets = buckets
	return l
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }
