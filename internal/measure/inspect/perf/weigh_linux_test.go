//go:build linux && (amd64 || arm64)

package perf

import (
	"testing"
	"time"
)

// TestWeigh: samples of a thread stand for what it ran; those of threads with few for what these ran together, also where one has none;
// one of a thread that is gone for the interval.
func TestWeigh(t *testing.T) {
	s := Samples{Interval: 10 * time.Millisecond}
	add := func(thread, n int) {
		for range n {
			s.All = append(s.All, Sample{Thread: thread})
		}
	}
	add(1, 100) // ran 0.9 s of 1 s that is sampled
	add(2, 2)
	add(3, 1)
	add(5, 1)
	s.weigh(map[int]time.Duration{1: time.Second, 2: time.Second},
		map[int]time.Duration{1: 1900 * time.Millisecond, 2: 1030 * time.Millisecond, 3: 20 * time.Millisecond, 4: 10 * time.Millisecond})
	got := map[int]time.Duration{}
	for _, sample := range s.All {
		got[sample.Thread] += sample.Time
	}
	for thread, want := range map[int]time.Duration{1: 900 * time.Millisecond, 2: 40 * time.Millisecond, 3: 20 * time.Millisecond, 5: 10 * time.Millisecond} {
		if got[thread] != want {
			t.Errorf("thread %d: %v, want %v", thread, got[thread], want)
		}
	}
	s.weigh(nil, nil)
	for _, sample := range s.All {
		if sample.Time != s.Interval {
			t.Fatalf("where nothing is known a sample stands for %v", sample.Time)
		}
	}
}
