package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/check"
	"github.com/unpark-go/unpark/internal/project"
)

const (
	exitBroken = 3 // a gate did not hold
	// budgetFile is the budget when none is named, where it is there.
	budgetFile = "unpark.budget.yaml"
)

// checkFlags are those of `unpark check`.
type checkFlags struct {
	budget    string
	baselines []string
	md        string
	junit     string
	sarif     string
	github    bool
	root      string
	falsely   bool
	absolute  bool
	project   projectFlags
	file      *project.File // nil without one
}

func newCheck(s streams) *cobra.Command {
	var k checkFlags
	c := &cobra.Command{
		Use:   "check [RUN] [--budget FILE] [--baseline RUN…]",
		Short: "Hold a run against a budget: a gate for CI",
		Long: `Hold a run against a budget (docs/check.md), in absolute terms or against runs of
the version before.

  unpark check unpark-runs/today --budget unpark.budget.yaml
  unpark check unpark-runs/today --baseline runs/main-1 --baseline runs/main-2 --baseline runs/main-3
  unpark check unpark-runs/ab-today          the result of unpark ab: many rounds of each
  unpark check                               the newest run, with the budget and baseline of unpark.yaml
  unpark check --false-positives             how often identical runs would be called broken

  p99: < 50ms                                unpark.budget.yaml
  throughput: at least -5%
  errors: < 0.1%
  waiters: { "store.(*DB).Get": < 2 }
  no_new_findings: any

A bound against a baseline is broken when the change exceeds it by more than
identical runs differ by; three or more baselines tell by how much on this machine.
A change within that is "cannot tell", and breaks nothing.

Exit status: 0 the budget is kept, 1 failed, 2 usage, 3 it is broken, or a bound was
not measured, 4 the run or every baseline is void.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return k.run(c.Context(), s, args) },
	}
	f := c.Flags()
	k.project.register(c)
	f.StringVar(&k.budget, "budget", "", "budget `file` (that of "+project.FileName+", or "+budgetFile+" where it is there; else nothing may be worse than the baseline)")
	f.StringArrayVar(&k.baselines, "baseline", nil, "`run` to hold this one against; repeatable: three or more tell the noise")
	f.BoolVar(&k.absolute, "absolute", false, "leave bounds against a baseline out: for the first run, when there is none yet")
	f.StringVar(&k.md, "md", "", "write a Markdown summary to `file`; - is standard output")
	f.StringVar(&k.junit, "junit", "", "write JUnit XML to `file`")
	f.StringVar(&k.sarif, "sarif", "", "write SARIF 2.1.0 to `file`")
	f.BoolVar(&k.github, "github", false, "print annotations for GitHub Actions as well")
	f.StringVar(&k.root, "root", "", "`folder` that file names are relative to (the nearest with .git)")
	f.BoolVar(&k.falsely, "false-positives", false, "print how often identical runs, as recorded, would break the budget")
	return c
}

func (k *checkFlags) run(ctx context.Context, s streams, args []string) error {
	var err error
	if k.file, err = k.project.open(); err != nil {
		return err
	}
	budget, err := k.readBudget()
	if err != nil {
		return err
	}
	if k.falsely {
		if len(args) > 0 {
			return usage("--false-positives plays recorded runs: leave %s out", args[0])
		}
		return check.FalsePositivesText(s.out, budget, 1, 2, 3, 5, 8)
	}
	if newest := newestRun(k.file); len(args) == 0 && newest != "" {
		fmt.Fprintf(s.err, "%s: the newest run is %s\n", k.file.Name, newest)
		args = []string{newest}
	}
	if len(args) == 0 {
		return usage("check which run? Name the directory that unpark run printed: unpark check unpark-runs/…")
	}
	outputs, err := k.outputs()
	if err != nil {
		return err
	}
	leftOut := 0
	if k.absolute {
		all := len(budget.Bounds)
		budget.Bounds = slices.DeleteFunc(budget.Bounds, func(b unpark.Bound) bool { return b.Baseline })
		leftOut = all - len(budget.Bounds)
	}
	subject, err := openSubject(ctx, args[0], k.baselineOf(args[0]), budget)
	if err != nil {
		return err
	}
	if err := k.complete(budget, subject); err != nil {
		return err
	}
	c := check.Judge(subject, budget)
	if leftOut > 0 {
		c.Warnings = append(c.Warnings, unpark.Notice{
			Code: "absolute-only", Message: fmt.Sprintf("bounds against a baseline are left out: %d", leftOut), Cure: "name runs of the version before with --baseline",
		})
	}
	if err := k.write(s, c, outputs, placesOf(k.root, subject.Run.Target.Module)); err != nil {
		return err
	}
	switch {
	case c.IsVoid():
		return status{exitVoid, nil} // the text says why
	case !c.Holds():
		return status{exitBroken, nil}
	}
	return nil
}

// readBudget reads the budget that was named, the one that lies here, or takes the
// default one.
func (k *checkFlags) readBudget() (unpark.Budget, error) {
	name := k.budget
	if b := k.ofFile(); name == "" && len(b.Inline) > 0 {
		budget, err := check.Read(k.file.Name, b.Inline)
		if err != nil {
			return budget, status{exitUsage, err}
		}
		return budget, nil
	} else if name == "" && b.File.Given() {
		name = k.file.Path(b.File)
		if _, err := os.Stat(name); err != nil {
			return unpark.Budget{}, status{exitUsage, k.file.Errorf(b.File, "budget: %w: write it, or name another", err)}
		}
	}
	if name == "" {
		name = filepath.Join(dirOf(k.file), budgetFile)
	}
	text, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && k.budget == "":
		return check.Default(), nil
	case errors.Is(err, fs.ErrNotExist):
		return unpark.Budget{}, usage("read budget %s: there is no such file: name one with --budget", name)
	case err != nil:
		return unpark.Budget{}, fmt.Errorf("read budget %s: %w", name, err)
	}
	b, err := check.Read(filepath.ToSlash(name), text)
	if err != nil {
		return b, status{exitUsage, err}
	}
	return b, nil
}

// complete refuses bounds against a baseline without one.
func (k *checkFlags) complete(b unpark.Budget, s check.Subject) error {
	i := slices.IndexFunc(b.Bounds, func(b unpark.Bound) bool { return b.Baseline })
	switch {
	case i < 0 || len(s.Baselines) > 0:
		return nil
	case b.File == "":
		return usage("check against what? Write a budget, such as p99: < 50ms, into %s, or name runs of the version before with --baseline", budgetFile)
	default:
		return usage("%s:%d: %s is held against a baseline: name runs of the version before with --baseline", b.File, b.Bounds[i].Line, b.Bounds[i].Metric)
	}
}

// output is one file to write.
type output struct {
	file  string
	write func(io.Writer, unpark.Check, check.Places) error
}

// outputs lists what to write beside, or on standard output in place of, the text.
func (k *checkFlags) outputs() ([]output, error) {
	md := func(w io.Writer, c unpark.Check, _ check.Places) error { return check.Markdown(w, c) }
	junit := func(w io.Writer, c unpark.Check, _ check.Places) error { return check.JUnit(w, c) }
	var out []output
	standard := 0
	for _, o := range []output{{k.md, md}, {k.junit, junit}, {k.sarif, check.SARIF}} {
		if o.file != "" {
			out = append(out, o)
		}
		if o.file == "-" {
			standard++
		}
	}
	if standard > 1 || standard == 1 && k.github {
		return nil, usage("standard output takes one of --md -, --junit -, --sarif - and --github: give the others a file")
	}
	return out, nil
}

// write prints the text and the annotations, and writes the files.
func (k *checkFlags) write(s streams, c unpark.Check, outputs []output, p check.Places) error {
	text := true
	for _, o := range outputs {
		if o.file == "-" {
			text = false
			if err := o.write(s.out, c, p); err != nil {
				return fmt.Errorf("print the check: %w", err)
			}
			continue
		}
		if err := writeFile(o.file, func(w io.Writer) error { return o.write(w, c, p) }); err != nil {
			return err
		}
	}
	if !text {
		return nil
	}
	err := check.Text(s.out, c)
	if k.github {
		err = errors.Join(err, check.GitHub(s.out, c, p))
	}
	if err != nil {
		return fmt.Errorf("print the check: %w", err)
	}
	return nil
}

// writeFile writes a file that may be there already.
func writeFile(name string, print func(io.Writer) error) error {
	f, err := os.Create(name)
	if err == nil {
		err = errors.Join(print(f), f.Close())
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
