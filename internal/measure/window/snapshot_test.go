package window

import (
	"testing"
	"time"
)

// TestSnapshotsAreBounded: where one goroutine profile takes long there are few, and one
// that merely waited for a processor among others changes nothing.
func TestSnapshotsAreBounded(t *testing.T) {
	const length = 10 * time.Second
	for _, c := range []struct {
		name string
		took func(i int) time.Duration
		want int
	}{
		{"small", func(int) time.Duration { return time.Millisecond }, snapshotsWanted},
		{"100,000 goroutines", func(int) time.Duration { return 300 * time.Millisecond }, snapshotsLeast},
		{"as many as its time allows", func(int) time.Duration { return 25 * time.Millisecond }, 8},
		{"one waited, and the next", func(i int) time.Duration { return []time.Duration{time.Millisecond, 400 * time.Millisecond}[i%2] }, snapshotsWanted},
	} {
		p := cadence{window: length}
		n := 0
		for at := length / snapshotsWanted / 2; at < length; n++ {
			at += p.rest(c.took(n))
		}
		if n != c.want {
			t.Errorf("%s: %d snapshots, want %d", c.name, n, c.want)
		}
	}
}
