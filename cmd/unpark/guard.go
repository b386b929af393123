package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	guarding "github.com/unpark-go/unpark/internal/guard" // guard is what keeps load from hosts, here
)

// guardFlags are those of `unpark guard`.
type guardFlags struct {
	target targetFlags
	when   []string
	log    string
	out    string
	store  string
	limit  string
	keep   int
	flight time.Duration
	length time.Duration
	json   bool
}

func newGuardCommand(s streams) *cobra.Command {
	var g guardFlags
	c := &cobra.Command{
		Use:   "guard --when CONDITION --pprof URL…",
		Short: "Wait beside a service for a condition, and capture what happened then",
		Long: `Wait beside a service under its real traffic. When a condition holds, capture a window that
begins some seconds before that, and give a verdict: one run directory a catch.

  unpark guard --when 'p99>200ms' --pprof http://127.0.0.1:6060
  unpark guard --when 'cpu>90% for 5s or goroutines>10000' --pprof unix:///run/shop/4711.sock
  unpark guard --when 'log~"deadline exceeded"' --log /var/log/shop.log --pid-of shop
  unpark guard --when signal --pprof http://127.0.0.1:6060       then: kill -USR1 of the guard

Conditions, any of which is enough: METRIC OP VALUE [for DURATION], joined by "or". Metrics:
  p99 p50 max of the requests of the last second, 200ms; needs the probe's middleware
  inflight    requests that have not ended; needs the probe's middleware
  cpu         cores, 1.5, or a part of those that it may use, 90%
  gc          part of the CPU that the collector takes, 30%; needs the probe
  goroutines heap rss       10000, 2GB; heap needs the probe
  log~PATTERN a line with it is appended to --log
  signal      SIGUSR1 to the guard

A condition that goes on fires once. --limit bounds the catches, and what is left out is told.
The oldest beyond --keep are removed, of this guard's own alone. A target that is restarted is
followed, unless it was named by --pid. Ctrl-C, and --for, give everything back.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return g.run(c, s) },
	}
	g.target.register(c, false)
	f := c.Flags()
	f.StringArrayVarP(&g.when, "when", "w", nil, "`condition` to wait for, such as 'p99>200ms for 3s or log~panic'; repeatable")
	f.StringVar(&g.log, "log", "", "`file` that log~PATTERN follows")
	f.StringVarP(&g.out, "out", "o", runsFolder, "`folder` in which each catch gets one of its own")
	f.StringVar(&g.store, "store", "", "keep each catch in a bucket as well: s3://bucket/prefix")
	f.StringVar(&g.limit, "limit", "2/h", "catches at most: 2/h, 10/d, 1/15m, or none")
	f.IntVar(&g.keep, "keep", guarding.DefaultKeep, "catches of this guard that are kept (0 for all)")
	f.DurationVar(&g.flight, "flight", 0, "keep so much of an execution trace all the time (Go 1.25, up to 1m0s; 10s is a good length): took a fifth of the CPU of a service with 65,000 requests a second")
	f.DurationVarP(&g.length, "duration", "d", guarding.DefaultDuration, "length of the window after the trigger, whole seconds")
	f.DurationVar(&g.target.duration, "for", 0, "disarm after so long (until Ctrl-C)")
	f.BoolVar(&g.json, "json", false, "print events as lines of JSON")
	_ = f.MarkHidden("verbose")
	return c
}

// config refuses what cannot be armed.
func (g *guardFlags) config() (guarding.Config, error) {
	c := guarding.Config{Log: g.log, Out: g.out, Keep: g.keep, Flight: g.flight}
	if len(g.when) == 0 {
		return c, usage("guard against what? Name a condition with --when, such as 'p99>200ms' or 'cpu>90%% for 5s'")
	}
	for _, text := range g.when {
		conditions, err := guarding.Parse(text)
		if err != nil {
			return c, usage("--when %q: %w", text, err)
		}
		c.Conditions = append(c.Conditions, conditions...)
	}
	if len(g.target.pprof) == 0 && !g.target.pid.given() {
		return c, usage("guard what? Name the endpoint of a running service with --pprof, such as http://127.0.0.1:6060, or a process of this machine with --pid or --pid-of")
	}
	length, err := wholeSeconds(g.length)
	if err != nil {
		return c, err
	}
	if c.Limit, err = guarding.ParseLimit(g.limit); err != nil {
		return c, usage("--limit: %w", err)
	}
	switch {
	case g.keep < 0:
		return c, usage("--keep %d: name how many catches are kept, 0 for all", g.keep)
	case g.flight != 0 && (g.flight < time.Second || g.flight > time.Minute || g.flight%time.Second != 0):
		return c, usage("--flight %v: name whole seconds from 1s to 1m0s, or 0", g.flight)
	case g.target.duration < 0:
		return c, usage("--for %v: name a time above 0, such as 8h", g.target.duration)
	}
	for _, one := range c.Conditions {
		if one.Metric() == "signal" && !canSignal {
			return c, usage("--when %q: this system has no SIGUSR1", one.Text)
		}
	}
	c.Capture = g.target.config(nil, unpark.Plan{Mode: unpark.NoLoad, Duration: length})
	c.Capture.TraceMost = 0 // the trace has the length that was asked for: a guard's capture is short
	c.Token, c.Once = c.Capture.Token, len(g.target.pid.pids) > 0
	return c, nil
}

func (g *guardFlags) run(c *cobra.Command, s streams) error {
	config, err := g.config()
	if err != nil {
		return err
	}
	ctx := c.Context()
	st, err := keeping(ctx, g.store)
	if err != nil {
		return err
	}
	if g.target.duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, g.target.duration)
		defer cancel()
	}
	signals, stop := userSignals()
	defer stop()
	config.Signals = signals
	config.Open = g.open(c)
	lines := json.NewEncoder(s.out)
	lines.SetEscapeHTML(false)
	var pushing sync.WaitGroup
	defer pushing.Wait()
	config.Tell = func(e guarding.Event) {
		if e.Dir != "" && st != nil { // beside the watch, which goes on
			pushing.Go(func() {
				if err := keepIn(ctx, s, st, e.Dir); err != nil {
					fmt.Fprintf(s.err, "note: %v\n", err)
				}
			})
		}
		if g.json {
			_ = lines.Encode(e) // a reader that has gone is no reason to disarm
			return
		}
		fmt.Fprintln(s.out, e)
	}
	return guarding.Run(ctx, config)
}

// open finds the target, also when it comes back under another number.
func (g *guardFlags) open(c *cobra.Command) func(context.Context) ([]string, func() error, error) {
	named := g.target.pprof
	return func(context.Context) ([]string, func() error, error) {
		g.target.pprof = append([]string{}, named...)
		done, err := g.target.attach(c)
		return g.target.pprof, done, err
	}
}
