package load

import (
	"sync"
	"sync/atomic"
	"time"
)

// arrival is one request to be sent.
type arrival struct {
	index    int64 // decides its kind
	intended int64
	// free says that a connection was idle when the arrival was due: what it
	// waits from then on is the generator's own fault.
	free bool
	// lost is how long the generator stood still after the arrival was due.
	lost int64
}

// source hands out arrivals.
type source interface {
	// take returns the next arrival for w and marks w as busy with it. It blocks
	// until one is due and returns false after close.
	take(w *worker) (arrival, bool)
	// mark returns one instant, and the arrival that no connection had taken then with
	// its intended start: all earlier arrivals were taken, and were due.
	mark() (now, index, due int64)
	// close ends take. It is called once.
	close()
}

var (
	_ source = (*loop)(nil)
	_ source = (*schedule)(nil)
)

// loop is the source of a closed loop: an arrival is intended at the instant at
// which its connection may send.
type loop struct {
	clock  *clock
	closed atomic.Bool
}

func (l *loop) take(w *worker) (arrival, bool) {
	if l.closed.Load() {
		return arrival{}, false
	}
	return arrival{index: int64(w.id)<<40 + w.count, intended: w.freed, free: true}, true
}

// mark has no next arrival: a connection that is free takes it at once.
func (l *loop) mark() (now, index, due int64) { return l.clock.now(), 0, never }

func (l *loop) close() { l.closed.Store(true) }

// schedule is the source of an open plan. Arrivals that are due and have no
// connection are not stored anywhere: they are those between the cursor and now,
// and a connection that comes free takes the oldest. However far the target
// falls behind, that costs no memory.
type schedule struct {
	clock   *clock
	pacer   pacer
	sleeper *sleeper
	kick    chan struct{} // capacity 1: a connection is idle, or close
	done    chan struct{} // run has returned

	mu     sync.Mutex
	cursor int64 // index of the next arrival
	due    int64 // its intended start
	// idle connections, the one that waited longest first: the load spreads
	// evenly over connections, and with them over the target's processes.
	idle   ring
	parked bool // run waits for a kick
	gaps   gaps
	closed bool
}

func newSchedule(c *clock, p pacer, connections int) (*schedule, error) {
	sl, err := newSleeper()
	if err != nil {
		return nil, err
	}
	return &schedule{
		clock: c, pacer: p, sleeper: sl, due: p.next(0, 0), idle: newRing(connections),
		kick: make(chan struct{}, 1), done: make(chan struct{}),
	}, nil
}

// pop takes the next arrival; the lock is held.
func (s *schedule) pop(free bool) arrival {
	a := arrival{index: s.cursor, intended: s.due, free: free, lost: s.gaps.lost(s.due)}
	s.cursor++
	s.due = s.pacer.next(s.cursor, s.due)
	return a
}

func (s *schedule) take(w *worker) (arrival, bool) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return arrival{}, false
	}
	now := s.clock.now()
	s.gaps.look(now)
	if s.due <= now {
		a := s.pop(s.idle.len > 0)
		s.gaps.rest(now, s.idle.len > 0)
		w.current.Store(a.intended)
		s.mu.Unlock()
		return a, true
	}
	s.idle.push(w)
	s.gaps.rest(now, true)
	wake := s.parked
	s.parked = false
	s.mu.Unlock()
	if wake {
		s.signal()
	}
	a, ok := <-w.inbox
	return a, ok
}

// run gives due arrivals to idle connections until close.
func (s *schedule) run() {
	defer close(s.done)
	for {
		wait, ok := s.hand()
		switch {
		case !ok:
			return
		case wait > 0:
			s.sleeper.sleep(wait)
		default:
			<-s.kick
		}
	}
}

// hand serves idle connections and returns how long until the next arrival; 0
// when it is due and no connection is idle.
func (s *schedule) hand() (time.Duration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.now()
	s.gaps.look(now)
	defer func() { s.gaps.rest(now, s.idle.len > 0) }()
	for !s.closed && s.due <= now && s.idle.len > 0 {
		w := s.idle.pop()
		a := s.pop(true)
		w.current.Store(a.intended)
		w.inbox <- a // its buffer is empty: w is idle
	}
	s.parked = s.due <= now
	if s.parked {
		return 0, !s.closed
	}
	return time.Duration(s.due - now), !s.closed
}

func (s *schedule) signal() {
	select {
	case s.kick <- struct{}{}:
	default: // one is enough
	}
}

func (s *schedule) mark() (now, index, due int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clock.now(), s.cursor, s.due
}

func (s *schedule) close() {
	s.mu.Lock()
	s.closed = true
	for s.idle.len > 0 {
		close(s.idle.pop().inbox)
	}
	s.mu.Unlock()
	s.signal()
	s.sleeper.close()
	<-s.done
}

// ring is a queue of workers with a fixed capacity.
type ring struct {
	buf       []*worker
	head, len int
}

func newRing(n int) ring { return ring{buf: make([]*worker, n)} }

func (r *ring) push(w *worker) {
	r.buf[(r.head+r.len)%len(r.buf)] = w
	r.len++
}

func (r *ring) pop() *worker {
	w := r.buf[r.head]
	r.buf[r.head] = nil
	r.head = (r.head + 1) % len(r.buf)
	r.len--
	return w
}
