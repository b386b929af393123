package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/ab"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/internal/store"
	"github.com/unpark-go/unpark/internal/turns"
)

// exitWorse says that a gate did not hold: a primary metric is worse.
const exitWorse = 3

// abFlags are those of `unpark ab`.
type abFlags struct {
	load    loadFlags
	target  targetFlags
	output  outputFlags
	project projectFlags

	before, after string
	rounds        string
	identical     int
	budget        time.Duration
	profile       time.Duration
	order         uint64
	scorecard     string
	functions     bool
	bench         benchFlags
	given         func(flag string) bool
}

func newAB(s streams) *cobra.Command {
	var a abFlags
	c := &cobra.Command{
		Use:   "ab --before CMD --after CMD [flags]",
		Short: "Two versions of a service in turns, many rounds: proof that a change helps, or that it does not hurt",
		Long: `Run two versions of a service in turns and say what changed, beyond what identical
versions differ by on this machine.

  unpark ab --before './server-old -addr :8080' --after './server-new -addr :8080' --url http://127.0.0.1:8080/a
  unpark ab --before 'GOGC=100 ./server' --after 'GOGC=400 ./server'
  unpark ab --before main --after . --pkg ./cmd/server -- -config dev.yaml
  unpark ab --bench . --before main --after . ./...

Without arms, unpark.yaml (see unpark init) names the package, and its baseline the
revision that the working tree is compared with.

Commands are split like a shell does, with quotes and leading NAME=value; nothing
else of a shell is known. With --pkg the arms are git revisions of this repository,
built with the probe added in folders of their own that are removed afterwards; "."
is the working tree as it is.

Every round starts both afresh, in random order, under the same load and quota, and
then profiles both for as long again, for the functions that changed. Rounds are added until the intervals are narrow enough (--rounds
auto) or the budget is spent. Before them each arm is profiled once, for findings
and forecasts, and some rounds run the arm before against itself: what those differ
by is the floor below which nothing is called a change.

With --bench it is Go benchmarks that run in turns, of two revisions, each round in
processes of their own; before.txt and after.txt in the folder are for benchstat.

Exit status: 0 nothing is worse, 1 failed, 2 usage, 3 throughput, p99 or CPU per
request is worse (also of functions, together), or a benchmark; 4 no round counts.
Ctrl-C prints what is known so far.`,
		RunE: func(c *cobra.Command, args []string) error { return a.run(c, s, args) },
	}
	a.load.register(c)
	a.target.register(c, true)
	a.output.register(c)
	a.output.registerStore(c)
	a.register(c)
	a.project.register(c)
	return c
}

func (a *abFlags) run(c *cobra.Command, s streams, args []string) error {
	if a.bench.pattern != "" {
		return a.benchmarks(c, s, args)
	}
	file, err := a.project.open()
	if err != nil {
		return err
	}
	adopted, err := a.adopted(file, args)
	if err != nil {
		return err
	}
	config, err := a.config(c.Context(), adopted.args)
	if err != nil {
		return err
	}
	adopted.apply(&config.Run)
	a.output.base = dirOf(file)
	if err := newGuard(a.load.mayLoad).admit(c.Context(), &config.Run.Plan); err != nil {
		return err
	}
	if err := roomHere().check(config.Run.Plan); err != nil {
		return err
	}
	adopted.tell(s.err, a.output.quiet)
	return adopted.explain(a.compare(c, s, config))
}

// register adds the flags that are not the load's, the target's or the output's, and
// changes what some of those stand at: the load's are registered already.
func (a *abFlags) register(c *cobra.Command) {
	f, l := c.Flags(), &a.load
	a.given = f.Changed
	a.bench.register(c)
	f.StringVar(&a.before, "before", "", "the arm before: a `command` in quotes, or with --pkg a git revision")
	f.StringVar(&a.after, "after", "", "the arm after: a `command` in quotes, or with --pkg a git revision; . is the working tree")
	f.StringVar(&a.rounds, "rounds", "auto", "`number` of rounds, or auto: until the intervals are narrow enough")
	f.IntVar(&a.identical, "identical", ab.DefaultIdentical, "rounds of the arm before against itself, for the floor")
	f.DurationVar(&a.budget, "budget", ab.DefaultBudget, "no round begins that would end after it; with a number of rounds there is none unless it is given")
	f.DurationVar(&a.profile, "profile-duration", ab.DefaultProfile, "length of the profiled window of each arm, whole seconds (0 for none)")
	f.Uint64Var(&a.order, "order-seed", 0, "of the order of the arms (0: a new one each time; it is printed)")
	f.StringVar(&a.scorecard, "scorecard", "", "`file` to which forecasts and their outcomes are appended, or none ($XDG_DATA_HOME/unpark/scorecard.jsonl)")
	f.BoolVar(&a.functions, "functions", true, "profile both arms after the timed part of each round (CPU, allocations, waits), for the functions that changed")
	// The round is the sampling unit: many short ones tell more than few long ones.
	l.fractions, l.rounds = true, true
	l.duration, l.warmup = ab.DefaultDuration, ab.DefaultWarmup
	for name, length := range map[string]time.Duration{"duration": l.duration, "warmup": l.warmup} {
		f.Lookup(name).DefValue = length.String()
	}
	f.Lookup("duration").Usage = "length of the measured part of each round"
	for _, name := range []string{"sweep", "slo"} {
		f.Lookup(name).Hidden = true
	}
}

