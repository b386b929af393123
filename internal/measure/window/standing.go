package window

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
)

// Standing is what is lent and kept of a target for longer than one window: rates from
// before a load, and, for one that is guarded, readings and recordings of the last seconds.
type Standing struct {
	Notes  []string // why some processes are without, in words
	Writes []unpark.Write
	leases []*lease
	pasts  []*past // of a guarded target, in the order of the endpoints
}

// Stand sets rates before there is load. Switched on later, the mutex fraction can miss
// a saturated lock altogether: the runtime hands the time from which a
// queue's delay counts on from waiter to waiter (runtime/sema.go,
// semaRoot.dequeue), and 0 while the head of the queue came before the fraction
// was set, so that a queue which never drains is never charged.
func Stand(ctx context.Context, endpoints []*Endpoint, rates Rates, ttl time.Duration) *Standing {
	s := &Standing{}
	if rates.Mutex <= 0 && rates.Block <= 0 {
		return s
	}
	rates.standing = true
	for _, e := range endpoints {
		if e.Info == nil {
			continue
		}
		l, err := e.lease(ctx, rates, ttl)
		if err != nil {
			s.Notes = append(s.Notes, err.Error())
			continue
		}
		l.of = e
		s.leases, s.Writes = append(s.leases, l), append(s.Writes, l.Writes...)
	}
	return s
}

// Release gives everything back; safe on nil and to call twice.
func (s *Standing) Release() {
	if s == nil {
		return
	}
	for _, l := range s.leases {
		l.end()
	}
	s.leases = nil
	for _, p := range s.pasts {
		p.disarm()
	}
}

// Guard keeps the last seconds of processes whose past is to be known when something
// happens: from now on Keep reads them, and a window with Options.Since begins with what was
// read. With flight above 0 a flight recorder keeps so much of an execution trace, where
// a process has one.
func (s *Standing) Guard(ctx context.Context, endpoints []*Endpoint, flight, ttl time.Duration) {
	for _, e := range endpoints {
		p := &past{endpoint: e}
		if i := slices.IndexFunc(s.leases, func(l *lease) bool { return l.of == e }); i >= 0 {
			p.lease = s.leases[i]
		}
		s.pasts = append(s.pasts, p)
		if flight <= 0 || e.Info == nil || !e.Info.Flight {
			continue
		}
		h, err := e.arm(ctx, flight, ttl)
		if err != nil {
			s.Notes = append(s.Notes, err.Error())
			continue
		}
		p.flight, p.armed = h, time.Now()
	}
}

// Keep takes the readings that are due, of all processes at once. It is called about once
// a second; an error is that of the process which could not be read.
func (s *Standing) Keep(ctx context.Context) error {
	errs := make([]error, len(s.pasts))
	var wg sync.WaitGroup
	for i, p := range s.pasts {
		wg.Go(func() { errs[i] = p.keep(ctx, time.Now()) })
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			return fmt.Errorf("keep the last seconds of %s: %w", s.pasts[i].endpoint.Address, err)
		}
	}
	return nil
}

// Pause holds the goroutine profiles up while a window takes its own.
func (s *Standing) Pause(on bool) {
	for _, p := range s.pasts {
		p.mu.Lock()
		p.paused = on
		p.mu.Unlock()
	}
}

// of returns what was kept of an endpoint's process; nil when there is nothing.
func (s *Standing) of(e *Endpoint) *past {
	if s == nil {
		return nil
	}
	i := slices.IndexFunc(s.pasts, func(p *past) bool { return same(p.endpoint, e) })
	if i < 0 {
		return nil
	}
	return s.pasts[i]
}

// same reports whether two endpoints are of one process.
func same(e, other *Endpoint) bool {
	if e.Address != other.Address || e.PID != other.PID || (e.Info == nil) != (other.Info == nil) {
		return false
	}
	return e.Info == nil || e.Info.StartTicks == other.Info.StartTicks
}
