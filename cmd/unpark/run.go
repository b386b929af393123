package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/measure/load/external"
)

// runFlags are those of `unpark run`.
type runFlags struct {
	load       loadFlags
	target     targetFlags
	output     outputFlags
	experiment experimentFlags
	project    projectFlags
	agents     fleetFlags
	capture    []string // by agents
	also       alsoFlags
}

func newRun(s streams) *cobra.Command {
	var r runFlags
	c := &cobra.Command{
		Use:   "run [flags] [-- command args…]",
		Short: "Start a service, drive load, capture everything in one window, say what limits it",
		Long: `Start a service, drive load, capture everything in one window, say what limits it.

  unpark run --pkg ./cmd/server -- -addr :8080       no change to the service needed
  unpark run --url http://127.0.0.1:8080/a -- ./server -addr :8080
  unpark run --pprof http://127.0.0.1:6060 --url http://127.0.0.1:8080/a
  unpark run --url unix:///run/app.sock:/a -- ./server -socket /run/app.sock
  unpark run --pid 4711 --url http://127.0.0.1:8080/a     no endpoint: read from outside (docs/attach.md)
  unpark run --rate poisson:500/s --cpus 1 --pkg ./cmd/server
  unpark run --slo 'p99<50ms' --pkg ./cmd/server     the highest rate that holds, and what stops it
  unpark run --experiment --pkg ./cmd/server         check the forecast by slowing the cause down
  unpark run --agents a,b,c --capture a=http://127.0.0.1:6060 --url http://10.0.0.7:8080/   load from b and c
  unpark run --also inventory=http://127.0.0.1:6061 --pkg ./cmd/checkout   what of it another service makes
  unpark run --load-command 'wrk -d60 --latency {url}' --pkg ./cmd/server

What the flags do not say is taken from unpark.yaml, in this folder or above it: see
unpark init. Without --url the one port that the service opens is asked for /, or its one unix
socket where it opens no port. Without a rate
the loop is closed: each of --connections sends as soon as it has its answer.`,
		RunE: func(c *cobra.Command, args []string) error { return r.run(c, s, args) },
	}
	r.load.register(c)
	r.load.registerCommand(c)
	r.load.registerWithin(c)
	r.target.register(c, true)
	r.output.register(c)
	r.output.registerStore(c)
	r.experiment.register(c)
	r.project.register(c)
	r.agents.register(c)
	c.Flags().StringArrayVar(&r.capture, "capture", nil, "with --agents: `agent=what` it captures there: an endpoint, or pid:4711; without agent= each does; repeatable")
	c.MarkFlagsMutuallyExclusive("agents", "load-command")
	c.MarkFlagsMutuallyExclusive("agents", "experiment")
	r.also.register(c)
	return c
}

func (r *runFlags) run(c *cobra.Command, s streams, args []string) (err error) {
	file, err := r.project.open()
	if err != nil {
		return err
	}
	adopted, err := adopt(file, &r.load, &r.target, args)
	if err != nil {
		return err
	}
	plan, err := r.plan(c.Context(), adopted)
	if err != nil {
		return err
	}
	r.target.pid.asked, r.target.pid.also = plan.Requests, r.also.byNumber()
	done, err := r.target.attach(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	config, err := r.config(plan, adopted)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.also.close()) }()
	if config.Callees, err = r.also.callees(c); err != nil {
		return err
	}
	if len(config.Callees) > 0 && !r.load.given("traceparent") && config.LoadCommand == "" {
		config.Plan.Traceparent = true
	}
	r.output.base = dirOf(file)
	if err := newGuard(r.load.mayLoad).admit(c.Context(), &config.Plan); err != nil {
		return err
	}
	adopted.tell(s.err, r.output.quiet)
	if r.agents.given() {
		say := s.err
		if r.output.quiet {
			say = io.Discard
		}
		team, err := r.agents.team(c.Context(), say, config.Plan, r.capture)
		if err != nil {
			return err
		}
		defer team.Fleet.Close()
		config.Agents = team
	} else if err := roomHere().check(config.Plan); err != nil {
		return err
	}
	return adopted.explain(investigateAndReport(c, s, config, &r.output))
}

// plan is the load.
func (r *runFlags) plan(ctx context.Context, a adopted) (unpark.Plan, error) {
	r.load.unstarted = len(a.args) > 0 || r.target.pkg != ""
	return r.load.plan(ctx)
}

// config checks the flags and says what to run.
func (r *runFlags) config(plan unpark.Plan, a adopted) (_ investigate.Config, err error) {
	if err := r.target.building(); err != nil {
		return investigate.Config{}, err
	}
	c := r.target.config(a.args, plan)
	a.apply(&c)
	c.Prepare = r.load.asLate(c.Prepare)
	c.LoadCommand, r.output.whole = r.load.command, r.target.verbose
	if c.SLO, err = r.load.promise(); err != nil {
		return c, err
	}
	switch attached := len(a.args) == 0 && r.target.pkg == ""; {
	case len(r.capture) > 0 && !r.agents.given():
		return c, usage("--capture says what agents capture: name those with --agents")
	case attached && len(r.target.pprof) == 0 && len(r.capture) > 0 && len(plan.Requests) > 0:
	case attached && len(r.target.pprof) == 0 && r.agents.given():
		return c, usage("run what? Say what an agent captures on its machine with --capture NAME=http://127.0.0.1:6060, or name a command after --, or a service with --pprof, which this machine captures")
	case attached && len(r.target.pprof) == 0:
		return c, usage("run what? Name a command after --, a package with --pkg, or a running service with --pprof or --pid: see `unpark run --help`; or have it written down: unpark init")
	case attached && len(plan.Requests) == 0 && (c.LoadCommand == "" || external.NeedsURL(c.LoadCommand)):
		return c, usage("drive load at a service that runs already: name its address with --url (or use `unpark capture` to measure the traffic that it has)")
	}
	return c, r.experiment.apply(&c)
}

// investigateAndReport carries out a run and prints it.
func investigateAndReport(c *cobra.Command, s streams, config investigate.Config, o *outputFlags) error {
	st, err := keeping(c.Context(), o.store)
	if err != nil {
		return err
	}
	progress := newProgress(s.err, o.quiet)
	config.Progress = progress.show
	config.Dir = o.dir()
	outcome, err := investigate.Run(c.Context(), config)
	progress.done()
	if err != nil {
		return o.failed(s, outcome, err)
	}
	if err := errors.Join(o.print(s, outcome), keepIn(c.Context(), s, st, outcome.Dir)); err != nil {
		return err
	}
	if outcome.Run.IsVoid() {
		return status{exitVoid, errors.New("the run is void: " + outcome.Run.Void[0].Message)}
	}
	return nil
}
