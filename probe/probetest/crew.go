package probetest

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The phases of a crew.
const (
	warming int32 = iota
	counting
	over
)

// patience is how long workers are waited for when one has failed: the others may
// wait for it for ever.
const patience = 10 * time.Second

// crew is the goroutines that call the function.
type crew struct {
	phase  atomic.Int32
	failed atomic.Pointer[failure] // the first
	slots  []slot
	all    sync.WaitGroup
	ended  sync.Once
}

// slot is one worker's count, alone on its cache lines: counting must not be the
// contention that is found.
type slot struct {
	n int64
	_ [120]byte
}

func newCrew(workers int) *crew { return &crew{slots: make([]slot, workers)} }

func (c *crew) start(f func(int)) {
	c.all.Add(len(c.slots))
	for i := range c.slots {
		go c.work(i, f)
	}
}

func (c *crew) work(worker int, f func(int)) {
	defer c.all.Done()
	var n int64
	returned := false
	defer func() {
		c.slots[worker].n = n
		if !returned {
			// nil when the goroutine was ended, by t.FailNow or t.SkipNow.
			c.fail(&failure{worker: worker, value: recover(), stack: debug.Stack()})
		}
	}()
	for c.phase.Load() != over {
		f(worker)
		if c.phase.Load() == counting {
			n++
		}
	}
	returned = true
}

func (c *crew) fail(f *failure) {
	c.failed.CompareAndSwap(nil, f)
	c.phase.Store(over)
}

func (c *crew) failure() *failure { return c.failed.Load() }

// sleep returns after d, or soon after a worker has failed. It looks every now and
// then because a sleep is in no block profile, and a wait on a channel would be
// there with the window's whole length.
func (c *crew) sleep(d time.Duration) {
	for end := time.Now().Add(d); c.failure() == nil; {
		left := time.Until(end)
		if left <= 0 {
			return
		}
		time.Sleep(min(left, 10*time.Millisecond))
	}
}

// stop ends the workers and waits for them, after a failure not for ever.
func (c *crew) stop() {
	c.phase.Store(over)
	c.ended.Do(c.wait)
}

func (c *crew) wait() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.all.Wait()
	}()
	for {
		select {
		case <-done:
			return
		case <-time.After(patience):
			if c.failure() != nil {
				return
			}
		}
	}
}

// operations is the number of calls that returned in the window. It may be asked
// for when every worker has stopped.
func (c *crew) operations() int64 {
	if c.failure() != nil {
		return 0
	}
	var sum int64
	for i := range c.slots {
		sum += c.slots[i].n
	}
	return sum
}

// failure is how a worker ended before its time.
type failure struct {
	worker int
	value  any // of its panic; nil if the goroutine was ended
	stack  []byte
}

// repeat does to the test's goroutine what was done to the worker's.
func (f *failure) repeat(t testing.TB) {
	t.Helper()
	switch {
	case f.value != nil:
		panic(fmt.Sprintf("probetest: worker %d: %v\n\n%s", f.worker, f.value, f.stack))
	case t.Failed():
		t.FailNow()
	case t.Skipped():
		t.SkipNow()
	default:
		t.Fatalf("probetest: worker %d was ended by runtime.Goexit:\n%s", f.worker, f.stack)
	}
}
