package window

import (
	"context"
	"errors"
	"fmt"

	"github.com/unpark-go/unpark"
)

// Time holds a window in which nothing is profiled: no rates are leased and no
// profile is read. What the processes used is read from /proc, and runtime/metrics
// once at each end from those of o.Endpoints that have unpark's probe. It takes
// Duration, which may be a fraction of a second, Level, Generator, LoadStart,
// Processes, Throttled and Progress of the options.
func Time(ctx context.Context, o Options) (unpark.Window, error) {
	if o.Generator == nil || o.Processes == nil || o.Duration <= 0 {
		return unpark.Window{}, errors.New("time a window: it needs a length, load and the target's processes")
	}
	watch := startWatch(o.Processes, nil)
	defer watch.stop()
	u := usage{o: o, watch: watch}
	for _, e := range o.Endpoints {
		if e.Info != nil {
			u.members = append(u.members, &member{endpoint: e})
		}
	}
	u.members.each(func(m *member) { m.pages[0], _ = m.endpoint.metrics(ctx) })
	stretch := o.begin("window", o.Duration)
	u.begin()
	if err := sleep(ctx, o.Duration); err != nil {
		return unpark.Window{}, fmt.Errorf("time a window: ended early: %w", err)
	}
	u.finish()
	o.closeStretch()
	u.members.each(func(m *member) { m.pages[1], _ = m.endpoint.metrics(ctx) })
	watch.stop()

	w := u.window()
	waiting, cancel := context.WithTimeout(ctx, stragglers)
	defer cancel()
	measured := stretch.Load(waiting)
	w.Load = &measured
	perRequest(&w)
	return w, nil
}
