package investigate

import (
	"context"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/target/confine"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// Beside is what measures the machine beside a timed window.
type Beside interface {
	// Begin starts it on the processors that the target may use, right before a window
	// of that length.
	Begin(cpus []int, window time.Duration)
	// End stops it after the window.
	End(w unpark.Window)
}

// timer is the signature of Time.
type timer func(ctx context.Context, c Config, blind bool, beside Beside) (run unpark.Run, none bool, err error)

var _ timer = Time

// Time starts the target, drives the load and measures one window without profiling:
// the run has neither a directory nor findings, and is void where its figures are not
// to be trusted. It reports whether the target has no probe; blind says that it is
// known to have none, and beside may be nil. Its errors are those of Run.
func Time(ctx context.Context, c Config, blind bool, beside Beside) (run unpark.Run, none bool, err error) {
	r := newRunner(c)
	none, err = r.timed(ctx, blind, beside)
	if stopped := r.stop(); err == nil {
		err = stopped
	}
	return r.run, none, err
}

func (r *runner) timed(ctx context.Context, blind bool, beside Beside) (bool, error) {
	if err := r.start(ctx); err != nil {
		return blind, err
	}
	var found []*window.Endpoint
	if !blind {
		found = r.sockets(ctx, probeGrace)
		defer closeAll(found)
	}
	none := len(found) == 0
	r.introduce(found)
	if err := r.plan(ctx); err != nil {
		return none, err
	}
	if err := r.drive(ctx, r.driven); err != nil {
		return none, err
	}
	if beside != nil {
		beside.Begin(r.targetCPUs(), seconds(r.run.Plan.Duration))
	}
	w, err := r.time(ctx, found)
	if beside != nil {
		beside.End(w)
	}
	if dead := r.alive(); dead != nil {
		err = dead
	}
	if err != nil {
		return none, err
	}
	r.run.Windows = []unpark.Window{w}
	r.judge(w)
	return none, nil
}

// time holds the window under the load that goes on.
func (r *runner) time(ctx context.Context, found []*window.Endpoint) (unpark.Window, error) {
	live := r.live()
	defer live.stop()
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
	return window.Time(inside, window.Options{
		Duration: seconds(r.run.Plan.Duration), Level: r.run.Plan.Level(), Endpoints: found,
		Generator: r.generator, LoadStart: r.loadStart, Progress: live.phase,
		Processes: r.target.Processes, Throttled: r.target.Throttled,
	})
}

// judge says whether the figures of a timed window may be trusted.
func (r *runner) judge(w unpark.Window) {
	used := w.Total(func(p unpark.Process) unpark.Number { return p.Cores })
	allowed := r.run.Target.Cores(r.run.Host, w)
	r.run.Void, r.run.Warnings = load.Judge(*w.Load, load.Conditions{
		CPUs: w.Machine.GeneratorCPUs, Quota: w.Machine.GeneratorQuota, Shared: r.shared(),
		TargetCores: used, TargetAllowed: allowed,
		Machine: w.Machine.Busy, Steal: w.Machine.Steal,
	})
}

// targetCPUs are the processors that the target may use, whose neighbours it feels.
func (r *runner) targetCPUs() []int {
	if len(r.run.Target.CPUs) > 0 {
		return r.run.Target.CPUs
	}
	return confine.Allowed()
}
