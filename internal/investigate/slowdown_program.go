package investigate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
	slow "github.com/unpark-go/unpark/internal/judge/slowdown"
	"github.com/unpark-go/unpark/internal/measure/target/build"
)

// attempts is how often a round of an experiment is measured that is void (as turns.Attempts).
// Unit: times. Source: convention.
const attempts = 2

// program is the service with the calls of delays in it.
type program struct {
	c     Config
	rec   *record
	timed timer
	plan  unpark.Plan     // of a round
	dir   string          // of the binary and the logs
	built *build.Folder   // the same
	took  []time.Duration // of arms
}

func (p *program) binary() string { return filepath.Join(p.dir, build.Binary("target")) }

// twice measures an arm, and again when that fails.
func (p *program) twice(ctx context.Context, at places, a arm, label string) (m measured, err error) {
	for range attempts {
		began := time.Now()
		if m, err = p.measure(ctx, at, a, label); err == nil {
			p.took = append(p.took, time.Since(began))
			return m, nil
		}
		if ctx.Err() != nil {
			break
		}
	}
	return measured{}, err
}

// oneArm is how long an arm took so far, on average.
func (p *program) oneArm() time.Duration {
	var sum time.Duration
	for _, d := range p.took {
		sum += d
	}
	return max(sum/time.Duration(max(1, len(p.took))), time.Millisecond)
}

// measured is one arm of one round.
type measured struct {
	points map[*slowed]slow.Point
	others unpark.Number // cores that were neither the service's nor the generator's
	full   bool          // the machine had next to none left
}

// measure runs the service once and returns what each place counted.
func (p *program) measure(ctx context.Context, at places, a arm, label string) (measured, error) {
	logs, err := os.MkdirTemp(p.dir, "logs-")
	if err != nil {
		return measured{}, fmt.Errorf("make a folder for the logs: %w: set TMPDIR to a place with space", err)
	}
	c := p.c
	c.Built, c.Plan = p.binary(), p.plan
	c.Env = append([]string{}, c.Env...)
	for _, s := range at {
		var spin time.Duration
		if a.place == s {
			spin = s.doses.Spin[a.dose-1]
		}
		c.Env = append(c.Env, s.delay.Env(spin, s.doses.Every, logs)...)
	}
	c.Progress = func(v Event) {
		p.rec.tell(Event{Phase: "experiment", Detail: strings.Join([]string{label, a.String(), v.Phase}, ", "), Left: v.Left, Live: v.Live})
	}
	run, _, err := p.timed(ctx, c, false, nil)
	if err != nil {
		return measured{}, err
	}
	sample, err := compare.Measure(run)
	if err != nil {
		return measured{}, err
	}
	w := *run.Measured()
	points, err := at.points(w, sample, logs)
	return measured{points, w.OtherCores(w.TargetCores()), w.Machine.Busy.Or(0) > full*float64(w.Machine.CPUs)}, err
}
