package window

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Time holds a window for its figures. What the processes used is read from /proc, and
// runtime/metrics once at each end from those of o.Endpoints that have unpark's probe. Nothing is
// profiled and no rates are leased, unless o.Costs asks for the cheap kinds: then CPU, allocs and
// block are among the contents of a window of a second or more, of as many whole seconds as it
// has, and an endpoint that cannot be profiled leaves them out. It takes Duration, which may be a
// fraction of a second, Level, Generator, LoadStart, Processes, Throttled and Progress of the
// options.
func Time(ctx context.Context, o Options) (Contents, error) {
	if o.Generator == nil || o.Processes == nil || o.Duration <= 0 {
		return Contents{}, errors.New("time a window: it needs a length, load and the target's processes")
	}
	watch := startWatch(o.Processes, nil)
	defer watch.stop()
	o.Rates.Mutex = 0 // the block profile has the waits
	s := newSession(o, watch)
	s.reach = figures
	if o.Costs && o.Duration >= time.Second {
		s.reach = costs
		s.open(ctx)
		defer s.release()
	} else {
		s.members = s.members.probed()
		s.used.members = s.members
	}
	stretch := s.hold(ctx)
	if err := ctx.Err(); err != nil {
		return Contents{}, fmt.Errorf("time a window: ended early: %w", err)
	}
	s.close(ctx)
	s.release()
	watch.stop()

	c := Contents{Window: s.used.window()}
	if s.reach == costs {
		c = s.contents()
		c.Warnings = nil // of rounds, one that lacks a profile is left out without a word
	}
	waiting, cancel := context.WithTimeout(ctx, stragglers)
	defer cancel()
	measured := stretch.Load(waiting)
	c.Window.Load = &measured
	perRequest(&c.Window)
	return c, nil
}

// probed returns the members whose endpoint is unpark's probe.
func (ms members) probed() members {
	var out members
	for _, m := range ms {
		if m.endpoint.Info != nil {
			out = append(out, m)
		}
	}
	return out
}
