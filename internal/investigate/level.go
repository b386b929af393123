package investigate

import (
	"context"
	"fmt"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// level drives one load level and measures its window.
func (r *runner) level(ctx context.Context, i int, plan unpark.Plan) (window.Contents, error) {
	switch plan.Mode {
	case unpark.NoLoad:
		return r.measure(ctx, i, plan, nil)
	case unpark.External:
		return r.underCommand(ctx, i, plan)
	}
	if err := r.drive(ctx, plan); err != nil {
		return window.Contents{}, err
	}
	defer func() {
		r.generator.Stop()
		r.generator = nil
	}()
	contents, err := r.measure(ctx, i, plan, nil)
	if l := contents.Window.Load; err == nil && l != nil {
		r.tell(Event{Phase: "measured", Load: l})
	}
	return contents, err
}

// measure takes the window of one level, whoever drives the load. When cut is closed
// the window is over: there is no load any more.
func (r *runner) measure(ctx context.Context, i int, plan unpark.Plan, cut <-chan struct{}) (window.Contents, error) {
	found, err := r.endpoints(ctx)
	if err != nil {
		return window.Contents{}, err
	}
	defer closeAll(found)
	o := window.Options{
		Throttled: r.throttled,
		Name:      fmt.Sprintf("window-%02d", i+1),
		Duration:  seconds(plan.Duration), Baseline: r.c.Baseline, Trace: r.c.Trace, TraceMost: r.traceMost(), Rates: r.c.Rates,
		Level: plan.Level(), Endpoints: found, Create: r.dir.Create,
		Generator: r.generator, LoadStart: r.loadStart, Cut: cut,
	}
	if r.target != nil {
		o.Processes, o.Throttled = r.target.Processes, r.target.Throttled
	}
	live := r.live()
	defer live.stop()
	o.Progress = live.phase
	// A dead target has nothing more to show: its window ends at once.
	inside, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-r.died():
			cancel()
		case <-inside.Done():
		}
	}()
	contents, err := window.Measure(inside, o)
	if r.generator != nil && len(contents.Window.Timeline) == 0 {
		contents.Window.Timeline = r.generator.Ticks()
	}
	if dead := r.alive(); dead != nil {
		err = dead
	}
	return contents, err
}

// traceMost is how long a trace may become. A load command was told when it may end,
// and a sweep would take that much longer at each level.
func (r *runner) traceMost() time.Duration {
	if m := r.run.Plan.Mode; m == unpark.External || m == unpark.Sweep {
		return min(r.c.TraceMost, r.c.Trace)
	}
	return r.c.TraceMost
}

// drive starts the generator and lets the service warm up.
func (r *runner) drive(ctx context.Context, plan unpark.Plan) error {
	g, err := load.Start(ctx, plan)
	if err != nil {
		return err
	}
	r.generator, r.loadStart = g, time.Now()
	g.Begin("warmup")
	return r.warmUp(ctx, plan, nil)
}

// warmUp waits for the length of the warm-up, or until the load ends.
func (r *runner) warmUp(ctx context.Context, plan unpark.Plan, loadEnds <-chan struct{}) error {
	live := r.live()
	defer live.stop()
	live.phase("warm-up", seconds(plan.Warmup))
	timer := time.NewTimer(seconds(plan.Warmup))
	defer timer.Stop()
	select {
	case <-timer.C:
		return r.alive()
	case <-loadEnds:
		return r.alive()
	case <-ctx.Done():
		return fmt.Errorf("warm up: %w", ctx.Err())
	case <-r.died():
		return r.alive()
	}
}

func (r *runner) died() <-chan struct{} {
	if r.target == nil {
		return nil
	}
	return r.target.Done()
}

// alive tells whether the target died by itself.
func (r *runner) alive() error {
	if r.target == nil {
		return nil
	}
	select {
	case <-r.target.Done():
		when := "before there was load"
		if r.loaded || r.generator != nil || r.loader != nil {
			when = "under load"
		}
		return fmt.Errorf("the target died %s: %w: %s; its last output:\n%s", when, r.target.ExitError(), r.target.EndCure(), r.target.LastOutput())
	default:
		return nil
	}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
