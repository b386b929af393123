package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark/internal/bench"
	"github.com/unpark-go/unpark/internal/report"
)

// benchFlags are those of `unpark ab --bench`.
type benchFlags struct {
	pattern string
	time    time.Duration
}

func (b *benchFlags) register(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&b.pattern, "bench", "", "compare Go benchmarks that match the `pattern`, as go test -bench has it, of two revisions; packages are arguments")
	f.DurationVar(&b.time, "benchtime", bench.DefaultTime, "with --bench: length of a benchmark in a round")
}

// benchmarks runs benchmarks in turns and prints what changed.
func (a *abFlags) benchmarks(c *cobra.Command, s streams, packages []string) error {
	config, err := a.benchConfig(packages)
	if err != nil {
		return err
	}
	progress := newABProgress(s.err, a.output.quiet)
	config.Tell, config.Dir = progress.say, a.output.dir()
	out, err := bench.Run(c.Context(), config)
	progress.done()
	if out.Dir == "" {
		return err
	}
	if a.output.json {
		err = errors.Join(err, report.JSON(s.out, out.Document))
	} else {
		err = errors.Join(err, text(s.out, out.Document))
		fmt.Fprintf(s.out, "\nreport    %s\nfiles     benchstat %s %s\n", filepath.Join(out.Dir, bench.ReportFile), filepath.Join(out.Dir, "before.txt"), filepath.Join(out.Dir, "after.txt"))
	}
	if err == nil && out.Document.Worse() {
		return status{exitWorse, nil} // the report says it
	}
	return err
}

// benchConfig checks the flags that benchmarks have.
func (a *abFlags) benchConfig(packages []string) (bench.Config, error) {
	c := bench.Config{
		Before: a.before, After: a.after, Packages: packages, Pattern: a.bench.pattern, BuildDir: a.target.buildDir, Tags: a.target.tags,
		Time: a.bench.time, Profile: a.functions,
	}
	if a.before == "" || a.after == "" {
		return c, usage("compare which revisions? unpark ab --bench %s --before main --after .", strconv.Quote(a.bench.pattern))
	}
	if a.target.pkg != "" {
		return c, usage("--bench and --pkg are two things: packages with benchmarks are arguments, as in: unpark ab --bench . --before main --after . ./...")
	}
	for _, flag := range []string{"url", "rate", "connections", "duration", "identical", "profile-duration", "store"} {
		if a.given(flag) {
			return c, usage("--%s is of a service under load: with --bench nothing is asked (--benchtime is how long a benchmark runs)", flag)
		}
	}
	if _, err := regexp.Compile(a.bench.pattern); err != nil {
		return c, usage("--bench %q: %w", a.bench.pattern, err)
	}
	if a.bench.time <= 0 || a.budget < 0 {
		return c, usage("--benchtime takes a length of more than 0, and --budget cannot be negative")
	}
	var err error
	c.Rounds, c.Budget, c.Seed, err = a.turns()
	return c, err
}
