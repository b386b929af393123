package investigate

import (
	"context"
	"fmt"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/load/external"
	"github.com/unpark-go/unpark/internal/measure/load/steady"
)

// driver puts the load on the service: with a generator of unpark's own, or with the
// user's command.
type driver struct {
	c         Config
	rec       *record
	service   *service
	plan      unpark.Plan // rec.run.Plan is what may be shown of it
	base      string      // of URLs, for a load command
	generator *load.Generator
	command   *external.Command // the generator that the user brought
	started   time.Time
}

// drive starts the generator and lets the service warm up.
func (d *driver) drive(ctx context.Context, plan unpark.Plan) error {
	g, err := load.Start(ctx, plan)
	if err != nil {
		return err
	}
	d.generator, d.started, d.service.loaded = g, time.Now(), true
	g.Begin("warmup")
	return d.warmUp(ctx, plan, nil)
}

// settle lets the load become steady where the plan asks how well its p99 is to be known,
// and makes the plan's window as long as that takes.
func (d *driver) settle(ctx context.Context, plan *unpark.Plan) (steady.Settled, error) {
	if plan.P99Within == 0 {
		return steady.Settled{}, nil
	}
	wait := func(ctx context.Context, seconds float64) error {
		return d.warmUp(ctx, unpark.Plan{Warmup: seconds}, nil)
	}
	s, err := steady.Settle(ctx, plan.P99Within, plan.Duration, steady.Blocks(d.generator, wait))
	if err != nil {
		return s, err
	}
	plan.Duration = s.Window
	d.rec.tell(Event{Phase: "steady", Detail: s.String()})
	return s, nil
}

// warmUp waits for the length of the warm-up, or until the load ends.
func (d *driver) warmUp(ctx context.Context, plan unpark.Plan, loadEnds <-chan struct{}) error {
	live := d.live()
	defer live.stop()
	live.phase("warm-up", seconds(plan.Warmup))
	timer := time.NewTimer(seconds(plan.Warmup))
	defer timer.Stop()
	select {
	case <-timer.C:
		return d.service.alive()
	case <-loadEnds:
		return d.service.alive()
	case <-ctx.Done():
		return fmt.Errorf("warm up: %w", ctx.Err())
	case <-d.service.died():
		return d.service.alive()
	}
}

// end ends the load of unpark's own generator.
func (d *driver) end() {
	if d.generator != nil {
		d.generator.Stop()
		d.generator = nil
	}
}

// stop ends all load; safe to call at any point. By now the summary of a load command
// is not waited for.
func (d *driver) stop() error {
	d.end()
	if d.command == nil {
		return nil
	}
	hurry, cancel := context.WithCancel(context.Background())
	cancel()
	err := d.command.Stop(hurry)
	d.command = nil
	return err
}
