package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Exit statuses (DESIGN §4).
const (
	exitOK     = 0 // a verdict was reached
	exitFailed = 1
	exitUsage  = 2
	exitVoid   = 4 // the run is void
)

// status is an error that carries the exit status. A nil err prints nothing:
// everything was said already.
type status struct {
	code int
	err  error
}

func (s status) Error() string {
	if s.err == nil {
		return fmt.Sprintf("exit status %d", s.code)
	}
	return s.err.Error()
}

func (s status) Unwrap() error { return s.err }

func usage(format string, args ...any) error {
	return status{exitUsage, fmt.Errorf(format, args...)}
}

// streams are where a command writes: the result, and what people watch.
type streams struct{ out, err io.Writer }

// terminal reports whether w is a terminal that may be coloured.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func colour(w io.Writer) bool {
	return terminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// execute runs one command line and returns its exit status.
func execute(args []string, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // a second Ctrl-C ends unpark at once
	}()
	root := newRoot(streams{out, errs})
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	var s status
	if !errors.As(err, &s) {
		s = status{exitFailed, err}
		if isUsage(err) {
			s.code = exitUsage
		}
	}
	if s.err != nil {
		fmt.Fprintln(errs, "unpark: "+s.err.Error())
	}
	return s.code
}

// isUsage recognises the errors that cobra makes of a wrong command line; it
// has no type for them.
func isUsage(err error) bool {
	text := err.Error()
	for _, p := range []string{"unknown command", "unknown flag", "unknown shorthand", "invalid argument", "flag needs an argument", "accepts ", "requires at least", "if any flags in the group"} {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

// defaultsVariable names other defaults of flags, as run.duration=1s,ab.rounds=2. It is for
// the tests that execute the commands of the documents as they are written there.
const defaultsVariable = "UNPARK_TEST_DEFAULTS"

// shortened sets the flags of a command that were not given.
func shortened(c *cobra.Command, defaults string) error {
	for pair := range strings.SplitSeq(defaults, ",") {
		name, value, _ := strings.Cut(pair, "=")
		name, ours := strings.CutPrefix(name, c.Name()+".")
		f := c.Flags().Lookup(name)
		if !ours || f == nil || f.Changed {
			continue
		}
		if err := f.Value.Set(value); err != nil {
			return usage("%s: %s: %w", defaultsVariable, pair, err)
		}
	}
	return nil
}

func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "unpark",
		Short: "What limits a Go service, what fixing it would buy, and proof that the fix did",
		Long: `unpark holds a load on a Go service, captures every profile of every process in
one window, names what limits it and the lines behind it, and predicts what
fixing each cause would buy.

  unpark demo                                     see it work, needs nothing
  unpark init && unpark run                       your service: unpark.yaml is written, then used
  unpark run --pkg ./cmd/server                   build with the probe added, run, verdict
  unpark run --url http://127.0.0.1:8080/ -- ./server
  unpark run --pprof http://127.0.0.1:6060 --url http://127.0.0.1:8080/
  unpark attach --pid 4711                        a process without any endpoint
  unpark ab --before main --after . --pkg ./cmd/server    proof: two versions in turns
  unpark compare unpark-runs/a unpark-runs/b      two saved runs side by side
  unpark check unpark-runs/a --budget FILE        a gate for CI
  unpark load -r 500/s http://127.0.0.1:8080/     the load alone
  unpark watch --pprof http://127.0.0.1:6060      what is stuck, what advances
  unpark guard --when 'p99>200ms' --pprof URL     armed: captures when it happens
  unpark kube run deploy/checkout --image IMAGE   a workload of Kubernetes, from pods beside it
  unpark ui                                       saved runs in a browser, over time
  unpark doctor                                   what this machine allows, with cures

Exit status: 0 a verdict was reached, 1 failed, 2 usage, 3 a gate did not hold, 4 the
run is void.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		// Before any command reads its data.
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			limitMemory(c)
			return shortened(c, os.Getenv(defaultsVariable))
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage("%w: see `%s --help`", err, c.CommandPath())
	})
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(
		newDemo(s), newInit(s), newRun(s), newAB(s), newBisect(s), newProve(s), newCompare(s), newCheck(s),
		newScorecard(s), newLoad(s), newCapture(s), newAttach(s), newWatch(s), newGuardCommand(s), newUI(s), newStore(s), newMCP(s),
		newAgent(s), newAgents(s), newKube(s), newDoctor(s), newDiagnose(s), newReport(s), newExport(s), newVersion(s), newMan(),
		newSample(), newSelfcheckServer(), newReader(),
	)
	return root
}
