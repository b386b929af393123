package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/measure/dump"
	"github.com/unpark-go/unpark/internal/report"
)

const (
	watchEvery = 10 * time.Second
	watchFor   = time.Minute
	// watchDumps is the least number of dumps that can show that something stands
	// still.
	watchDumps = 3
	exitStuck  = 3 // a gate did not hold
)

// watchFlags are those of `unpark watch`.
type watchFlags struct {
	pprof  []string
	pid    pidFlags
	every  time.Duration
	count  int
	length time.Duration
	idle   []string
	gc     bool
	strict bool
	json   bool
	quiet  bool
}

func newWatch(s streams) *cobra.Command {
	var w watchFlags
	c := &cobra.Command{
		Use:   "watch --pprof URL…",
		Short: "Goroutine dumps over time: what is stuck, and what advances",
		Long: `Take goroutine dumps of a running service over time, and say what is stuck, what
advances, and which goroutines are candidates for a deadlock or a leak.

  unpark watch --pprof http://127.0.0.1:6060
  unpark watch --pprof unix:///run/server/4711.sock --for 5m --every 30s
  unpark watch --pprof http://127.0.0.1:6060 --count 5 --every 1s --json
  unpark watch --pid 4711                          no endpoint, and nothing is stopped

A dump stops the process while it is written; dumps take 1 % of the time at most.
One that is read by --pid is not stopped, and nothing is written into it.
After the first one a garbage collection is asked for, so that the runtime's own
wait times prove what did not run, which they do from a minute on, and at the
end the goroutineleak profile, where the service has it (Go 1.27), which runs one
more. --gc=false leaves both out.

Exit status: 0 nothing is stuck, 1 failed, 2 usage, 3 something is stuck, or a
candidate for a deadlock or a leak. Ctrl-C prints what is known so far, and fails
when there are too few dumps to tell.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return w.run(c, s) },
	}
	f := c.Flags()
	f.StringArrayVar(&w.pprof, "pprof", nil, "profiling endpoint: http://host:port[/path] or unix:///path.sock[:/path]; repeatable")
	w.pid.registerNames(c, "")
	f.BoolVar(&w.pid.readOnly, "read-only", false, "with --pid: write nothing into the process, which a watch never does")
	_ = f.MarkHidden("read-only")
	f.DurationVar(&w.every, "every", watchEvery, "time between two dumps")
	f.IntVarP(&w.count, "count", "n", 0, "number of dumps, in place of --for")
	f.DurationVar(&w.length, "for", watchFor, "time from the first dump to the last")
	f.StringArrayVar(&w.idle, "idle", nil, "`function` below which a wait is idle, such as 'main.(*Hub).run' or 'main.(*Hub)*'; repeatable")
	f.BoolVar(&w.gc, "gc", true, "ask for a garbage collection at the start, and for the goroutineleak profile at the end")
	f.BoolVar(&w.strict, "strict", false, "exit 3 for goroutines, too, that may be idle or forgotten")
	f.BoolVar(&w.json, "json", false, "print the document on standard output")
	f.BoolVarP(&w.quiet, "quiet", "q", false, "no progress on standard error")
	c.MarkFlagsMutuallyExclusive("count", "for")
	return c
}

// check refuses what cannot tell anything.
func (w *watchFlags) check() error {
	switch {
	case len(w.pprof) == 0 && !w.pid.given():
		return usage("watch what? Name the endpoint of a running service with --pprof, such as http://127.0.0.1:6060, or a process of this machine with --pid")
	case w.every <= 0:
		return usage("--every %v: name a time above 0, such as 10s", w.every)
	case w.count != 0 && w.count < watchDumps:
		return usage("--count %d: it takes %d dumps to tell what stands still", w.count, watchDumps)
	case w.count == 0 && w.length < (watchDumps-1)*w.every:
		return usage("--for %v --every %v: it takes %d dumps to tell what stands still: watch for %v or take one every %v",
			w.length, w.every, watchDumps, (watchDumps-1)*w.every, max(w.length/(watchDumps-1), time.Millisecond))
	}
	return nil
}

func (w *watchFlags) run(c *cobra.Command, s streams) (err error) {
	if err := w.check(); err != nil {
		return err
	}
	ctx := c.Context()
	attached, err := w.pid.open(c)
	if err != nil {
		return err
	}
	if attached != nil {
		w.pprof = append(w.pprof, attached.Addresses...)
		defer func() { err = errors.Join(err, attached.Close()) }()
	}
	sources, stop, err := watchSources(ctx, w.pprof, w.gc)
	defer stop()
	if err != nil {
		return err
	}
	p := newProgress(s.err, w.quiet)
	config := dump.Config{
		Sources: sources, Every: w.every, Count: w.count, For: w.length, Idle: w.idle, Version: buildVersion(),
		Progress: func(e dump.Event) { p.show(watchEvent(e)) },
	}
	found, err := dump.Run(ctx, config)
	p.done()
	if err != nil {
		return err
	}
	if err := w.print(s, found); err != nil {
		return fmt.Errorf("print the watch: %w", err)
	}
	return watchStatus(found, w.strict)
}

// watchStatus is the exit status of a watch that was printed: what is found counts
// even where dumps are missing, and nothing found does not.
func watchStatus(found unpark.Watch, strict bool) error {
	if !found.Holds(strict) {
		return status{exitStuck, nil}
	}
	for _, n := range found.Warnings {
		if n.Code == dump.TooFew {
			return errors.New("watch: " + n.Message)
		}
	}
	return nil
}

func (w *watchFlags) print(s streams, found unpark.Watch) error {
	if w.json {
		return report.JSON(s.out, found)
	}
	return text(s.out, found)
}

// watchEvent tells of one round of dumps.
func watchEvent(e dump.Event) investigate.Event {
	goroutines := "goroutines"
	if e.Goroutines == 1 {
		goroutines = "goroutine"
	}
	detail := fmt.Sprintf("%s %s in %v", thousands(float64(e.Goroutines)), goroutines, e.Took.Round(10*time.Microsecond))
	if e.Next > 0 {
		detail += fmt.Sprintf(", the next one in %v", e.Next.Round(100*time.Millisecond))
	}
	return investigate.Event{Phase: fmt.Sprintf("dump %d/%d", e.Dump, e.Of), Detail: detail}
}

// watchToken is what the probe asks for when it does not listen on loopback.
func watchToken() string { return os.Getenv("UNPARK_PROBE_TOKEN") }
