package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/labs/expect"
	"github.com/unpark-go/unpark/labs/score/arms"
)

// trial is a step of a lab in one repeat: what a run of the arm before forecasts, and
// what rounds of both arms measure.
type trial struct {
	lab    expect.Lab
	step   expect.Step
	repeat int
}

func (t trial) String() string { return fmt.Sprintf("%s #%d", t.name(), t.repeat) }

func (t trial) name() string {
	return fmt.Sprintf("%s/%s → %s", t.lab.Name, t.step.Before, t.step.After)
}

// trials lists every step, whole repeats after one another.
func trials(labs []expect.Lab, repeats int, only *regexp.Regexp) []trial {
	var out []trial
	for repeat := range repeats {
		for _, lab := range labs {
			for _, step := range lab.Steps {
				if t := (trial{lab, step, repeat + 1}); only == nil || only.MatchString(t.name()) {
					out = append(out, t)
				}
			}
		}
	}
	return out
}

// tried is a trial with what came of it.
type tried struct {
	trial
	run       *unpark.Run // of the arm before; nil when it failed
	forecasts []unpark.Forecast
	left      string // why there is nothing to judge; empty when there is
	failed    bool   // for a reason that another time may not have
}

// judge carries trials out; it returns those that are done when it is interrupted,
// with the reason.
func (s *session) judge(ctx context.Context, all []trial) ([]tried, error) {
	var out []tried
	for i, t := range all {
		begin := time.Now()
		done, err := s.judgeOne(ctx, t)
		if err != nil {
			return out, err
		}
		out = append(out, done)
		fmt.Fprintf(s.log, "%3d/%d  %-44s %3.0f s  %s\n", i+1, len(all), t, time.Since(begin).Seconds(), done.says())
	}
	return out, nil
}

func (s *session) judgeOne(ctx context.Context, t trial) (tried, error) {
	out := tried{trial: t}
	before := attempt{t.lab, t.step.Before, t.lab.Arms[t.step.Before], t.repeat}
	o, _, err := s.once(ctx, before)
	if err != nil {
		return out, err
	}
	if out.left, out.failed = unusable(before.arm, o); out.left != "" {
		return out, nil
	}
	out.run, out.forecasts = o.run, t.step.Promises(*o.run)
	if out.left = t.step.Silent(*o.run); out.left != "" {
		return out, nil
	}
	rate := ""
	if arms.Calibrated(before.arm) {
		rate = s.rates[rateKey(before)]
	}
	rounds, err := s.turns(ctx, t, rate)
	if err != nil {
		return out, err
	}
	if rounds.rounds == nil {
		out.left, out.failed = "no outcome: "+rounds.Failed, true
		return out, nil
	}
	for i, f := range out.forecasts {
		out.forecasts[i] = expect.Came(f, effect(*rounds.rounds, f.Metric))
	}
	return out, nil
}

// unusable says why nothing is forecast from a run.
func unusable(arm expect.Arm, o outcome) (why string, failed bool) {
	switch {
	case o.Skipped != "":
		return o.Skipped, false
	case o.run == nil:
		return "no forecast: " + o.Failed, true
	case noAnswer(arm, *o.run):
		return "no forecast: the run was void, or something else had the processors, twice", true
	default:
		return "", false
	}
}

// effect is the change of a metric, after ÷ before; unknown where there is none.
func effect(c unpark.Comparison, metric string) unpark.Quantity {
	for _, e := range c.Effects {
		if e.Metric == metric {
			return e.Ratio
		}
	}
	return unpark.Quantity{}
}

// turns runs both arms of a step in rounds unless the journal has it, and once more
// when no round counts.
func (s *session) turns(ctx context.Context, t trial, rate string) (outcome, error) {
	o := outcome{Lab: t.lab.Name, Arm: t.step.Before, After: t.step.After, Repeat: t.repeat, Commit: s.commit, Rate: rate}
	var err error
	if o.Fingerprint, err = s.mark(t); err != nil {
		return o, err
	}
	if done, ok := s.journal.have[o.key()]; ok && done.Rate == rate {
		return done, nil
	}
	for o.Tries < 2 && o.rounds == nil {
		o.Tries++
		o.Failed = ""
		if err := s.turnsOnce(ctx, t, &o); err != nil {
			o.Failed = err.Error()
		}
		if ctx.Err() != nil {
			return o, ctx.Err()
		}
	}
	return o, s.journal.add(o)
}

// mark names what the rounds of a step are made of.
func (s *session) mark(t trial) (string, error) {
	before, err := s.bench.Fingerprint(t.lab, t.lab.Arms[t.step.Before], s.Settings)
	if err != nil {
		return "", err
	}
	after, err := s.bench.Fingerprint(t.lab, t.lab.Arms[t.step.After], s.Settings)
	return fmt.Sprintf("%s-%s-%d×%v+%v", before, after, s.length.Rounds, s.length.Duration, s.length.Warmup), err
}

func (s *session) turnsOnce(ctx context.Context, t trial, o *outcome) error {
	unlock, err := lock(ctx, s.lock)
	if err != nil {
		return err
	}
	defer unlock()
	o.At = time.Now().UTC()
	o.Dir = filepath.Join(s.work, "rounds", fmt.Sprintf("%s-%s-%s-%d", t.lab.Name, t.step.Before, t.step.After, t.repeat))
	if err := os.RemoveAll(o.Dir); err != nil {
		return err
	}
	res, err := s.bench.Rounds(ctx, arms.Rounds{
		Lab: t.lab, Before: t.lab.Arms[t.step.Before], After: t.lab.Arms[t.step.After], Rate: o.Rate, Dir: o.Dir, Length: s.length,
	}, io.Discard)
	if err != nil {
		return err
	}
	o.Exit, o.Seconds = res.Exit, res.Seconds
	// 3 says that a metric is worse, which is an outcome as well.
	if res.Exit != 0 && res.Exit != 3 {
		return fmt.Errorf("unpark ab ended with status %d: %s", res.Exit, res.Said)
	}
	return o.load()
}