// config checks the flags and says what to run.
func (a *abFlags) config(ctx context.Context, args []string) (ab.Config, error) {
	c := ab.Config{Identical: a.identical, Profile: a.profile}
	if a.before == "" || a.after == "" {
		return c, usage("compare what? Name both arms: --before './server-old' --after './server-new', or revisions with --pkg: see `unpark ab --help`")
	}
	if err := a.target.starting(); err != nil {
		return c, err
	}
	if a.load.given("sweep") || a.load.given("slo") {
		return c, usage("--sweep and --slo have many load levels; rounds are compared at one: name it with --rate or --connections")
	}
	if a.identical < 0 || a.budget < 0 || a.profile < 0 || a.profile%time.Second != 0 {
		return c, usage("--identical and --budget cannot be negative, and --profile-duration takes whole seconds")
	}
	var err error
	if c.Rounds, c.Budget, c.Seed, err = a.turns(); err != nil {
		return c, err
	}
	plan, err := a.load.plan(ctx)
	if err != nil {
		return c, err
	}
	c.Run = a.target.config(nil, plan)
	c.Run.Package, c.Run.Costs = "", a.functions
	c.Before, c.After, err = a.arms(args, a.target.pkg)
	return c, err
}

// turns says how many rounds there are, within which time, and in which order of the arms: as many as it takes where rounds
// is 0, as long as it takes where budget is.
func (a *abFlags) turns() (rounds int, budget time.Duration, seed uint64, err error) {
	budget, seed = a.budget, a.order
	if a.rounds != "auto" {
		if rounds, err = strconv.Atoi(a.rounds); err != nil || rounds < 1 {
			return 0, 0, 0, usage("--rounds %q: write a number, or auto", a.rounds)
		}
		if !a.given("budget") {
			budget = 0
		}
	}
	if seed == 0 {
		seed = rand.Uint64() >> 32 // short enough to be typed again
	}
	return rounds, budget, seed, nil
}

// arms reads both arms as commands, or with a package as revisions.
func (a *abFlags) arms(args []string, pkg string) (before, after turns.Arm, err error) {
	if pkg != "" {
		return turns.Arm{Package: pkg, Revision: a.before, Command: args},
			turns.Arm{Package: pkg, Revision: a.after, Command: args}, nil
	}
	if len(args) > 0 {
		return before, after, usage("arguments after -- are for a package (--pkg): write those of a command into --before and --after")
	}
	if before.Env, before.Command, err = splitCommand(a.before); err != nil {
		return before, after, usage("--before: %w", err) // the command may hold secrets
	}
	if after.Env, after.Command, err = splitCommand(a.after); err != nil {
		return before, after, usage("--after: %w", err)
	}
	return before, after, nil
}

// compare carries out the experiment and prints it.
func (a *abFlags) compare(c *cobra.Command, s streams, config ab.Config) error {
	o := &a.output
	st, err := keeping(c.Context(), o.store)
	if err != nil {
		return err
	}
	progress := newABProgress(s.err, o.quiet)
	config.Progress = progress.show
	config.Dir = o.dir()
	progress.say(fmt.Sprintf("order of the arms: seed %d (--order-seed)", config.Seed))
	out, err := ab.Run(c.Context(), config)
	progress.done()
	if out.Dir != "" {
		if printed := printComparison(s, out.Comparison, o.json); printed != nil {
			err = errors.Join(err, printed)
		}
		if !o.json {
			fmt.Fprintf(s.out, "report    %s\n", filepath.Join(out.Dir, investigate.ReportFile))
		}
	}
	if err == nil {
		if failed := keepScores(out, a.scorecard); failed != nil {
			progress.say("unpark: the forecasts were not kept: " + failed.Error())
		}
		err = keepIn(c.Context(), s, st, out.Dir)
	}
	return verdictOf(out, err)
}

// keepScores appends what was foretold and what came to the scorecard. An outcome
// of too few rounds for an interval, or a forecast from a void run, would say more
// of the machine than of the forecast.
func keepScores(out ab.Outcome, path string) error {
	if path == "none" || out.Before.Run.IsVoid() {
		return nil
	}
	scores := slices.DeleteFunc(unpark.Scores(out.Comparison, out.Before.Run, out.Before.Run.Started), func(s unpark.Score) bool {
		return !s.Measured.Low.Known()
	})
	if path == "" && len(scores) > 0 {
		var err error
		if path, err = store.ScorecardPath(); err != nil {
			return err
		}
	}
	return store.AppendScore(path, scores)
}

// verdictOf is the exit status of an experiment.
func verdictOf(out ab.Outcome, err error) error {
	if err != nil {
		return err
	}
	if out.Void != "" {
		return status{exitVoid, errors.New("no round counts: " + out.Void)}
	}
	for _, e := range out.Comparison.Effects {
		if e.Primary() && e.Verdict == "worse" {
			return status{exitWorse, nil} // the report says it
		}
	}
	if out.Comparison.FunctionsWorse() {
		return status{exitWorse, nil}
	}
	return nil
}

// printComparison writes a comparison as text or as the document.
func printComparison(s streams, c unpark.Comparison, json bool) error {
	if json {
		return report.JSON(s.out, c)
	}
	return text(s.out, c)
}
