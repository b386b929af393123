package window

import (
	"context"
	"time"

	"github.com/unpark-go/unpark"
)

const (
	// snapshotsWanted is how many goroutine profiles are spread over a window.
	// 16 of them see a wait of one goroutine in 50 with a relative error of
	// about 25 %: enough to tell a downstream wait from none.
	snapshotsWanted = 16
	// restFactor bounds what snapshots cost: after one that took d, the next one
	// comes at the earliest after restFactor × d. A goroutine profile copies
	// every stack (runtime.goroutineProfileWithLabelsConcurrent), so a leaking
	// service would otherwise spend its time on being looked at.
	restFactor = 50
	// snapshotsLeast are taken whatever they cost: fewer cannot tell growth from
	// chance.
	snapshotsLeast = 6
)

// takeSnapshots reads goroutine profiles spread over the window; it ends with
// the window or with ctx. They show waits which no block profile sees: sleeps,
// raw network reads, system calls, and waits that have not ended.
func (s *session) takeSnapshots(ctx context.Context) {
	gap := s.o.Duration / snapshotsWanted
	end := s.start.Add(s.o.Duration)
	for at := s.start.Add(gap / 2); at.Before(end); {
		if sleep(ctx, time.Until(at)) != nil {
			return
		}
		before := time.Now()
		s.each(func(m *member) { m.snapshot(ctx) })
		rest := min(restFactor*time.Since(before), s.o.Duration/snapshotsLeast)
		at = at.Add(max(gap, rest))
	}
}

func (m *member) snapshot(ctx context.Context) {
	r := raw{start: time.Now()}
	r.body, r.err = m.endpoint.Read(ctx, unpark.KindGoroutine, 0)
	r.end = time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.snapshots = append(m.snapshots, r)
}
