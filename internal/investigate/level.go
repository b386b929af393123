package investigate

import (
	"context"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// level drives one load level and measures its window.
func (r *runner) level(ctx context.Context, i int, plan unpark.Plan) (window.Contents, error) {
	if r.c.Agents != nil {
		return r.byAgents(ctx, i, plan)
	}
	if i == 0 {
		collect(ctx, r.service)
	}
	switch plan.Mode {
	case unpark.NoLoad:
		return r.measure(ctx, i, plan, nil)
	case unpark.External:
		return r.underCommand(ctx, i, plan)
	}
	if err := r.load.drive(ctx, plan); err != nil {
		return window.Contents{}, err
	}
	defer r.load.end()
	settled, err := r.load.settle(ctx, &plan)
	if err != nil {
		return window.Contents{}, err
	}
	contents, err := r.measure(ctx, i, plan, nil)
	if l := contents.Window.Load; l != nil && plan.P99Within > 0 {
		var notices []unpark.Notice
		l.Precision, notices = settled.Judge(*l, contents.Window.Timeline)
		contents.Warnings = append(contents.Warnings, notices...)
	}
	if l := contents.Window.Load; err == nil && l != nil {
		r.rec.tell(Event{Phase: "measured", Load: l})
	}
	return contents, err
}

// measure takes the window of one level, whatever drives the load. When cut is closed
// the window is over: there is no load any more.
func (r *runner) measure(ctx context.Context, i int, plan unpark.Plan, cut <-chan struct{}) (window.Contents, error) {
	found, err := r.service.endpoints(ctx)
	if err != nil {
		return window.Contents{}, err
	}
	defer closeAll(found)
	o := window.Options{
		Throttled: r.service.throttled,
		Name:      windowName(i),
		Duration:  seconds(plan.Duration), Baseline: r.c.Baseline, Trace: r.c.Trace, TraceMost: r.traceMost(), Rates: r.c.Rates,
		Level: plan.Level(), Endpoints: found, Create: r.dir.Create, Since: r.c.Since,
		Generator: r.load.generator, LoadStart: r.load.started, Cut: cut,
	}
	if r.service.target != nil {
		o.Processes, o.Throttled = r.service.target.Processes, r.service.target.Throttled
	}
	live := r.load.live()
	defer live.stop()
	opened, joined := r.alongside(ctx, o)
	o.Progress = func(phase string, length time.Duration) {
		if phase == "window" {
			opened()
		}
		live.phase(phase, length)
	}
	defer joined()
	inside, cancel := r.service.untilItDies(ctx)
	defer cancel()
	measured := r.gauge(o.Duration)
	contents, err := window.Measure(inside, o)
	measured(&contents.Window)
	builds(contents.Window.Processes, r.rec.run.Target.Elsewhere)
	r.rec.wrote(contents.Writes)
	if r.load.generator != nil && len(contents.Window.Timeline) == 0 {
		contents.Window.Timeline = r.load.generator.Ticks()
	}
	if dead := r.service.alive(); dead != nil {
		err = dead
	}
	return contents, err
}

// traceMost is how long a trace may become. A load command was given a time at which it may end,
// and a sweep would take that much longer at each level.
func (r *runner) traceMost() time.Duration {
	if m := r.rec.run.Plan.Mode; m == unpark.External || m == unpark.Sweep {
		return min(r.c.TraceMost, r.c.Trace)
	}
	return r.c.TraceMost
}
