// Score holds unpark against the labs and keeps the score: every lab is built,
// its arms are run under the `unpark run` of this tree, and what that says is
// compared with expect.yaml.
//
//	go run ./labs/score                   docs/scoreboard.md and docs/scorecard.md (make score)
//	go run ./labs/score -short            what CI runs: one repeat of fewer arms
//	go run ./labs/score -resume           go on where an interrupted one stopped
//	go run ./labs/score -only place/ -repeats 1
//
// An arm is right when every repeat is. A run that is void, or during which something
// else had the processors, is repeated once, because it is no answer; the second time
// it counts. Exit status: 0 all right, 1 a miss or an
// incomplete table, 2 usage.
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
	"regexp"
	"syscall"
	"time"

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
	repeats int
	short   bool
	all     bool
	resume  bool
	keep    bool
	list    bool
	only    *regexp.Regexp // nil: every arm
	work    string
	page    string
	lock    string
	unpark  string
}

// most is how long one arm may take; a run of a few seconds that is not over by
// then hangs.
const most = 90 * time.Second

func parse(args []string, stderr io.Writer) (options, error) {
	o := options{Settings: arms.Settings{Most: most}}
	f := flag.NewFlagSet("score", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.DurationVar(&o.Window, "window", 4*time.Second, "length of each window, whole seconds")
	f.DurationVar(&o.Warmup, "warmup", time.Second, "load before it")
	f.DurationVar(&o.Trace, "trace", time.Second, "execution trace after it")
	f.DurationVar(&o.Baseline, "baseline", 0, "unprofiled stretch on each side of it")
	f.IntVar(&o.repeats, "repeats", 3, "of every arm")
	f.BoolVar(&o.short, "short", false, "one repeat of the arms that expect.yaml calls short; forecasts are shown and not judged")
	f.BoolVar(&o.all, "all", false, "also the arms that expect.yaml calls extra")
	f.BoolVar(&o.resume, "resume", false, "keep what the journal has of the same binaries and flags")
	f.BoolVar(&o.keep, "keep", false, "keep all files of all runs, not only of those that were wrong")
	f.BoolVar(&o.list, "list", false, "print the arms that would be run, and run nothing")
	f.StringVar(&o.work, "work", "", "`folder` for the binaries, the journal and the runs (unpark-runs/score)")
	f.StringVar(&o.page, "page", "", "`file` for the table, beside which scorecard.md has the forecasts (docs/scoreboard.md; nowhere with -only or -short)")
	f.StringVar(&o.lock, "lock", "", "`file` that is locked for the time of each run, on a machine where others measure too")
	f.StringVar(&o.unpark, "unpark", "", "`binary` to judge, in place of one built from this tree")
	f.Func("only", "arms whose LAB/ARM matches this `regexp`", func(s string) (err error) {
		o.only, err = regexp.Compile(s)
		return err
	})
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.short {
		o.repeats = 1
	}
	var err error
	switch {
	case f.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", f.Arg(0))
	case o.repeats < 1:
		err = fmt.Errorf("-repeats %d: give 1 or more", o.repeats)
	case o.Window < time.Second || o.Window%time.Second != 0:
		err = fmt.Errorf("-window %v: a CPU profile lasts whole seconds", o.Window)
	}
	if err != nil {
		fmt.Fprintf(stderr, "score: %v\n", err)
	}
	return o, err
}

// run keeps the score and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if err != nil {
		return 2
	}
	right, err := score(ctx, o, stdout, stderr)
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "score: interrupted; -resume goes on from here")
		return 1
	case err != nil:
		fmt.Fprintf(stderr, "score: %v\n", err)
		return 1
	case !right:
		return 1
	}
	return 0
}

// score runs the plan and prints the table, also of a part of it.
func score(ctx context.Context, o options, stdout, stderr io.Writer) (bool, error) {
	root, err := arms.Root(ctx)
	if err != nil {
		return false, err
	}
	labs, err := arms.Labs(root)
	if err != nil {
		return false, err
	}
	plan := schedule(labs, o)
	if len(plan) == 0 {
		return false, errors.New("no arm is asked for: see -list")
	}
	if o.list {
		plan.print(stdout)
		return true, nil
	}
	o.defaults(root)
	s := session{options: o, log: stderr}
	if s.bench, err = arms.Build(ctx, root, filepath.Join(o.work, "bin"), o.unpark, labs, stderr); err != nil {
		return false, err
	}
	if s.journal, err = openJournal(filepath.Join(o.work, "journal.jsonl"), o.resume); err != nil {
		return false, err
	}
	defer s.journal.close()
	s.commit = commit(ctx, root)
	outcomes, stopped := s.carryOut(ctx, plan)
	board := tally(labs, plan, outcomes)
	board.lenient = o.short
	board.Commit, board.Settings = s.commit, o.Settings
	board.text(stdout)
	if o.page != "" {
		card := filepath.Join(filepath.Dir(o.page), "scorecard.md")
		err = errors.Join(writePage(o.page, board.page), writePage(card, board.scorecard))
	}
	return board.right(), errors.Join(stopped, err)
}

func (o *options) defaults(root string) {
	if o.work == "" {
		o.work = filepath.Join(root, "unpark-runs", "score")
	}
	if o.page == "" && o.only == nil && !o.short {
		o.page = filepath.Join(root, "docs", "scoreboard.md")
	}
}
