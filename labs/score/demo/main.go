// Demo is what `unpark demo LAB` runs: the slow arm of a lab under `unpark run`,
// the fixed one, and both side by side.
//
//	go run ./labs/score/demo place
//	go run ./labs/score/demo -list
//
// Exit status: that of unpark; 4 when one of the runs is void.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/unpark-go/unpark/labs/expect"
	"github.com/unpark-go/unpark/labs/score/arms"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are what the flags say.
type options struct {
	arms.Settings
	lab    string
	list   bool
	quiet  bool
	out    string
	unpark string
}

// Exit statuses, as unpark's.
const (
	failed = 1
	usage  = 2
	void   = 4
)

func parse(args []string, stderr io.Writer) (options, error) {
	o := options{Settings: arms.Settings{Warmup: 2 * time.Second, Trace: time.Second, Baseline: 2 * time.Second}}
	f := flag.NewFlagSet("demo", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.DurationVar(&o.Window, "duration", 10*time.Second, "length of each window, whole seconds")
	f.BoolVar(&o.list, "list", false, "print the labs")
	f.BoolVar(&o.quiet, "quiet", false, "no progress on standard error")
	f.StringVar(&o.out, "out", "", "`folder` for the two run directories (unpark-runs/TIME)")
	f.StringVar(&o.unpark, "unpark", "", "`binary` to use, in place of one built from this tree")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() == 1 {
		o.lab = f.Arg(0)
	}
	if f.NArg() > 1 || o.list == (o.lab != "") {
		err := fmt.Errorf("demo of what? Name one lab: see -list")
		fmt.Fprintln(stderr, err)
		return o, err
	}
	if o.out == "" {
		o.out = filepath.Join("unpark-runs", time.Now().Format("20060102-150405.000"))
	}
	o.Most = o.Window + 2*time.Minute
	return o, nil
}

// run shows a lab and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if err != nil {
		return usage
	}
	status := failed
	tree, err := arms.Find(ctx)
	switch {
	case err != nil:
	case o.list:
		status, err = 0, list(stdout, tree.Labs)
	default:
		status, err = show(ctx, tree, o, stdout, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "unpark: %v\n", err)
		return failed
	}
	return status
}

func list(w io.Writer, labs []expect.Lab) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, lab := range labs {
		if lab.Demo != nil {
			fmt.Fprintf(t, "%s\t%s\n", lab.Name, lab.Demo.Question)
		}
	}
	return t.Flush()
}

// show builds a lab, runs both arms and compares them.
func show(ctx context.Context, tree arms.Tree, o options, stdout, stderr io.Writer) (int, error) {
	lab, err := choose(tree.Labs, o.lab)
	if err != nil {
		return usage, err
	}
	bin, err := os.MkdirTemp("", "unpark-demo-")
	if err != nil {
		return failed, fmt.Errorf("make a folder for the lab's binary: %w", err)
	}
	defer os.RemoveAll(bin)
	out, err := filepath.Abs(o.out) // unpark runs in the tree's root
	if err != nil {
		return failed, err
	}
	d := demo{options: o, lab: lab, out: out, stdout: stdout}
	if !o.quiet {
		d.progress = stderr
	}
	tree.Labs = []expect.Lab{lab}
	if d.bench, err = tree.Build(ctx, bin, o.unpark, stderr); err != nil {
		return failed, err
	}
	return d.both(ctx)
}

func choose(labs []expect.Lab, name string) (expect.Lab, error) {
	var names []string
	for _, lab := range labs {
		if lab.Demo == nil {
			continue
		}
		if lab.Name == name {
			return lab, nil
		}
		names = append(names, lab.Name)
	}
	return expect.Lab{}, fmt.Errorf("there is no demo of %q: choose %s", name, strings.Join(names, ", "))
}

// demo is one lab that is being shown.
type demo struct {
	options
	bench    *arms.Bench
	lab      expect.Lab
	out      string // folder of both runs, absolute
	rate     string
	stdout   io.Writer
	progress io.Writer // nil: quiet
}

func (d *demo) both(ctx context.Context) (int, error) {
	show := d.lab.Demo
	d.say("%s\n\n", show.Question)
	var statuses []int
	for _, name := range []string{show.Before, show.After} {
		if name == show.After {
			d.say("\nThe same load on the fixed service: %s\n\n", show.Fix)
		}
		status, err := d.arm(ctx, name)
		if err != nil || status != 0 && status != void {
			return status, err
		}
		statuses = append(statuses, status)
	}
	before, after := filepath.Join(d.out, show.Before), filepath.Join(d.out, show.After)
	d.say("\n")
	res, err := d.bench.Compare(ctx, before, after, d.stdout, d.progress)
	return max(statuses[0], statuses[1], res.Exit), err
}

func (d *demo) arm(ctx context.Context, name string) (int, error) {
	arm := d.lab.Arms[name]
	if arms.Calibrated(arm) && d.rate == "" {
		var err error
		if d.rate, err = d.bench.Rate(ctx, d.lab, arm, d.Settings, io.Discard); err != nil {
			return failed, err
		}
	}
	if err := os.MkdirAll(d.out, 0o755); err != nil {
		return failed, fmt.Errorf("make a folder for the runs: %w: name another with --out", err)
	}
	res, err := d.bench.Run(ctx, arms.Request{
		Lab: d.lab, Arm: arm, Rate: d.rate, Dir: filepath.Join(d.out, name), Settings: d.Settings, Progress: d.progress,
	}, d.stdout)
	if err == nil && res.Exit != 0 && res.Exit != void && d.quiet {
		err = errors.New(res.Said)
	}
	return res.Exit, err
}

// say tells the story beside the figures.
func (d *demo) say(format string, args ...any) {
	if d.progress != nil {
		fmt.Fprintf(d.progress, format, args...)
	}
}
