package agent

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// process is this package's one variable: the sampling rates, the CPU profile, the
// execution trace and the flight recorder exist once in a process, and so does what
// is known of them.
var process state

type state struct {
	// open counts the leases of the block rate, CPU profiles, traces and flight recorders
	// under way, and by timing those who follow the vitals.
	open atomic.Int32

	requests Timer
	zero     time.Time // of requests; set once, before the first is timed

	mu       sync.Mutex
	claimed  bool   // an agent is there
	declared int    // Options.BlockProfileRate
	block    *Lease // the one that holds the block rate
	mutex    *Lease // the one that holds the mutex fraction; may be another
	judged   bool   // there was a lease before, so that foreign is known
	foreign  bool   // the block profile was on before the first lease
	flight   *flight
}

// ErrLeased is returned while a rate that is asked for is lent to another.
var ErrLeased = errors.New("the sampling rates are leased already")

func (s *state) claim(declared int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.claimed {
		return errors.New("this process has a probe already: start it once")
	}
	s.claimed, s.declared = true, declared
	return nil
}

func (s *state) unclaim() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.claimed, s.declared = false, 0
}

// Rates are what a lease asks for.
type Rates struct {
	// Block is for runtime.SetBlockProfileRate: waits of this many nanoseconds
	// are recorded always, shorter ones in proportion. 0 leaves it as it is.
	Block int
	// Mutex is for runtime.SetMutexProfileFraction: one in so many contentions.
	// 0 leaves it as it is.
	Mutex int
	// Previous is the block rate that was set before, where the caller knows it
	// better than Options.BlockProfileRate does; negative for off, 0 for unknown.
	Previous int
	// Standing leaves requests unmarked (Active): the rate is lent for hours, by a guard.
	Standing bool
}

// Lease is the loan of the process's sampling rates.
type Lease struct {
	Block    int  // ns, 0 for off, while the lease is held
	Known    bool // whether Block is known
	Mutex    int  // one in so many, 0 for off, while the lease is held
	Notes    []string
	previous struct{ block, mutex int }
	setBlock bool
	setMutex bool
	opens    bool // a window: requests are marked
	state    *state
}

// Acquire sets the rates until the lease is released. It returns ErrLeased while
// another lease holds one of them. Each rate is lent by itself because they are
// wanted for different times: the mutex fraction has to be there before a lock
// has waiters. The runtime hands the time from which a queue's delay counts on
// from waiter to waiter (runtime/sema.go, semaRoot.dequeue), and 0 when the head
// came while the fraction was 0: a queue that never drains is then never charged.
func Acquire(r Rates) (*Lease, error) { return process.acquire(r) }

func (s *state) acquire(r Rates) (*Lease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Block > 0 && s.block != nil || r.Mutex > 0 && s.mutex != nil {
		return nil, ErrLeased
	}
	if !s.judged {
		records, _ := runtime.BlockProfile(nil)
		s.judged, s.foreign = true, records > 0
	}
	if r.Previous == 0 {
		r.Previous = s.declared
	}
	l := &Lease{state: s}
	l.takeBlock(r, s.foreign)
	l.takeMutex(r.Mutex)
	if r.Block > 0 {
		s.block, l.opens = l, !r.Standing
	}
	if l.opens {
		s.open.Add(1)
	}
	if r.Mutex > 0 {
		s.mutex = l
	}
	return l, nil
}

func (l *Lease) takeBlock(r Rates, foreign bool) {
	declared := r.Previous != 0
	if r.Previous > 0 {
		l.previous.block = r.Previous
	}
	switch {
	case r.Block <= 0:
		l.Block, l.Known = l.previous.block, declared
	case foreign && !declared:
		l.Notes = append(l.Notes, "the block profile was on before the first lease, at a rate that the runtime does not tell: "+
			"it is left as it is; declare it in probe.Options.BlockProfileRate to have it lent and put back")
	default:
		runtime.SetBlockProfileRate(r.Block)
		l.Block, l.Known, l.setBlock = r.Block, true, true
	}
}

func (l *Lease) takeMutex(fraction int) {
	l.previous.mutex = runtime.SetMutexProfileFraction(-1)
	l.Mutex = l.previous.mutex
	if fraction > 0 {
		runtime.SetMutexProfileFraction(fraction)
		l.Mutex, l.setMutex = fraction, true
		if l.previous.mutex > 0 && l.previous.mutex != fraction {
			l.Notes = append(l.Notes, fmt.Sprintf("the service records one in %d contentions: it is so again when the lease ends", l.previous.mutex))
		}
	}
}

// Release puts the previous rates back. Only the first call does anything.
//
// A mutex fraction that the service changed while it was lent stays: it is newer
// than the one remembered here.
func (l *Lease) Release() {
	l.state.mu.Lock()
	defer l.state.mu.Unlock()
	if l.state.block == l {
		if l.setBlock {
			runtime.SetBlockProfileRate(l.previous.block)
		}
		l.state.block = nil
	}
	if l.opens {
		l.opens = false
		l.state.open.Add(-1)
	}
	if l.state.mutex == l {
		if l.setMutex && runtime.SetMutexProfileFraction(-1) == l.Mutex {
			runtime.SetMutexProfileFraction(l.previous.mutex)
		}
		l.state.mutex = nil
	}
}

// rates returns what is known of the rates now.
func (s *state) rates() (block int, known bool, mutex int, leased bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mutex = runtime.SetMutexProfileFraction(-1)
	if s.block != nil {
		return s.block.Block, s.block.Known, mutex, true
	}
	if s.declared > 0 {
		block = s.declared
	}
	return block, s.declared != 0, mutex, s.mutex != nil
}
