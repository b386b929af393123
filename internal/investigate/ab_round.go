package investigate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// errVoid marks a round whose figures are not to be trusted.
var errVoid = errors.New("void")

// attempts is how often a round is made that is void or fails: a busy moment of
// the machine does not come twice, a broken service does.
const attempts = 2

// round runs both arms once, in an order that chance decides. A void round is
// repeated once and then left out; one that fails is repeated once and then ends
// the experiment.
func (e *experiment) round(ctx context.Context, identical bool) (Trial, error) {
	t := Trial{Round: len(e.pairs) + 1, Identical: identical}
	if identical {
		t.Round = len(e.identical) + 1
	}
	var err error
	for attempt := 1; attempt <= attempts; attempt++ {
		t.AfterFirst = e.chance.IntN(2) == 1
		if err = e.both(ctx, &t, attempt); err == nil {
			return t, nil
		}
		if ctx.Err() != nil {
			return t, err
		}
	}
	if !errors.Is(err, errVoid) {
		return t, fmt.Errorf("%s failed twice: %w", t, err)
	}
	t.LeftOut, e.void = err.Error(), err.Error()
	return t, nil
}

// String names the round in a sentence.
func (t Trial) String() string {
	if t.Identical {
		return fmt.Sprintf("round %d of identical arms", t.Round)
	}
	return fmt.Sprintf("round %d", t.Round)
}

// both runs the arms of a round; the first that gives no sample ends it.
func (e *experiment) both(ctx context.Context, t *Trial, attempt int) error {
	t.Before, t.After = nil, nil
	order := []int{0, 1}
	if t.AfterFirst {
		order = []int{1, 0}
	}
	for _, role := range order {
		arm := role
		if t.Identical {
			arm = 0
		}
		sample, err := e.measure(ctx, *t, arm, role, attempt)
		if err != nil {
			return fmt.Errorf("the arm %s: %w", e.name(arm), err)
		}
		if role == 0 {
			t.Before = sample
		} else {
			t.After = sample
		}
	}
	return nil
}

// measure times an arm once and writes down what came of it. In a round of
// identical arms role says for which of the two it stands.
func (e *experiment) measure(ctx context.Context, t Trial, arm, role, attempt int) (compare.Sample, error) {
	label := fmt.Sprintf("round %d %s", t.Round, e.name(arm))
	if t.Identical {
		label = fmt.Sprintf("floor %d %s", t.Round, e.name(arm))
	}
	started := time.Now()
	g := &gauge{start: e.yardstick}
	run, blind, err := e.timed(ctx, e.config(arm, label), e.arms[arm].blind, g)
	e.arms[arm].blind = blind
	var sample compare.Sample
	if err == nil {
		if sample, err = compare.Measure(run); err != nil && run.IsVoid() {
			err = fmt.Errorf("%w: %s: %s", errVoid, run.Void[0].Message, run.Void[0].Cure)
		}
	}
	if v, ok := g.piece.Get(); ok && err == nil {
		sample[compare.Yardstick] = v
	}
	kept := e.out.sample(abSample{
		Round: t.Round, Identical: t.Identical, Arm: e.name(arm), Role: e.name(role), AfterFirst: t.AfterFirst, Attempt: attempt,
		Seed: e.c.Seed, Started: started.UTC(), Sample: sample, Void: run.Void, Error: message(err),
	})
	if err == nil {
		err = kept
	}
	return sample, err
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// timer is the signature of timed.
type timer func(ctx context.Context, c Config, blind bool) (run unpark.Run, none bool, err error)

// timed starts the target, drives the load and measures one window without
// profiling. It reports whether the target has no probe; blind says that it is
// known to have none.
func timed(ctx context.Context, c Config, blind bool) (unpark.Run, bool, error) {
	return timedBeside(ctx, c, blind, nil)
}

// timedBeside is timed with a yardstick beside the window.
func timedBeside(ctx context.Context, c Config, blind bool, g *gauge) (unpark.Run, bool, error) {
	r := newRunner(c)
	none, err := r.timed(ctx, blind, g)
	if stopped := r.stop(); err == nil {
		err = stopped
	}
	return r.run, none, err
}

func (r *runner) timed(ctx context.Context, blind bool, g *gauge) (bool, error) {
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
	g.begin(r.targetCPUs(), seconds(r.run.Plan.Duration))
	w, err := r.time(ctx, found)
	g.end(w)
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
