// Score holds unpark against the labs and keeps the score: every lab is built,
// its arms are run under the `unpark run` of this tree, and what that says is
// compared with expect.yaml.
//
//	go run ./labs/score                   docs/scoreboard.md (make score)
//	go run ./labs/score -forecasts        docs/scorecard.md (make scorecard)
//	go run ./labs/score -short            what CI runs: one repeat of fewer arms (make score-short)
//	go run ./labs/score -resume           go on where an interrupted one stopped
//	go run ./labs/score -only place/ -repeats 1
//
// An arm is right when every repeat is. A run that is void, or during which something
// else had the processors, is repeated once, because it is no answer; the second time
// it counts.
//
// With -forecasts every step from a slow arm to a fixed one is judged by rounds of both:
// `unpark run` of the slow one forecasts, `unpark ab` measures.
//
// Exit status: 0 all right, 1 a miss, an incomplete table or fewer forecasts inside of
// their intervals than those promise, 2 usage.
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
	length    arms.Length // of rounds
	repeats   int
	forecasts bool
	short     bool
	all       bool
	resume    bool
	keep      bool
	list      bool
	only      *regexp.Regexp // nil: every arm
	work      string
	page      string
	lock      string
	unpark    string
}

// most is how long one arm may take; a run of a few seconds that is not over by
// then hangs.
const (
	most       = 90 * time.Second
	mostRounds = 5 * time.Minute
)

func parse(args []string, stderr io.Writer) (options, error) {
	o := options{Settings: arms.Settings{Most: most}, length: arms.Length{Most: mostRounds}}
	f := flag.NewFlagSet("score", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.DurationVar(&o.Window, "window", 4*time.Second, "length of each window, whole seconds; 15s with -forecasts")
	f.DurationVar(&o.Warmup, "warmup", time.Second, "load before it")
	f.DurationVar(&o.Trace, "trace", time.Second, "execution trace after it")
	f.DurationVar(&o.Baseline, "baseline", 0, "unprofiled stretch on each side of it")
	f.BoolVar(&o.forecasts, "forecasts", false, "judge forecasts by rounds, in place of verdicts")
	f.IntVar(&o.length.Rounds, "rounds", 5, "of both arms in turns, with -forecasts")
	f.DurationVar(&o.length.Duration, "round", 4*time.Second, "length of each round")
	f.DurationVar(&o.length.Warmup, "round-warmup", time.Second, "load before it")
	f.IntVar(&o.repeats, "repeats", 3, "of every arm; 1 of every step with -forecasts")
	f.BoolVar(&o.short, "short", false, "one repeat of the arms that expect.yaml calls short; forecasts are shown and not judged")
	f.BoolVar(&o.Attach, "attach", false, "services run without a probe, and are read from outside by their numbers (unpark run --pid-of)")
	f.BoolVar(&o.all, "all", false, "also the arms that expect.yaml calls extra")
	f.BoolVar(&o.resume, "resume", false, "keep what the journal has of the same binaries and flags")
	f.BoolVar(&o.keep, "keep", false, "keep all files of all runs, not only of those that were wrong")
	f.BoolVar(&o.list, "list", false, "print the arms that would be run, and run nothing")
	f.StringVar(&o.work, "work", "", "`folder` for the binaries, the journal and the runs (unpark-runs/score, or unpark-runs/scorecard)")
	f.StringVar(&o.page, "page", "", "`file` for the table (docs/scoreboard.md, or docs/scorecard.md; nowhere with -only or -short)")
	f.StringVar(&o.lock, "lock", "", "`file` that is locked for the time of each run, on a machine where others measure too")
	f.StringVar(&o.unpark, "unpark", "", "`binary` to judge, in place of one built from this tree")
	f.Func("only", "arms whose LAB/ARM, or steps whose \"LAB/ARM → ARM\", matches this `regexp`", func(s string) (err error) {
		o.only, err = regexp.Compile(s)
		return err
	})
	if err := f.Parse(args); err != nil {
		return o, err
	}
	given := map[string]bool{}
	f.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if o.forecasts && !given["window"] {
		o.Window = 15 * time.Second
	}
	if o.short || o.forecasts && !given["repeats"] {
		o.repeats = 1
	}
	err := o.check(f.Args())
	if err != nil {
		fmt.Fprintf(stderr, "score: %v\n", err)
	}
	return o, err
}

// check refuses what makes no sense.
func (o options) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q", rest[0])
	case o.repeats < 1 || o.length.Rounds < 1:
		return fmt.Errorf("-repeats %d, -rounds %d: give 1 or more", o.repeats, o.length.Rounds)
	case o.Window < time.Second || o.Window%time.Second != 0:
		return fmt.Errorf("-window %v: a CPU profile lasts whole seconds", o.Window)
	case o.short && o.forecasts:
		return errors.New("-short -forecasts: the short form judges no forecasts: leave one of them out")
	}
	return nil
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

