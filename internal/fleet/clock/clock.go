// Package clock tells how far the clock of another machine is from ours.
//
// A [Clock] goes on by the monotonic clock alone, so that a step of the wall clock in the
// middle of a load moves nothing. An offset is estimated from exchanges of four timestamps
// (RFC 5905, section 8), from those with the least round trip: what waited in no queue says
// most. Half of a lasting difference between the two directions of a path is in every
// estimate, and no exchange shows it.
package clock

import (
	"errors"
	"slices"
	"time"
)

// Clock is nanoseconds since 1970 by the wall clock at its start, and by the monotonic clock
// since then.
type Clock struct {
	base  time.Time
	shift time.Duration
}

// New starts a clock that is ahead of this machine's by shift, which is 0 but in tests: the
// wall clock is one for the whole machine (time namespaces have no CLOCK_REALTIME).
func New(shift time.Duration) *Clock { return &Clock{base: time.Now(), shift: shift} }

// Now reads the clock.
func (c *Clock) Now() int64 { return c.base.UnixNano() + int64(time.Since(c.base)) + int64(c.shift) }

// Time is the instant of this process at which the clock says so; it has a monotonic reading.
func (c *Clock) Time(at int64) time.Time {
	return c.base.Add(time.Duration(at-c.base.UnixNano()) - c.shift)
}

// At is what the clock says at an instant of this process.
func (c *Clock) At(t time.Time) int64 {
	return c.base.UnixNano() + int64(t.Sub(c.base)) + int64(c.shift)
}

// Exchange is one question and its answer: sent and received by our clock, and in between
// the other's when it came there and when it was answered.
type Exchange struct{ Sent, Came, Answered, Received int64 }

// offset is the other's clock less ours, where both directions took as long.
func (e Exchange) offset() int64 { return ((e.Came - e.Sent) + (e.Answered - e.Received)) / 2 }

// trip is the time on the way, there and back.
func (e Exchange) trip() int64 { return (e.Received - e.Sent) - (e.Answered - e.Came) }

// Offset is what exchanges tell of another clock.
type Offset struct {
	// Ahead is the other's clock less ours.
	Ahead time.Duration
	// Spread is the half width of the offsets among the exchanges that were fastest: what
	// chance on the way has done. Half of a lasting difference between there and back is
	// beside it.
	Spread time.Duration
	Trip   time.Duration // the least
	N      int
}

// fastest is the part of the exchanges that an offset is made of, at least two.
const fastest = 4

// Estimate makes an offset of at least two exchanges; of several it takes the fastest
// quarter.
func Estimate(all []Exchange) (Offset, error) {
	sane := slices.DeleteFunc(slices.Clone(all), func(e Exchange) bool { return e.trip() < 0 || e.Answered < e.Came })
	if len(sane) < 2 {
		return Offset{}, errors.New("compare clocks: fewer than two exchanges were answered: is the agent alive, and its link?")
	}
	slices.SortFunc(sane, func(a, b Exchange) int { return int(min(max(a.trip()-b.trip(), -1), 1)) })
	best := sane[:max(2, len(sane)/fastest)]
	low, high := best[0].offset(), best[0].offset()
	for _, e := range best {
		low, high = min(low, e.offset()), max(high, e.offset())
	}
	return Offset{
		Ahead: time.Duration(best[0].offset()), Spread: time.Duration((high - low) / 2),
		Trip: time.Duration(best[0].trip()), N: len(sane),
	}, nil
}
