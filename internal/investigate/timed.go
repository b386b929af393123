package investigate

import (
	"context"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/profile"
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

// Time starts the target, drives the load and measures one window, without profiling
// unless c.Costs: the run has neither a directory nor findings, and is void where its
// figures are not to be trusted. It reports whether the target has no probe; blind says that it is
// known to have none, and beside may be nil. Its errors are those of Run.
func Time(ctx context.Context, c Config, blind bool, beside Beside) (run unpark.Run, none bool, err error) {
	r := newRunner(c)
	none, err = r.timed(ctx, blind, beside)
	if stopped := r.stop(); err == nil {
		err = stopped
	}
	return r.rec.run, none, err
}

func (r *runner) timed(ctx context.Context, blind bool, beside Beside) (bool, error) {
	if err := r.service.start(ctx); err != nil {
		return blind, err
	}
	var found []*window.Endpoint
	if !blind {
		found = r.service.sockets(ctx, probeGrace)
		defer closeAll(found)
	}
	none := len(found) == 0
	if none && r.c.Costs {
		found = r.service.plain(ctx)
		defer closeAll(found)
	}
	r.service.introduce(found)
	if err := r.load.prepare(ctx); err != nil {
		return none, err
	}
	if err := r.load.drive(ctx, r.load.plan); err != nil {
		return none, err
	}
	if beside != nil {
		beside.Begin(r.service.cpus(), seconds(r.rec.run.Plan.Duration))
	}
	contents, err := r.time(ctx, found)
	w := contents.Window
	if beside != nil {
		beside.End(w)
	}
	if dead := r.service.alive(); dead != nil {
		err = dead
	}
	if err != nil {
		return none, err
	}
	r.rec.run.Windows = []unpark.Window{w}
	r.judge(w)
	t := r.rec.run.Target
	catalogue := profile.NewCatalogue(t.Module, t.Own...)
	for _, k := range unpark.Kinds() {
		if ps := contents.Profiles[k]; len(ps) > 0 && contents.Lost[k] == 0 {
			r.rec.run.Flames = append(r.rec.run.Flames, profile.Merge(ps...).Flame(catalogue))
		}
	}
	return none, nil
}

// plain finds the net/http/pprof endpoints of a target without a probe. Rounds count
// without them.
func (s *service) plain(ctx context.Context) []*window.Endpoint {
	if len(s.c.Pprof) == 0 {
		return s.ports(ctx)
	}
	found, err := s.named(ctx)
	if err != nil {
		return nil
	}
	return found
}

// time holds the window under the load that goes on.
func (r *runner) time(ctx context.Context, found []*window.Endpoint) (window.Contents, error) {
	live := r.load.live()
	defer live.stop()
	inside, cancel := r.service.untilItDies(ctx)
	defer cancel()
	return window.Time(inside, window.Options{
		Duration: seconds(r.rec.run.Plan.Duration), Level: r.rec.run.Plan.Level(), Endpoints: found,
		Costs: r.c.Costs, CostsHertz: r.c.CostsHertz, Rates: r.c.Rates,
		Generator: r.load.generator, LoadStart: r.load.started, Progress: live.phase,
		Processes: r.service.target.Processes, Throttled: r.service.target.Throttled,
	})
}

// judge says whether the figures of a timed window may be trusted.
func (r *runner) judge(w unpark.Window) {
	used := w.Total(func(p unpark.Process) unpark.Number { return p.Cores })
	allowed := r.rec.run.Target.Cores(r.rec.run.Host, w)
	r.rec.run.Void, r.rec.run.Warnings = load.Judge(*w.Load, load.Conditions{
		CPUs: w.Machine.GeneratorCPUs, Quota: w.Machine.GeneratorQuota, Shared: r.service.shared(),
		TargetCores: used, TargetAllowed: allowed,
		Machine: w.Machine.Busy, Steal: w.Machine.Steal,
	})
}
