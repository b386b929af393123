package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/ab"
	"github.com/unpark-go/unpark/internal/bisect"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/measure/target/git"
	"github.com/unpark-go/unpark/internal/report"
)

// bisectFlags are those of `unpark bisect`.
type bisectFlags struct {
	load    loadFlags
	target  targetFlags
	output  outputFlags
	project projectFlags

	metric    string
	budget    time.Duration
	functions bool
}

func newBisect(s streams) *cobra.Command {
	var b bisectFlags
	c := &cobra.Command{
		Use:   "bisect GOOD BAD --pkg DIR [flags] [-- arguments]",
		Short: "Which commit made a service slower, or faster: a search by rounds, in noise",
		Long: `Search the commit between two revisions that changed a metric.

  unpark bisect v1.4.0 main --pkg ./cmd/server --url http://127.0.0.1:8080/items
  unpark bisect HEAD~40 HEAD --metric p99 -- -config dev.yaml

First rounds of both ends in turns say whether they differ at all: if not, it says so
and stops. Then each round measures the commit that tells most against the good end,
and a probability over all commits, sizes of the change and noises says when one is
sure. Commits that change nothing the program is built from are left out, and equal
programs are measured once. One that does not build or run is gone around. Of a merge
the whole is one step.

Every round is kept: the same command with --out of a search that was stopped goes on
with it. Ctrl-C prints what is known so far.

Exit status: 0 a commit was found, 1 failed, 2 usage, 4 no difference, or not sure.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usage("bisect between which? Name two revisions: unpark bisect GOOD BAD")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return b.run(c, s, args) },
	}
	b.load.register(c)
	b.target.register(c, true)
	b.output.register(c)
	f, l := c.Flags(), &b.load
	f.StringVar(&b.metric, "metric", "cpu", "what changed: `cpu` (per request), throughput, p50, p99 or bytes (per request)")
	f.DurationVar(&b.budget, "budget", bisect.DefaultBudget, "no round begins after it")
	f.BoolVar(&b.functions, "functions", true, "when a commit is found, profile it and the one before it in rounds: which functions changed")
	l.fractions, l.rounds = true, true
	l.duration, l.warmup = ab.DefaultDuration, ab.DefaultWarmup
	for name, length := range map[string]time.Duration{"duration": l.duration, "warmup": l.warmup} {
		f.Lookup(name).DefValue = length.String()
	}
	f.Lookup("duration").Usage = "length of the measured part of each round"
	f.Lookup("out").Usage = "folder of the search; it goes on with one that was stopped (unpark-runs/TIME)"
	f.Lookup("json").Usage = "print the document of the search on standard output"
	for _, name := range []string{"sweep", "slo"} {
		f.Lookup(name).Hidden = true
	}
	b.project.register(c)
	return c
}

func (b *bisectFlags) run(c *cobra.Command, s streams, args []string) error {
	file, err := b.project.open()
	if err != nil {
		return err
	}
	adopted, err := adopt(file, &b.load, &b.target, args[2:])
	if err != nil {
		return err
	}
	config, err := b.config(c.Context(), args[0], args[1], adopted.args)
	if err != nil {
		return err
	}
	adopted.apply(&config.Run)
	b.output.base = dirOf(file)
	if err := newGuard(b.load.mayLoad).admit(c.Context(), &config.Run.Plan); err != nil {
		return err
	}
	if err := roomHere().check(config.Run.Plan); err != nil {
		return err
	}
	adopted.tell(s.err, b.output.quiet)
	return adopted.explain(b.search(c.Context(), s, config))
}

// config checks the flags and says what to search.
func (b *bisectFlags) config(ctx context.Context, good, bad string, args []string) (bisect.Config, error) {
	c := bisect.Config{Good: good, Bad: bad, Budget: b.budget, Functions: b.functions, Arguments: args, Seed: rand.Uint64() >> 32}
	metric, ok := bisect.Metrics()[b.metric]
	if !ok {
		return c, usage("--metric %q: write one of %s", b.metric, strings.Join(slices.Sorted(maps.Keys(bisect.Metrics())), ", "))
	}
	c.Metric = metric
	if err := b.target.starting(); err != nil {
		return c, err
	}
	if b.target.pkg == "" {
		return c, usage("bisect which program? Name its folder with --pkg ./cmd/server: each commit is built")
	}
	if b.load.given("sweep") || b.load.given("slo") {
		return c, usage("--sweep and --slo have many load levels; rounds are compared at one: name it with --rate or --connections")
	}
	if b.budget < 0 {
		return c, usage("--budget cannot be negative")
	}
	plan, err := b.load.plan(ctx)
	if err != nil {
		return c, err
	}
	c.Run = b.target.config(nil, plan)
	c.Package, c.Run.Package = b.target.pkg, ""
	return c, nil
}

// search carries it out and prints what came of it.
func (b *bisectFlags) search(ctx context.Context, s streams, config bisect.Config) error {
	o := &b.output
	inner := newProgress(s.err, o.quiet)
	config.Tell = func(line string, e *investigate.Event) {
		switch {
		case o.quiet:
		case line != "":
			inner.done()
			fmt.Fprintln(s.err, line)
		case e != nil && e.Phase == "build":
			inner.done()
			fmt.Fprintf(s.err, "%-9s %s\n", e.Phase, e.Detail)
		case e != nil && inner.live && e.Load == nil:
			inner.show(*e)
		}
	}
	config.Dir = o.dir()
	document, err := bisect.Run(ctx, config)
	inner.done()
	if errors.Is(err, git.ErrNoWay) {
		return status{exitUsage, err}
	}
	if document.Schema != "" {
		err = errors.Join(err, printDocument(s, document, o.json))
		if !o.json {
			fmt.Fprintf(s.out, "journal   %s\n", config.Dir)
		}
	}
	if err == nil && document.Outcome != "found" {
		return status{exitVoid, nil}
	}
	return err
}

func printDocument(s streams, b unpark.Bisection, asJSON bool) error {
	if asJSON {
		return report.JSON(s.out, b)
	}
	return text(s.out, b)
}
