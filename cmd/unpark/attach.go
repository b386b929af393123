package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
)

func newAttach(s streams) *cobra.Command {
	var t targetFlags
	var o outputFlags
	var length time.Duration
	c := &cobra.Command{
		Use:   "attach --pid N…",
		Short: "Capture a window of a process that has no endpoint, by reading its memory",
		Long: `Capture a window of a Go process of this machine that has no profiling endpoint and
no code for one, under the traffic that it has: nothing is restarted, stopped or
signalled.

  unpark attach --pid 4711
  unpark attach --pid-of checkout --duration 30s
  unpark attach --pid 4711 --read-only

It reads what the Go runtime keeps of itself: the profiles of blocking, locks and
allocations, and goroutines with their stacks. The kernel samples its CPU (perf).
Nothing is written but the two rates that turn the recording of blocking and locks
on, which are put back at the end, also when unpark is killed; --read-only leaves
them, and what the process does not record itself is off. Allocations are off in a
program that cannot ask for them; --memory-rate turns them on, with a third. There is
no execution trace: what makes the slowest requests slow is not told.

It takes Linux, and the right to read the process: the same user, or root (docs/attach.md).
With load: unpark run --pid 4711 --url http://127.0.0.1:8080/`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if !t.pid.given() {
				return usage("attach to what? Name a process of this machine with --pid, such as --pid 4711, or its program with --pid-of")
			}
			seconds, err := wholeSeconds(length)
			if err != nil {
				return err
			}
			done, err := t.attach(c)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, done()) }()
			config := t.config(nil, unpark.Plan{Mode: unpark.NoLoad, Duration: seconds})
			o.whole = t.verbose
			return investigateAndReport(c, s, config, &o)
		},
	}
	t.register(c, false)
	c.Flags().DurationVarP(&length, "duration", "d", 2*investigate.DefaultDuration, "length of the window, whole seconds")
	for _, name := range []string{"pprof", "trace"} {
		_ = c.Flags().MarkHidden(name)
	}
	o.register(c)
	o.registerStore(c)
	return c
}

// attach opens the processes that are named by number, if any: they answer like endpoints
// until done is called.
func (t *targetFlags) attach(c *cobra.Command) (done func() error, err error) {
	attached, err := t.pid.open(c)
	if err != nil || attached == nil {
		return func() error { return nil }, err
	}
	t.pprof = append(t.pprof, attached.Addresses...)
	t.pid.tell(c)
	return attached.Close, nil
}

// tell prints the intent, unless nothing is to be printed.
func (p *pidFlags) tell(c *cobra.Command) {
	if quiet, _ := c.Flags().GetBool("quiet"); !quiet {
		fmt.Fprintln(c.ErrOrStderr(), p.intent())
	}
}

// intent says what will be written into the processes, and what for, before it is.
func (p *pidFlags) intent() string {
	if p.readOnly {
		return "read      from outside; nothing is written"
	}
	also := ""
	if p.memory > 0 {
		also = ", and runtime.MemProfileRate, for allocations"
	}
	return `read      from outside; written and put back where they are 0: runtime.blockprofilerate and
          runtime.mutexprofilerate, without which waits are not recorded` + also + " (--read-only: nothing)"
}
