package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/load/search"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/internal/units"
)

func newLoad(s streams) *cobra.Command {
	l := loadFlags{fractions: true}
	var p projectFlags
	var o loadOutput
	var check selfcheckFlags
	var agents fleetFlags
	c := &cobra.Command{
		Use:   "load [flags] URL…",
		Short: "Drive load alone, and say how far its figures can be trusted",
		Long: `Drive load alone, and say how far its figures can be trusted.

  unpark load http://127.0.0.1:8080/                     closed loop, 50 connections
  unpark load -r 500/s -d 30s http://127.0.0.1:8080/     open loop: 500 a second, come what may
  unpark load -r ramp:10..2000/1m 9*http://127.0.0.1:8080/a 1*http://127.0.0.1:8080/b
  unpark load --sweep 1,2,4,8,16 http://127.0.0.1:8080/
  unpark load --slo 'p99<50ms,errors<0.1%' http://127.0.0.1:8080/
  unpark load --body '{"name":"x"}' grpc://127.0.0.1:9090/shop.Catalog/Get
  unpark load unix:///run/app.sock:/items                a unix socket
  unpark load --agents 3 -r poisson:20000/s http://10.0.0.7:8080/     from other machines
  unpark load --selfcheck                                is this generator honest, on this machine?

Latency counts from the instant at which a request was meant to be sent. A load
whose generator was the limit is void and says so. Hosts that are neither on this
machine nor private are refused unless --i-may-load names them. What the flags do not
say is taken from unpark.yaml (see unpark init).

Exit status: 0 measured, 1 failed or interrupted, 2 usage, 4 the load is void.`,
		RunE: func(c *cobra.Command, args []string) error {
			if check.on {
				return check.run(c, s, &l, &o, args)
			}
			if check.short {
				return usage("--short shortens --selfcheck: name both, or use --duration")
			}
			return l.drive(c, s, &o, &p, &agents, args)
		},
	}
	l.register(c)
	l.registerWithin(c)
	o.register(c)
	check.register(c)
	p.register(c)
	agents.register(c)
	f := c.Flags()
	f.Lookup("duration").Usage = "length of the measurement (of a ramp: its own)"
	f.Lookup("warmup").Usage = "load before the measurement"
	f.Lookup("sweep").Usage = "one measurement per number of connections: 1,2,4,8"
	return c
}

// loadOutput says how a load is printed.
type loadOutput struct{ json, quiet bool }

func (o *loadOutput) register(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&o.json, "json", false, "print the document on standard output")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress on standard error")
}

func (o *loadOutput) print(s streams, r report.LoadRun) error {
	if o.json {
		return report.JSON(s.out, r)
	}
	return text(s.out, r)
}

// drive checks what was asked for, then measures and prints it.
func (l *loadFlags) drive(c *cobra.Command, s streams, o *loadOutput, p *projectFlags, agents *fleetFlags, args []string) error {
	l.urls = append(l.urls, args...)
	file, err := p.open()
	if err != nil {
		return err
	}
	adopted, err := adopt(file, l, nil, nil)
	if err != nil {
		return err
	}
	if err := l.needsAddress(); err != nil {
		return err
	}
	plan, err := l.plan(c.Context())
	if err != nil {
		return err
	}
	if len(plan.Requests) == 0 {
		return usage("load what? Name a URL such as http://127.0.0.1:8080/: see `unpark load --help`")
	}
	adopted.tell(s.err, o.quiet)
	slo, err := l.promise()
	if err != nil {
		return err
	}
	l.fit(&plan)
	if err := newGuard(l.mayLoad).admit(c.Context(), &plan); err != nil {
		return err
	}
	if agents.given() {
		r, err := l.fromAgents(c.Context(), s, o.quiet, plan, agents)
		return o.conclude(s, r, err)
	}
	if err := roomHere().check(plan); err != nil {
		return err
	}
	d := newDriver(s, o.quiet, plan)
	var r *report.LoadRun
	if slo != nil {
		r, err = d.search(c.Context(), search.Options{SLO: *slo, Seed: plan.Seed})
	} else {
		r, err = d.run(c.Context())
	}
	d.progress.done()
	return o.conclude(s, r, err)
}

// conclude prints what was measured, if anything, and returns the exit status.
func (o *loadOutput) conclude(s streams, r *report.LoadRun, err error) error {
	if r == nil {
		return err
	}
	if printed := o.print(s, *r); printed != nil {
		return errors.Join(err, fmt.Errorf("print the load: %w", printed))
	}
	return concluded(*r, err)
}

