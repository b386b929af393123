// Live runs the tests whose outcome a neighbour's load can change, apart from the test
// suite: verdicts over services that are measured on this machine, one test at a time,
// and once more where something else had the processors.
//
//	go run ./labs/score/live               all of them (make live)
//	go run ./labs/score/live -days 2       those whose turn it is today, of two days
//	go run ./labs/score/live -only verdict those whose name matches
//
// They are the functions TestLive… in files *_live_test.go, behind the build tag "live",
// next to what they test. The second time counts, disturbed or not. A test that skips
// is named and is no failure: what it needs is not on this machine.
//
// Exit status: 0 all passed, 1 a failure, 2 usage.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"syscall"
	"time"

	"github.com/unpark-go/unpark/internal/rota"
	"github.com/unpark-go/unpark/labs/score/arms"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are what the flags say.
type options struct {
	only *regexp.Regexp // nil: all
	days int
	list bool
}

func parse(args []string, stderr io.Writer) (options, error) {
	o := options{days: 1}
	f := flag.NewFlagSet("live", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&o.days, "days", 1, "spread the tests over so many `days`, and run today's ("+rota.Variable+" names another day, or all)")
	f.BoolVar(&o.list, "list", false, "print the tests that would be run, and run nothing")
	f.Func("only", "tests whose PACKAGE.NAME matches this `regexp`", func(s string) (err error) {
		o.only, err = regexp.Compile(s)
		return err
	})
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 || o.days < 1 {
		err := fmt.Errorf("live: unexpected %q, -days %d: give no arguments, and 1 day or more", f.Args(), o.days)
		fmt.Fprintln(stderr, err)
		return o, err
	}
	return o, nil
}

// run returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if err != nil {
		return 2
	}
	passed, err := o.live(ctx, stdout)
	if err != nil {
		fmt.Fprintf(stderr, "live: %v\n", err)
	}
	if err != nil || !passed {
		return 1
	}
	return 0
}

// live finds the tests and runs those that are asked for.
func (o options) live(ctx context.Context, out io.Writer) (passed bool, err error) {
	tree, err := arms.Find(ctx)
	if err != nil {
		return false, err
	}
	tests, err := find(tree.Root)
	if err != nil {
		return false, err
	}
	tests = o.chosen(tests)
	if len(tests) == 0 {
		return false, errors.New("nothing is asked for: see -list")
	}
	if o.list {
		for _, t := range tests {
			fmt.Fprintln(out, t)
		}
		return true, nil
	}
	bin, err := os.MkdirTemp("", "unpark-live-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(bin)
	b := bench{root: tree.Root, bin: bin, out: out, attempt: attempt}
	began := time.Now()
	failed, err := b.all(ctx, tests)
	fmt.Fprintf(out, "%d passed, %d failed\nin %v\n", len(tests)-failed, failed, time.Since(began).Round(time.Second))
	return failed == 0, err
}

// chosen leaves out what does not match and what has its turn on another day.
func (o options) chosen(tests []test) []test {
	var out []test
	for i, t := range tests {
		if (o.only == nil || o.only.MatchString(t.String())) && rota.On(i%o.days, o.days) {
			out = append(out, t)
		}
	}
	return out
}
