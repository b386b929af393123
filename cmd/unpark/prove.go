package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/ab"
	"github.com/unpark-go/unpark/internal/project"
	"github.com/unpark-go/unpark/internal/prove"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/internal/store"
	"github.com/unpark-go/unpark/internal/turns"
)

// proveFlags are those of `unpark prove`.
type proveFlags struct {
	load   loadFlags
	target targetFlags
	output outputFlags

	before, after string
	rounds        string
	identical     int
	budget        time.Duration
	profile       time.Duration
	test          string
	than          []string
	given         func(flag string) bool
}

func newProve(s streams) *cobra.Command {
	var p proveFlags
	c := &cobra.Command{
		Use:   "prove --before TREE [--after TREE] [flags] [-- arguments]",
		Short: "Proof that a change of a service is an improvement, bound to both trees, the load, the answers and the tests",
		Long: `Prove that a change is an improvement, and that nothing else changed.

  unpark prove --before HEAD                       the working tree against the last commit
  unpark prove --before main --after fast --pkg ./cmd/server --url http://127.0.0.1:8080/items

A tree is a git revision, or a folder: "." or a path that begins with ./, ../ or /.
Both are copied and hashed, and only the copies are built, tested and measured:

  the tests      of the tree before run on both; what passed before has to pass after
  the answers    to a sample of the load's requests have to be equal, when the service
                 has just started, again, later, after a write and beside others; what
                 differs between two answers of the tree before may, and must not stand still
  the load       is that of the tree before's unpark.yaml or of flags, which may not ask for less
  the rounds     are those of unpark ab
  the trees      are hashed again at the end

The proof is proof.json in the folder of the result (docs/proof.schema.json).

Exit status: 0 proven, 1 failed, 2 usage, 3 not proven or refused, 4 no round counts.`,
		RunE: func(c *cobra.Command, args []string) error { return p.run(c, s, args) },
	}
	p.load.register(c)
	p.target.register(c, true)
	p.output.register(c)
	f, l := c.Flags(), &p.load
	p.given = f.Changed
	f.StringVar(&p.before, "before", "", "the `tree` before: a git revision or a folder")
	f.StringVar(&p.after, "after", turns.WorkingTree, "the `tree` after")
	f.StringVar(&p.rounds, "rounds", "auto", "`number` of rounds, or auto: until the intervals are narrow enough")
	f.IntVar(&p.identical, "identical", ab.DefaultIdentical, "rounds of the tree before against itself, for the floor")
	f.DurationVar(&p.budget, "budget", ab.DefaultBudget, "no round begins that would end after it; with a number of rounds there is none unless it is given")
	f.DurationVar(&p.profile, "profile-duration", ab.DefaultProfile, "length of the profiled window of each tree, whole seconds (0 for none)")
	f.StringVar(&p.test, "test", "", "`command` that runs the tests (that of the tree before's unpark.yaml, else go test ./...)")
	f.StringArrayVar(&p.than, "than", nil, "a `run` whose load this one must not be weaker than; repeatable")
	l.fractions, l.rounds = true, true
	l.duration, l.warmup = ab.DefaultDuration, ab.DefaultWarmup
	for name, length := range map[string]time.Duration{"duration": l.duration, "warmup": l.warmup} {
		f.Lookup(name).DefValue = length.String()
	}
	f.Lookup("duration").Usage = "length of the measured part of each round"
	for _, name := range []string{"sweep", "slo", "pprof", "pid"} {
		f.Lookup(name).Hidden = true
	}
	return c
}