// fit makes the measurement as long as the arrivals say, unless a flag does.
func (l *loadFlags) fit(plan *unpark.Plan) {
	if l.slo != "" {
		if !l.given("duration") {
			plan.Duration = probeSeconds
		}
		if !l.given("warmup") {
			plan.Warmup = probeWarmup
		}
	}
	if l.given("duration") {
		return
	}
	switch plan.Mode {
	case unpark.Ramp:
		plan.Duration = 0
		for _, leg := range plan.Stages {
			plan.Duration += leg.Duration
		}
	case unpark.Replay: // all of it counts
		if !l.given("warmup") {
			plan.Warmup = 0
		}
		plan.Duration = max(1, plan.Arrivals[len(plan.Arrivals)-1]-plan.Warmup)
	}
}

// concluded turns the outcome of a load that was printed into its exit status.
func concluded(r report.LoadRun, err error) error {
	switch {
	case err != nil:
		return err
	case len(r.Void) > 0:
		return status{exitVoid, errors.New("the load is void: " + r.Void[0].Message)}
	case r.Load.Requests == 0 && r.Load.ErrorSample != "":
		return fmt.Errorf("load: no request was answered: %s", r.Load.ErrorSample)
	case r.Load.Requests == 0:
		return errors.New("load: no request was answered while it was measured: measure for longer, or look at the target")
	}
	return nil
}

// run checks the target and measures every level.
func (d *driver) run(ctx context.Context) (*report.LoadRun, error) {
	levels := d.plan.Plans()
	first := levels[0]
	d.phase("check", 0, unpark.RedactURL(first.Requests[0].URL))
	if err := load.Check(ctx, first); ctx.Err() != nil {
		return nil, errors.New("interrupted before the load began")
	} else if err != nil {
		return nil, err
	}
	r := report.LoadRun{Plan: d.plan.Redacted()}
	var warnings [][]unpark.Notice
	var failed error
	for i, plan := range levels {
		if len(levels) > 1 {
			d.detail = fmt.Sprintf("level %d of %d: %s", i+1, len(levels), levelName(plan))
		}
		l, notices, err := d.level(ctx, plan)
		if l != nil {
			r.Levels, warnings = append(r.Levels, *l), append(warnings, notices)
		}
		if err != nil {
			failed = err
			if len(levels) > 1 {
				failed = fmt.Errorf("%s: %w", d.detail, err)
			}
			break
		}
	}
	if len(r.Levels) == 0 {
		return nil, failed
	}
	if failed != nil {
		r.Partial = failed.Error()
	}
	r.Scaling = scaling(r)
	choose(&r, warnings)
	return &r, failed
}

func levelName(p unpark.Plan) string {
	if p.Mode.Open() {
		return units.Figure(p.RateRPS, "req/s")
	}
	return unpark.Counted(int64(p.Connections), "connection")
}

// scaling says what the sound levels of a sweep show together.
func scaling(r report.LoadRun) *unpark.Scaling {
	var levels []search.Level
	for _, l := range r.Levels {
		if len(l.Void) == 0 {
			levels = append(levels, search.Level{At: l.Level, Load: l.Load})
		}
	}
	if s, ok := search.ScalingOf(levels, r.Plan.Seed); ok && r.Plan.Mode == unpark.Sweep {
		return &s
	}
	return nil
}

// choose puts the level with the highest throughput in front: of those that are
// not void, where there are any.
func choose(r *report.LoadRun, warnings [][]unpark.Notice) {
	best, sound := 0, 0
	for i, l := range r.Levels {
		if len(l.Void) == 0 {
			sound++
		}
		b := r.Levels[best]
		better := l.Load.AchievedRPS > b.Load.AchievedRPS
		if len(l.Void) == 0 && (len(b.Void) > 0 || better) || len(l.Void) > 0 && len(b.Void) > 0 && better {
			best = i
		}
	}
	r.Load, r.Void, r.Warnings = r.Levels[best].Load, r.Levels[best].Void, warnings[best]
	if n := len(r.Levels) - sound; n > 0 && sound > 0 {
		r.Warnings = append(r.Warnings, unpark.Notice{
			Code:    "void-levels",
			Message: fmt.Sprintf("%d of %d levels are void and were not considered for the highest throughput", n, len(r.Levels)),
			Cure:    "see `void` of the level with --json",
		})
	}
	if r.Plan.Mode != unpark.Sweep {
		r.Levels = nil
	}
}

// duration turns the seconds of a plan into a time.
func duration(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
