package guard

import (
	"encoding/json"
	"math"
	"slices"
	"time"

	"github.com/unpark-go/unpark"
)

// vital is one line of the probe's vitals (probe/agent).
type vital struct {
	At         time.Time     `json:"at"`
	Goroutines unpark.Number `json:"goroutines"`
	Heap       unpark.Number `json:"heap_bytes"`
	GC         unpark.Number `json:"gc_cpu_s"`
	CPU        unpark.Number `json:"cpu_s"`
	Requests   *timed        `json:"requests"`
}

// timed are the requests that ended within a second, by how long they took.
type timed struct {
	InFlight float64   `json:"in_flight"`
	Low      []float64 `json:"low_s"`
	High     []float64 `json:"high_s"`
	Counts   []int64   `json:"counts"`
}

// readVital reads a line; ok is false for one that is broken, or empty.
func readVital(line []byte) (v vital, ok bool) {
	if json.Unmarshal(line, &v) != nil || v.At.IsZero() {
		return vital{}, false
	}
	if r := v.Requests; r != nil && (len(r.Low) != len(r.Counts) || len(r.High) != len(r.Counts)) {
		return vital{}, false
	}
	return v, true
}

// bucket is requests that took about as long.
type bucket struct {
	low, high float64 // s
	n         int64
}

// quantile of requests, in seconds, with their number; unknown without any. Within a bucket,
// which is 1/16 of its time wide, they are taken to be spread evenly.
func quantile(all []timed, q float64) unpark.Quantity {
	var buckets []bucket
	var n int64
	for _, e := range all {
		for i, count := range e.Counts {
			if count > 0 {
				buckets = append(buckets, bucket{e.Low[i], e.High[i], count})
				n += count
			}
		}
	}
	out := unpark.Quantity{Unit: "s", N: n}
	if n == 0 {
		return out
	}
	slices.SortFunc(buckets, func(a, b bucket) int {
		switch {
		case a.low < b.low:
			return -1
		case a.low > b.low:
			return 1
		}
		return 0
	})
	rank := math.Ceil(q * float64(n))
	var seen float64
	for _, b := range buckets {
		if seen+float64(b.n) >= rank {
			out.Value = unpark.Num(b.low + (b.high-b.low)*(rank-seen-0.5)/float64(b.n))
			return out
		}
		seen += float64(b.n)
	}
	return out
}

const (
	// fewRequests are what a quantile takes at least: the seconds before are added until
	// there are so many, for oldest at most.
	fewRequests = 20
	oldest      = 10
)

// recent returns the newest seconds that have enough requests; nothing where the newest has
// none, so that a time is told while it is new.
func recent(seconds []timed) []timed {
	var n int64
	for i := len(seconds) - 1; i >= 0 && len(seconds)-i <= oldest; i-- {
		for _, count := range seconds[i].Counts {
			n += count
		}
		if n == 0 {
			return nil
		}
		if n >= fewRequests || i == 0 || len(seconds)-i == oldest {
			return seconds[i:]
		}
	}
	return nil
}