func (p *proveFlags) run(c *cobra.Command, s streams, args []string) (err error) {
	config, err := p.rounded()
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(p.output.dir())
	if err != nil {
		return err
	}
	progress := newABProgress(s.err, p.output.quiet)
	progress.say(fmt.Sprintf("copy      the trees %s and %s, and hash them", p.before, p.after))
	session, err := prove.Open(c.Context(), prove.Spec{Before: p.before, After: p.after, Left: []string{runsFolder, dir}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	file, err := projectOf(session.Before.Dir)
	if err != nil {
		return err
	}
	adopted, err := adopt(file, &p.load, &p.target, args)
	if err != nil {
		return err
	}
	proving, err := p.config(c.Context(), config, adopted, session.Before.Dir)
	if err != nil {
		return err
	}
	proving.Dir = dir
	proving.Measure.Progress, proving.Tell = progress.show, progress.say
	proof, err := session.Prove(c.Context(), proving)
	progress.done()
	if err != nil {
		return err
	}
	return p.print(s, proof, dir)
}

// projectOf reads the project file of the tree before; nil when it has none.
func projectOf(dir string) (*project.File, error) {
	name, err := project.Find(dir)
	if name == "" || err != nil {
		return nil, err
	}
	file, err := project.Open(name)
	if err != nil {
		return nil, status{exitUsage, fmt.Errorf("the tree before: %w", err)}
	}
	return file, nil
}

// rounded checks the flags that say how to measure.
func (p *proveFlags) rounded() (ab.Config, error) {
	c := ab.Config{Identical: p.identical, Budget: p.budget, Profile: p.profile, Seed: rand.Uint64() >> 32}
	switch {
	case p.before == "":
		return c, usage("prove what? Name the tree before the change: unpark prove --before HEAD; the tree after is the working tree")
	case p.load.given("sweep") || p.load.given("slo") || p.load.given("arrivals"):
		return c, usage("--sweep, --slo and --arrivals have no one load level; a proof is of one: name it with --rate or --connections")
	case p.identical < 0 || p.budget < 0 || p.profile < 0 || p.profile%time.Second != 0:
		return c, usage("--identical and --budget cannot be negative, and --profile-duration takes whole seconds")
	case p.rounds == "auto":
		return c, nil
	}
	n, err := strconv.Atoi(p.rounds)
	if err != nil || n < 1 {
		return c, usage("--rounds %q: write a number, or auto", p.rounds)
	}
	c.Rounds = n
	if !p.given("budget") {
		c.Budget = 0
	}
	return c, nil
}

// config says what to prove.
func (p *proveFlags) config(ctx context.Context, measure ab.Config, a adopted, dir string) (prove.Config, error) {
	c := prove.Config{Measure: measure, Package: p.target.pkg, Args: a.args}
	if c.Package == "" {
		return c, usage("prove which service? Name its folder with --pkg ./cmd/server, or as package in the tree before's %s: both trees are built", project.FileName)
	}
	if err := p.target.starting(); err != nil {
		return c, err
	}
	p.load.unstarted = true
	plan, err := p.load.plan(ctx)
	if err != nil {
		return c, err
	}
	if err := newGuard(p.load.mayLoad).admit(ctx, &plan); err != nil {
		return c, err
	}
	if err := roomHere().check(plan); err != nil {
		return c, err
	}
	c.Measure.Run = p.target.config(nil, plan)
	a.apply(&c.Measure.Run)
	c.Measure.Run.Package = ""
	c.Measure.Run.Prepare = p.load.asLate(c.Measure.Run.Prepare)
	if !a.target {
		c.Measure.Run.WorkDir = dir
	}
	if c.Held, err = p.held(ctx, a.file); err != nil {
		return c, err
	}
	c.Tests, err = p.tests(a.file, dir)
	return c, err
}

// held lists what the load must not be weaker than: what the tree before's project file says, and runs.
func (p *proveFlags) held(ctx context.Context, file *project.File) ([]prove.Held, error) {
	var out []prove.Held
	if file != nil && (len(file.URLs) > 0 || file.Rate.Given() || file.Connections > 0) {
		var l loadFlags
		l.register(&cobra.Command{})
		l.rounds, l.unstarted = true, true
		a, err := adopt(file, &l, nil, nil)
		if err != nil {
			return nil, err
		}
		plan, err := l.plan(ctx)
		if err != nil {
			return nil, err
		}
		plan.Duration = file.Duration.Time.Seconds()
		out = append(out, prove.Held{
			Name: project.FileName + " of the tree before", Plan: plan, Prepare: a.prepare,
			Requests: !file.Rate.Given() && file.Connections == 0,
		})
	}
	for _, name := range p.than {
		run, _, err := store.Open(name)
		if err != nil {
			return nil, usage("--than: %w", err)
		}
		out = append(out, prove.Held{Name: "run " + run.ID, Plan: run.Plan, Redacted: true})
	}
	return out, nil
}

// tests is the command that runs the tests.
func (p *proveFlags) tests(file *project.File, dir string) ([]string, error) {
	if p.test != "" {
		env, words, err := splitCommand(p.test)
		if err == nil && len(env) > 0 {
			err = errors.New("export what it needs before")
		}
		if err != nil {
			return nil, usage("--test: %w", err)
		}
		return words, nil
	}
	if file != nil && len(file.Test) > 0 {
		return values(file.Test), nil
	}
	for at := dir; at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return []string{"go", "test", "./..."}, nil
		}
	}
	return nil, usage("the tree before has no go.mod: name what runs its tests: --test 'make test', or test in its %s", project.FileName)
}

// print writes the proof, and says what it came to.
func (p *proveFlags) print(s streams, proof unpark.Proof, dir string) error {
	if p.output.json {
		if err := report.JSON(s.out, proof); err != nil {
			return err
		}
	} else {
		if err := text(s.out, proof); err != nil {
			return err
		}
		fmt.Fprintf(s.out, "  proof     %s\n", filepath.Join(dir, prove.File))
	}
	switch {
	case proof.Verdict == unpark.VerdictProven:
		return nil
	case len(proof.Reasons) > 0 && proof.Reasons[0].Code == "void":
		return status{exitVoid, nil}
	}
	return status{exitWorse, nil} // the report says it
}
