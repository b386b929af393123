package window

import (
	"context"
	"time"
)

// leadTimes is how many times as long as the first readings took there is for the second ones, and leastLead at least.
const (
	leadTimes = 3
	leastLead = 200 * time.Millisecond
)

// pace waits until a phase may begin.
func (o Options) pace(ctx context.Context, phase string) error {
	if o.Pace == nil {
		return nil
	}
	_, err := o.Pace(ctx, phase, 0)
	return err
}

// await waits for the instant of a window that is to begin at one. The first readings are from when the processes were made ready, seconds
// before it, and what counters say would be of those seconds too: they are taken anew as late as they can be. Where that could make
// the window late the first ones stay.
func (s *session) await(ctx context.Context) error {
	lead := max(leastLead, leadTimes*s.took)
	if s.o.Pace == nil || len(s.used.past) > 0 {
		return s.o.pace(ctx, "window")
	}
	left, err := s.o.Pace(ctx, "window", lead)
	if err != nil {
		return err
	}
	if left >= lead/2 {
		timed, cancel := context.WithTimeout(ctx, left*9/10)
		s.members.each(func(m *member) { m.again(timed) })
		cancel()
	}
	return s.o.pace(ctx, "window")
}

// again takes the first reading of the cumulative kinds anew, where that succeeds.
func (m *member) again(ctx context.Context) {
	for _, k := range cumulative {
		r := m.kind(k)
		if r.err != nil {
			continue
		}
		if b, err := m.endpoint.Read(ctx, k, 0); err == nil {
			r.base, r.start = b, time.Now()
		}
	}
}
