package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/measure/load/external"
)

func newRun(s streams) *cobra.Command {
	var l loadFlags
	var t targetFlags
	var o outputFlags
	var e experimentFlags
	var p projectFlags
	c := &cobra.Command{
		Use:   "run [flags] [-- command args…]",
		Short: "Start a service, drive load, capture everything in one window, say what limits it",
		Long: `Start a service, drive load, capture everything in one window, say what limits it.

  unpark run --pkg ./cmd/server -- -addr :8080       no change to the service needed
  unpark run --url http://127.0.0.1:8080/a -- ./server -addr :8080
  unpark run --pprof http://127.0.0.1:6060 --url http://127.0.0.1:8080/a
  unpark run --url unix:///run/app.sock:/a -- ./server -socket /run/app.sock
  unpark run --rate poisson:500/s --cpus 1 --pkg ./cmd/server
  unpark run --slo 'p99<50ms' --pkg ./cmd/server     the highest rate that holds, and what stops it
  unpark run --experiment --pkg ./cmd/server         check the forecast by slowing the cause down
  unpark run --load-command 'wrk -d60 --latency {url}' --pkg ./cmd/server

What the flags do not say is taken from unpark.yaml, in this folder or above it: see
unpark init. Without --url the one port that the service opens is asked for /, or its one unix
socket where it opens no port. Without a rate
the loop is closed: each of --connections sends as soon as it has its answer.`,
		RunE: func(c *cobra.Command, args []string) error {
			file, err := p.open()
			if err != nil {
				return err
			}
			adopted, err := adopt(file, &l, &t, args)
			if err != nil {
				return err
			}
			args = adopted.args
			plan, err := l.plan(c.Context())
			if err != nil {
				return err
			}
			if err := t.building(); err != nil {
				return err
			}
			config := t.config(args, plan) // whose plan is completed below
			adopted.apply(&config)
			o.base = dirOf(file)
			config.LoadCommand = l.command
			if config.SLO, err = l.promise(); err != nil {
				return err
			}
			if len(args) == 0 && t.pkg == "" && len(t.pprof) == 0 {
				return usage("run what? Name a command after --, a package with --pkg, or a running service with --pprof: see `unpark run --help`; or have it written down: unpark init")
			}
			if len(args) == 0 && t.pkg == "" && len(plan.Requests) == 0 && (l.command == "" || external.NeedsURL(l.command)) {
				return usage("drive load at a service that runs already: name its address with --url (or use `unpark capture` to measure the traffic that it has)")
			}
			if err := e.apply(&config); err != nil {
				return err
			}
			if err := newGuard(l.mayLoad).admit(c.Context(), &config.Plan); err != nil {
				return err
			}
			if err := roomHere().check(plan); err != nil {
				return err
			}
			adopted.tell(s.err, o.quiet)
			return adopted.explain(investigateAndReport(c, s, config, &o))
		},
	}
	l.register(c)
	l.registerCommand(c)
	t.register(c, true)
	o.register(c)
	e.register(c)
	p.register(c)
	return c
}

// investigateAndReport carries out a run and prints it.
func investigateAndReport(c *cobra.Command, s streams, config investigate.Config, o *outputFlags) error {
	progress := newProgress(s.err, o.quiet)
	config.Progress = progress.show
	config.Dir = o.dir()
	outcome, err := investigate.Run(c.Context(), config)
	progress.done()
	if err != nil {
		return o.failed(s, outcome, err)
	}
	if err := o.print(s, outcome); err != nil {
		return err
	}
	if outcome.Run.IsVoid() {
		return status{exitVoid, errors.New("the run is void: " + outcome.Run.Void[0].Message)}
	}
	return nil
}
