package window

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/unpark-go/unpark"
)

// Time holds a window in which nothing is profiled: no rates are leased and no profile is
// read. What the processes used is read from /proc, and runtime/metrics once at each end from
// those of o.Endpoints that have unpark's probe. Where o.Costs asks for it the load goes on for
// as long again, in whole seconds, and CPU, allocs and block of that stretch are among the
// contents; an endpoint that cannot be profiled leaves them out. It takes Duration, which may be
// a fraction of a second, Level, Generator, LoadStart, Processes, Throttled and Progress of the
// options.
func Time(ctx context.Context, o Options) (Contents, error) {
	if o.Generator == nil || o.Processes == nil || o.Duration <= 0 {
		return Contents{}, errors.New("time a window: it needs a length, load and the target's processes")
	}
	watch := startWatch(o.Processes, nil)
	defer watch.stop()
	s := newSession(o, watch)
	s.reach = figures
	s.members = s.members.probed()
	s.used.members = s.members
	stretch := s.hold(ctx)
	if err := ctx.Err(); err != nil {
		return Contents{}, fmt.Errorf("time a window: ended early: %w", err)
	}
	s.close(ctx)
	c := Contents{Window: s.used.window()}
	if o.Costs && o.Duration >= time.Second {
		taken := o.costs(ctx, watch)
		c.Profiles, c.Lost = taken.Profiles, taken.Lost
		for _, f := range taken.Window.Profiles { // how often, which is also by whom
			if f.Kind == unpark.KindCPU {
				c.Window.Profiles = append(c.Window.Profiles, f)
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return Contents{}, fmt.Errorf("time a window: ended early: %w", err)
	}
	watch.stop()
	waiting, cancel := context.WithTimeout(ctx, stragglers)
	defer cancel()
	measured := stretch.Load(waiting)
	c.Window.Load = &measured
	perRequest(&c.Window)
	return c, nil
}

// costs takes the profiles that tell where costs are, over a stretch of its own.
func (o Options) costs(ctx context.Context, w *watch) Contents {
	o.Rates.Mutex = 0 // the block profile has the waits
	o.Duration = o.Duration.Truncate(time.Second)
	s := newSession(o, w)
	s.reach = costs
	s.open(ctx)
	defer s.release()
	s.hold(ctx)
	s.close(ctx)
	return s.contents()
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
