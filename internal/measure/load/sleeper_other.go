//go:build !linux

package load

import (
	"sync"
	"time"
)

// sleeper is a Go timer where there is no timerfd: late by up to a millisecond,
// which shows as lag.
type sleeper struct {
	done chan struct{}
	once sync.Once
}

func newSleeper() (*sleeper, error) { return &sleeper{done: make(chan struct{})}, nil }

// sleep waits for d, or until close.
func (s *sleeper) sleep(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.done:
	}
}

// close ends a sleep.
func (s *sleeper) close() { s.once.Do(func() { close(s.done) }) }
