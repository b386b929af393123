//go:build linux && (amd64 || arm64)

package inspect

import (
	"slices"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/inspect/memory"
)

// Recording says from when on a process has recorded enough of what it was lent a rate for. What recording costs it, the clock
// that the runtime reads with each wait, ends then; the rest of a window is taken to be like the part that was recorded. A kind
// with few events costs next to nothing, and is recorded to the end.
type Recording struct {
	Least time.Duration // no kind ends earlier
	// Records of a kind are enough, or so many events of which at least Some were recorded: those are waits far shorter than the rate, of
	// which few are recorded and all cost the clock.
	Records, Events, Some float64
}

const (
	// recordedPart of a window is recorded at least.
	recordedPart = 1. / 3
	// leastRecorded is how long at least: a shorter one leaves out a part of the waits that are not short against it.
	leastRecorded = 5 * time.Second
	// enoughRecords tell a place with a twentieth of all within a tenth, 95 times of 100: 400 records are off by
	// 1 ÷ √400 = 5 % (TestEnoughRecords).
	enoughRecords = 8000
	// manyEvents in the least time of a window of 30 s are 5,000 a second, whose clock takes a quarter of a hundredth of a core
	// (half a microsecond for each: docs/benchmarks.md).
	manyEvents = 50_000
	// someRecords tell a place with a fifth of all within 7 %, one standard error.
	someRecords = 1000
)

// RecordingOf is what is enough for a window of a length.
func RecordingOf(window time.Duration) Recording {
	return Recording{
		Least:   max(leastRecorded, time.Duration(recordedPart*float64(window))),
		Records: enoughRecords, Events: manyEvents, Some: someRecords,
	}
}

// enough reports whether a kind is done.
func (r Recording) enough(took time.Duration, records, events float64) bool {
	return took >= r.Least && (records >= r.Records || events >= r.Events && records >= r.Some)
}

// Record has the lease put a rate back as soon as enough was recorded of its kind from now on, while [Lease.Keep] holds it.
func (l *Lease) Record(r Recording) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.recording, l.from = &r, time.Now()
	for i := range l.lent {
		l.lent[i].records, l.lent[i].events = 0, 0
	}
}

// most is how many events of a kind a process may record in a second: as many in all, where it does so for a part of the window.
func (l *Lease) most() float64 {
	if l.recording != nil {
		return mostRecords / recordedPart
	}
	return mostRecords
}

// count adds up what was recorded between two readings.
func (r *lent) count(now, was []bucket, kind int) {
	r.records += recorded(now, was, r.value, kind)
	r.events += happened(now, was)
}

// happened is how many events there were between two readings.
func happened(now, was []bucket) float64 {
	var sum float64
	for i, b := range now {
		if k := len(was) - len(now) + i; k >= 0 { // as in recorded
			b.count -= was[k].count
		}
		sum += max(0, b.count)
	}
	return sum
}

// ended puts the rates back of whose kind enough was recorded.
func (l *Lease) ended() {
	if l.recording == nil {
		return
	}
	l.lent = slices.DeleteFunc(l.lent, func(r lent) bool {
		kind, ok := l.kindOf(r.at)
		return ok && l.recording.enough(time.Since(l.from), r.records, r.events) && l.end(r, kind)
	})
}

// end reports whether a rate is no longer lent: it was put back, or anything else has put it out. One that anything else wrote
// meanwhile stays.
func (l *Lease) end(r lent, kind unpark.Kind) bool {
	is, err := memory.Uint64(l.p.mem, r.at)
	if err != nil || int64(is) != r.value && is != 0 {
		return false
	}
	if is != 0 && l.p.set(r.at, r.before) != nil {
		return false
	}
	l.stop(kind)
	return true
}

// watch looks whether rates that were on already still are: another reader of the process may have lent them.
func (l *Lease) watch() {
	l.left = slices.DeleteFunc(l.left, func(r lent) bool {
		kind, _ := l.kindOf(r.at)
		is, err := memory.Uint64(l.p.mem, r.at)
		if err != nil || is != 0 {
			return false
		}
		l.stop(kind)
		return true
	})
}

// stop has the process answer for a kind with what it has recorded until now.
func (l *Lease) stop(kind unpark.Kind) {
	at := time.Now()
	all, _ := l.p.buckets(kind) // where that fails they are read again: nothing is counted any more
	l.p.stopped.set(kind, reading{at, all})
}

// kindOf is the kind that a rate is of; false for that of memory.
func (l *Lease) kindOf(rate uint64) (unpark.Kind, bool) {
	switch rate {
	case l.p.variables.BlockRate:
		return unpark.KindBlock, true
	case l.p.variables.MutexRate:
		return unpark.KindMutex, true
	}
	return "", false
}

// stopped is what was recorded of kinds until that ended.
type stopped struct {
	mu sync.Mutex
	of map[unpark.Kind]reading
}

func (s *stopped) set(kind unpark.Kind, r reading) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of[kind] = r
}

func (s *stopped) get(kind unpark.Kind) (reading, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.of[kind]
	return r, ok
}

// goesOn says that a kind is recorded (again).
func (s *stopped) goesOn(kind unpark.Kind) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.of, kind)
}

// soFar is what a process has recorded of a kind: now, or when the recording of it ended.
func (p *Process) soFar(kind unpark.Kind) (reading, error) {
	r, stopped := p.stopped.get(kind)
	if stopped && r.all != nil {
		return r, nil
	}
	var err error
	r.all, err = p.buckets(kind)
	if !stopped {
		r.at = time.Now()
	}
	return r, err
}

// buckets reads the profile of a kind.
func (p *Process) buckets(kind unpark.Kind) ([]bucket, error) {
	switch kind {
	case unpark.KindBlock:
		return buckets(p.mem, p.Image.Layout, p.variables.BlockBuckets, blockProfile)
	case unpark.KindMutex:
		return buckets(p.mem, p.Image.Layout, p.variables.MutexBuckets, mutexProfile)
	default:
		return buckets(p.mem, p.Image.Layout, p.variables.MemBuckets, memProfile)
	}
}