// score runs what is asked for and prints the table, also of a part of it.
func score(ctx context.Context, o options, stdout, stderr io.Writer) (bool, error) {
	tree, err := arms.Find(ctx)
	if err != nil {
		return false, err
	}
	var plan plan
	var steps []trial
	if o.forecasts {
		steps = trials(tree.Labs, o.repeats, o.only)
	} else {
		plan = schedule(tree.Labs, o)
	}
	if len(plan)+len(steps) == 0 {
		return false, errors.New("nothing is asked for: see -list")
	}
	if o.list {
		list(stdout, plan)
		list(stdout, steps)
		return true, nil
	}
	o.defaults(tree.Root)
	s := session{options: o, log: stderr}
	if s.bench, err = tree.Build(ctx, filepath.Join(o.work, "bin"), o.unpark, stderr); err != nil {
		return false, err
	}
	if s.journal, err = openJournal(filepath.Join(o.work, "journal.jsonl"), o.resume); err != nil {
		return false, err
	}
	defer s.journal.close()
	s.commit = commit(ctx, tree.Root)
	begin := time.Now()
	defer func() { fmt.Fprintf(stderr, "score: %v in all\n", time.Since(begin).Round(time.Second)) }()
	if o.forecasts {
		return s.card(ctx, steps, stdout)
	}
	return s.board(ctx, tree.Labs, plan, stdout)
}

func list[T fmt.Stringer](w io.Writer, all []T) {
	for _, a := range all {
		fmt.Fprintln(w, a)
	}
}

// board judges verdicts.
func (s *session) board(ctx context.Context, labs []expect.Lab, p plan, stdout io.Writer) (bool, error) {
	outcomes, stopped := s.carryOut(ctx, p)
	b := tally(labs, p, outcomes)
	b.lenient = s.short
	b.Commit, b.Settings = s.commit, s.Settings
	b.text(stdout)
	return b.right(), errors.Join(stopped, s.write(b.page))
}

// card judges forecasts.
func (s *session) card(ctx context.Context, steps []trial, stdout io.Writer) (bool, error) {
	done, stopped := s.judge(ctx, steps)
	c := card{planned: len(steps), tried: done, commit: s.commit, Settings: s.Settings, length: s.length}
	return c.right(), errors.Join(stopped, c.text(stdout), s.write(c.page))
}

// write makes the page, where one is wanted.
func (o *options) write(page func(io.Writer) error) error {
	if o.page == "" {
		return nil
	}
	return writePage(o.page, page)
}

func (o *options) defaults(root string) {
	name := "score"
	file := "scoreboard.md"
	if o.forecasts {
		name, file = "scorecard", "scorecard.md"
	}
	if o.work == "" {
		o.work = filepath.Join(root, "unpark-runs", name)
	}
	if o.page == "" && o.only == nil && !o.short {
		o.page = filepath.Join(root, "docs", file)
	}
}
