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
	// snapshotsOutside is how many where every process is read from outside, which costs it
	// nothing: what no profile of blocking has is then known within 12 % in place of 25 %, and
	// so is a sync of a disk that takes half of the time.
	snapshotsOutside = 64
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
	wanted   int
	quickest time.Duration // of the snapshots so far; 0 before the first
}

// rest returns how long after the begin of a snapshot that took so long the next one
// comes. One may be slow because it waited for a processor among requests: the quickest
// tells what they cost.
func (c *cadence) rest(took time.Duration) time.Duration {
	if c.quickest == 0 || took < c.quickest {
		c.quickest = took
	}
	return max(c.window/time.Duration(c.wanted), min(restFactor*c.quickest, c.window/snapshotsLeast))
}

// takeSnapshots reads goroutine profiles spread over the window; it ends with
// the window or with ctx. They show waits which no block profile sees: sleeps,
// raw network reads, system calls, and waits that have not ended.
func (s *session) takeSnapshots(ctx context.Context) {
	c := cadence{window: s.o.Duration, wanted: s.members.snapshots()}
	end, first := s.began.Add(s.o.Duration), s.o.Duration/time.Duration(c.wanted)/2
	if len(s.used.past) > 0 {
		first = 0 // what a guard was waiting for is now
	}
	for at := s.began.Add(first); at.Before(end); {
		if sleep(ctx, time.Until(at)) != nil {
			return
		}
		before := time.Now()
		s.members.each(func(m *member) { m.snapshot(ctx) })
		at = at.Add(c.rest(time.Since(before)))
	}
}

// snapshots is how many are wanted.
func (ms members) snapshots() int {
	for _, m := range ms {
		if m.outside == nil && !m.endpoint.attached() {
			return snapshotsWanted
		}
	}
	return snapshotsOutside
}

func (m *member) snapshot(ctx context.Context) {
	r := raw{start: time.Now()}
	r.body, r.err = m.goroutines(ctx)
	r.end = time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.snapshots = append(m.snapshots, r)
}

// tellSnapshots says of each process what its snapshots rest on.
func (s *session) tellSnapshots(all []unpark.Process) {
	for i := range all {
		for _, m := range s.members {
			if m.endpoint.PID == all[i].PID && all[i].Snapshots == nil {
				all[i].Snapshots = m.told()
			}
		}
	}
}

func (m *member) told() *unpark.Snapshots {
	var out unpark.Snapshots
	var first, last time.Time
	var read, of, moved, samples float64
	for _, r := range m.snapshots {
		if r.read == nil {
			continue
		}
		if out.Count++; first.IsZero() {
			first = r.start
		}
		last = r.start
		if n, all, torn, ok := r.read.Drawn(); ok {
			read, of, moved, samples = read+float64(n), of+float64(all), moved+float64(torn), samples+1
		}
	}
	if out.Count == 0 {
		return nil
	}
	if out.Count > 1 {
		out.Every = unpark.Num(last.Sub(first).Seconds() / float64(out.Count-1))
	}
	if samples > 0 {
		out.Drawn, out.Of, out.Moved = unpark.Num(read/samples), unpark.Num(of/samples), unpark.Num(moved/samples)
	}
	return &out
}
