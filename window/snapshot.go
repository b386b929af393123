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
	// crowd is the size of one goroutine profile, in compressed bytes, from
	// which snapshots become few: each stops the world for as long as it takes
	// to copy the stacks (runtime.goroutineProfileWithLabelsConcurrent).
	crowd = 256 << 10
	few   = 4
)

// takeSnapshots reads goroutine profiles spread over the window; it ends with
// the window or with ctx. They show waits which no block profile sees: sleeps,
// raw network reads, system calls, and waits that have not ended.
func (s *session) takeSnapshots(ctx context.Context) {
	wanted := snapshotsWanted
	for i := 0; i < wanted; i++ {
		at := s.start.Add(time.Duration((float64(i) + 0.5) / float64(wanted) * float64(s.o.Duration)))
		if sleep(ctx, time.Until(at)) != nil {
			return
		}
		s.each(func(m *member) { m.snapshot(ctx) })
		if i == 0 && s.largestSnapshot() > crowd {
			wanted, i = few, 0
		}
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

func (s *session) largestSnapshot() int {
	n := 0
	for _, m := range s.members {
		m.mu.Lock()
		if k := len(m.snapshots); k > 0 {
			n = max(n, len(m.snapshots[k-1].body))
		}
		m.mu.Unlock()
	}
	return n
}
