package investigate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
	slow "github.com/unpark-go/unpark/internal/judge/slowdown"
)

// errVoid marks an arm whose figures are not to be trusted.
var errVoid = errors.New("void")

// attempts is how often an arm is measured that is void or fails: a busy moment of the
// machine does not come twice, a broken service does.
const attempts = 2

// twice measures an arm, and again when that fails.
func (x *slowdown) twice(ctx context.Context, a arm, label string) (m measured, err error) {
	for range attempts {
		began := time.Now()
		if m, err = x.measure(ctx, a, label); err == nil {
			x.took = append(x.took, time.Since(began))
			return m, nil
		}
		if ctx.Err() != nil {
			break
		}
	}
	return measured{}, err
}

// measured is one arm of one round.
type measured struct {
	points map[*slowed]slow.Point
	others unpark.Number // cores that were neither the service's nor the generator's
	full   bool          // the machine had next to none left
}

// measure runs the service once and returns what each place counted.
func (x *slowdown) measure(ctx context.Context, a arm, label string) (measured, error) {
	logs, err := os.MkdirTemp(x.dir, "logs-")
	if err != nil {
		return measured{}, fmt.Errorf("make a folder for the logs: %w: set TMPDIR to a place with space", err)
	}
	c := x.c
	c.Built, c.Plan = x.binary(), x.plan
	c.Env = append([]string{}, c.Env...)
	for _, p := range x.places {
		var spin time.Duration
		if a.place == p {
			spin = p.doses.Spin[a.dose-1]
		}
		c.Env = append(c.Env, p.delay.Env(spin, p.doses.Every, logs)...)
	}
	c.Progress = func(v Event) {
		x.rec.tell(Event{Phase: "experiment", Detail: strings.Join([]string{label, a.String(), v.Phase}, ", "), Left: v.Left, Live: v.Live})
	}
	run, _, err := x.timed(ctx, c, false, nil)
	if err != nil {
		return measured{}, err
	}
	sample, err := compare.Measure(run)
	if err != nil {
		if run.IsVoid() {
			err = fmt.Errorf("%w: %s", errVoid, run.Void[0].Message)
		}
		return measured{}, err
	}
	w := *run.Measured()
	points, err := x.points(w, sample, logs)
	return measured{points, others(w), w.Machine.Busy.Or(0) > full*float64(w.Machine.CPUs)}, err
}

// others is how many cores were neither the service's nor the generator's. The
// kernel's work for them is charged to nobody and is among it.
func others(w unpark.Window) unpark.Number {
	busy, ok := w.Machine.Busy.Get()
	if !ok || w.Load == nil {
		return unpark.Number{}
	}
	busy -= w.Load.GeneratorCPU.Or(0)
	for _, p := range w.Processes {
		cores, known := p.Cores.Get()
		if !known {
			return unpark.Number{}
		}
		busy -= cores
	}
	return unpark.Num(max(0, busy))
}

// points reads what the delays logged in a window.
func (x *slowdown) points(w unpark.Window, sample compare.Sample, logs string) (map[*slowed]slow.Point, error) {
	out := map[*slowed]slow.Point{}
	for _, p := range x.places {
		names, err := filepath.Glob(filepath.Join(logs, p.delay.Logs()))
		if err != nil || len(names) == 0 {
			return nil, fmt.Errorf("the service wrote no log of the delay at %s: it must keep its environment, and may write to %s", p.site.Place(), logs)
		}
		point := slow.Point{Gap: 1 / sample["throughput"], CPU: sample["cpu_per_request"]}
		for _, name := range names {
			calls, spent, err := logged(name, w)
			if err != nil {
				return nil, err
			}
			point.Calls += calls / float64(w.Load.Requests)
			point.Delay += spent / float64(w.Load.Requests)
		}
		out[p] = point
	}
	return out, nil
}

// logged reads one process's log over a window.
func logged(name string, w unpark.Window) (calls, spent float64, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	l, err := slow.ReadLog(f)
	if err != nil {
		return 0, 0, err
	}
	calls, spent = l.Between(w.Start, w.End)
	return calls, spent, nil
}
