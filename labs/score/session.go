package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/labs/expect"
	"github.com/unpark-go/unpark/labs/score/arms"
)

// session carries out a plan.
type session struct {
	options
	bench   *arms.Bench
	journal *journal
	commit  string
	log     io.Writer
	rates   map[string]string // of a lab in a repeat
}

// carryOut runs what the journal has not. It returns what is done when it is
// interrupted, with the reason.
func (s *session) carryOut(ctx context.Context, p plan) ([]outcome, error) {
	var out []outcome
	for i, a := range p {
		o, fresh, err := s.once(ctx, a)
		if err != nil {
			return out, err
		}
		out = append(out, o)
		if fresh {
			s.tell(i+1, len(p), a, o)
		}
	}
	return out, nil
}

// once runs one arm unless the journal has it. An error means that the session
// cannot go on.
func (s *session) once(ctx context.Context, a attempt) (_ outcome, fresh bool, err error) {
	fingerprint, err := s.bench.Fingerprint(a.lab, a.arm, s.Settings)
	if err != nil {
		return outcome{}, false, err
	}
	o := outcome{Lab: a.lab.Name, Arm: a.name, Repeat: a.repeat, Fingerprint: fingerprint, Commit: s.commit}
	if s.rates == nil {
		s.rates = map[string]string{}
	}
	if done, ok := s.journal.have[o.key()]; ok && !(s.forecasts && done.run != nil && noAnswer(a.arm, *done.run)) {
		if done.Rate != "" {
			s.rates[rateKey(a)] = done.Rate
		}
		return done, false, nil
	}
	if o, err = s.attempt(ctx, a, o); err != nil {
		return o, true, err
	}
	return o, true, s.journal.add(o)
}

// attempt runs one arm, and once more when the run is no answer. An error means that the session cannot go on.
func (s *session) attempt(ctx context.Context, a attempt, o outcome) (outcome, error) {
	for o.Tries < 2 {
		o.Tries++
		err := s.try(ctx, a, &o)
		switch {
		case ctx.Err() != nil:
			return o, ctx.Err()
		case errors.Is(err, arms.ErrNoQuota):
			o.Skipped = err.Error()
			return o, nil
		case err != nil:
			o.Failed = err.Error()
			return o, nil
		}
		if o.run == nil || !noAnswer(a.arm, *o.run) {
			break
		}
	}
	s.cut(a, o)
	return o, nil
}

// try runs one arm once.
func (s *session) try(ctx context.Context, a attempt, o *outcome) error {
	unlock, err := lock(ctx, s.lock)
	if err != nil {
		return err
	}
	defer unlock()
	if arms.Calibrated(a.arm) && s.rates[rateKey(a)] == "" {
		if s.rates[rateKey(a)], err = s.bench.Rate(ctx, a.lab, a.arm, s.Settings, io.Discard); err != nil {
			return err
		}
	}
	o.At, o.Rate = time.Now().UTC(), s.rates[rateKey(a)]
	o.Dir = filepath.Join(s.work, "runs", fmt.Sprintf("%s-%s-%d", a.lab.Name, a.name, a.repeat))
	// A run that was interrupted leaves the directory under its other name.
	if err := errors.Join(os.RemoveAll(o.Dir), os.RemoveAll(o.Dir+".partial")); err != nil {
		return err
	}
	res, err := s.bench.Run(ctx, arms.Request{Lab: a.lab, Arm: a.arm, Rate: o.Rate, Dir: o.Dir, Settings: s.Settings}, io.Discard)
	if err != nil {
		return err
	}
	o.Exit, o.Seconds = res.Exit, res.Seconds
	if res.Exit != 0 && res.Exit != 4 {
		return fmt.Errorf("unpark ended with status %d: %s", res.Exit, res.Said)
	}
	if err := o.load(); err != nil {
		return err
	}
	if slices.Contains(a.arm.Load, "--cpus") && !o.run.Target.Quota.Known() {
		return fmt.Errorf("%w: %s", arms.ErrNoQuota, o.run.Target.Confinement)
	}
	return nil
}

// noAnswer reports that a run says nothing of unpark: it is void although the arm
// should not be, or something else had the processors. Whether it was right does
// not matter.
func noAnswer(arm expect.Arm, run unpark.Run) bool {
	return run.IsVoid() && !arm.MayBeVoid() || disturbed(arm, run)
}

// disturbed reports that others had the processors. What an arm has beside it is an
// other too, so of such an arm it cannot be told.
func disturbed(arm expect.Arm, run unpark.Run) bool {
	return len(arm.Beside) == 0 && slices.ContainsFunc(run.Warnings, func(n unpark.Notice) bool { return n.Code == "busy-host" })
}

// rateKey names who shares a calibrated rate: what is compared must have the same.
// A ramp is not compared with anything.
func rateKey(a attempt) string { return fmt.Sprint(a.lab.Name, a.repeat) }

// cut leaves the verdict alone of a run that was right.
func (s *session) cut(a attempt, o outcome) {
	if s.keep || o.run == nil || !a.arm.Judge(*o.run).Right() {
		return
	}
	files, _ := filepath.Glob(filepath.Join(o.Dir, "*"))
	for _, f := range files {
		if filepath.Base(f) != "run.json" {
			os.RemoveAll(f)
		}
	}
}

// tell prints one line for an attempt, and one for each thing that is wrong.
func (s *session) tell(i, n int, a attempt, o outcome) {
	switch {
	case o.Skipped != "":
		fmt.Fprintf(s.log, "%3d/%d  %-32s left out: %s\n", i, n, a, o.Skipped)
	case o.run == nil:
		fmt.Fprintf(s.log, "%3d/%d  %-32s FAILED: %s\n", i, n, a, o.Failed)
	default:
		j := a.arm.Judge(*o.run)
		word := "right"
		if !j.Right() {
			word = "WRONG  " + o.Dir
		}
		fmt.Fprintf(s.log, "%3d/%d  %-32s %4.1f s  %-10s %s\n", i, n, a, o.Seconds, o.run.Limit.Kind, word)
		for _, p := range j.Problems {
			fmt.Fprintf(s.log, "           %s\n", p)
		}
	}
}
