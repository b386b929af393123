// Package rate stands in for golang.org/x/time/rate: a limiter of one event per
// interval whose Wait parks as the real one's does, in a select over a timer.
package rate

import (
	"context"
	"sync"
	"time"
)

// Limiter lets one event pass per interval.
type Limiter struct {
	mu       sync.Mutex
	next     time.Time
	interval time.Duration
}

// NewLimiter returns a limiter whose first event passes at once.
func NewLimiter(interval time.Duration) *Limiter { return &Limiter{interval: interval} }

// Wait blocks until an event may pass.
func (l *Limiter) Wait(ctx context.Context) error { return l.wait(ctx, l.reserve()) }

func (l *Limiter) reserve() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if l.next.Before(now) {
		l.next = now
	}
	delay := l.next.Sub(now)
	l.next = l.next.Add(l.interval)
	return delay
}

func (l *Limiter) wait(ctx context.Context, delay time.Duration) error {
	if delay == 0 {
		return nil
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
