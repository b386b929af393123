package selfcheck

import (
	"fmt"
	"time"
)

// Service is how a server behaves over time; all zero, it answers at once.
type Service struct {
	// The server stands still for the first Freeze of every Period: a request that
	// comes then is answered when the freeze ends.
	Period time.Duration
	Freeze time.Duration
	// Tick, when it is set, holds every answer until the next instant on a grid
	// of so many: those within a freeze fall away. A Period and a Freeze are whole
	// numbers of ticks.
	Tick time.Duration
	// Work is how long every answer takes without a freeze or a grid.
	Work time.Duration
}

// Check returns an error for a schedule that makes no sense.
func (s Service) Check() error {
	switch {
	case s.Period < 0 || s.Freeze < 0 || s.Tick < 0 || s.Work < 0:
		return fmt.Errorf("server schedule %+v: times must not be negative", s)
	case s.Freeze > 0 && s.Freeze >= s.Period:
		return fmt.Errorf("server schedule: a freeze of %v in every %v never ends: make it shorter", s.Freeze, s.Period)
	case s.Tick > 0 && (s.Freeze%s.Tick != 0 || s.Period%s.Tick != 0):
		return fmt.Errorf("server schedule: freeze %v and period %v are no whole number of ticks of %v", s.Freeze, s.Period, s.Tick)
	}
	return nil
}

// release returns when the answer to a request leaves that came at the instant
// at; both count from the start of the schedule.
func (s Service) release(at time.Duration) time.Duration {
	if s.Tick > 0 {
		next := (at/s.Tick + 1) * s.Tick
		// The freeze is open at both ends: the instants at which it begins and ends
		// are on the grid.
		if s.Freeze > 0 && next%s.Period > 0 && next%s.Period < s.Freeze {
			next += s.Freeze - next%s.Period
		}
		return next
	}
	at += s.Work
	if s.Freeze > 0 && at%s.Period < s.Freeze {
		return at - at%s.Period + s.Freeze
	}
	return at
}
