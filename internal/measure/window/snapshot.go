package window

import (
	"context"
	"time"
)

const (
	// snapshotsWanted is how many goroutine profiles are spread over a window.
	// 16 of them see a wait of one goroutine in 50 with a relative error of
	// about 25 %: enough to tell a downstream wait from none.
	snapshotsWanted = 16
	// restFactor bounds what snapshots cost: after one that took d, the next one
	// comes at the earliest after restFactor × d. A goroutine profile copies
	// every stack (runtime.goroutineProfileWithLabelsConcurrent) and leaves the copies to
	// the collector, so a service with many goroutines would otherwise spend its time on
	// being looked at.
	restFactor = 50
	// snapshotsLeast are taken whatever they cost: fewer cannot tell growth from
	// chance (decision 5).
	snapshotsLeast = 4
)

// cadence is when the snapshots of a window are taken.
type cadence struct {
	window   time.Duration
	quickest time.Duration // of the snapshots so far; 0 before the first
}

// rest returns how long after the begin of a snapshot that took so long the next one
// comes. One may be slow because it waited for a processor among requests: the quickest
// tells what they cost.
func (c *cadence) rest(took time.Duration) time.Duration {
	if c.quickest == 0 || took < c.quickest {
		c.quickest = took
	}
	return max(c.window/snapshotsWanted, min(restFactor*c.quickest, c.window/snapshotsLeast))
}

// takeSnapshots reads goroutine profiles spread over the window; it ends with
// the window or with ctx. They show waits which no block profile sees: sleeps,
// raw network reads, system calls, and waits that have not ended.
func (s *session) takeSnapshots(ctx context.Context) {
	c := cadence{window: s.o.Duration}
	end := s.used.first.at.Add(s.o.Duration)
	for at := s.used.first.at.Add(s.o.Duration / snapshotsWanted / 2); at.Before(end); {
		if sleep(ctx, time.Until(at)) != nil {
			return
		}
		before := time.Now()
		s.members.each(func(m *member) { m.snapshot(ctx) })
		at = at.Add(c.rest(time.Since(before)))
	}
}

func (m *member) snapshot(ctx context.Context) {
	r := raw{start: time.Now()}
	r.body, r.err = m.goroutines(ctx)
	r.end = time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.snapshots = append(m.snapshots, r)
}
