package load

import (
	"context"
	"sync/atomic"
	"time"
)

const (
	firstBackoff = 10 * time.Millisecond
	lastBackoff  = time.Second
)

// exchanger is one connection to the target, and the seam to other engines.
type exchanger interface {
	// exchange sends a request of the kind with that index and reads the whole
	// answer. It opens the connection when there is none. hash asks for the
	// outcome's sum.
	exchange(kind int, hash bool) outcome
	// close drops the connection; exchange is not called again.
	close()
}

// outcome is what an exchange did.
type outcome struct {
	status  int    // 0: there was no whole answer
	bytes   int64  // of the body
	sum     uint64 // of the body, when it was asked for
	err     string // the kind of error; empty when there was an answer
	detail  error  // the error itself
	dial    int64  // time taken to open a connection, 0 when one was reused
	written int64  // just before the request went to the kernel; 0: it never did
	done    int64  // the whole answer was read, or the error seen
}

// worker drives one connection.
type worker struct {
	id    int
	clock *clock
	inbox chan arrival // from the schedule; capacity 1
	// current is the intended start of the request in hand, never when there is
	// none. Once the load was stopped it stays at what was not answered.
	current  atomic.Int64
	freed    int64 // when the connection came free
	count    int64 // of requests
	failures int   // in a row
	shard    *shard
	index    int // of the shard
	g        *Generator
	link     exchanger
}

// run sends until the source ends or ctx is done.
func (w *worker) run(ctx context.Context) {
	defer w.link.close()
	for {
		w.count++
		a, ok := w.g.source.take(w)
		if !ok {
			w.current.Store(never)
			return
		}
		s := sample{arrival: a, freed: w.freed}
		kind := w.g.settings.choice.of(a.index)
		hash := w.g.repeats.wants(kind, w.count)
		s.outcome = w.link.exchange(kind, hash)
		if s.outcome.err != "" && ctx.Err() != nil {
			return // stopped in the middle: unfinished, no error
		}
		w.judge(&s, kind, hash)
		w.g.record(w, &s)
		if s.status == 0 && !w.backoff(ctx) {
			return
		}
	}
}

// judge completes the sample by what the plan says about its kind.
func (w *worker) judge(s *sample, kind int, hash bool) {
	k := &w.g.settings.kinds[kind]
	if s.status == 0 {
		s.words = k.name() + ": " + s.detail.Error()
		return
	}
	w.failures = 0
	if !k.accepts(s.status) {
		s.err, s.words = failStatus, unexpected(k, s.status)
	} else if hash {
		s.compared, s.repeated = w.g.repeats.seen(kind, s.sum)
	}
}

// backoff waits after a failed connection, longer each time, so that a target
// that is down is not stormed by all connections. The wait is no time in which
// the connection was free.
func (w *worker) backoff(ctx context.Context) bool {
	wait := min(lastBackoff, firstBackoff<<min(w.failures, 10))
	w.failures++
	if w.g.settings.pacer == nil {
		w.current.Store(w.freed + int64(wait)) // its next request is not intended earlier
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
		w.current.Store(never)
		return false
	}
	w.freed = w.clock.now()
	if w.g.settings.pacer == nil {
		w.current.Store(w.freed)
	}
	return true
}
