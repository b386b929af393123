package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/load/selfcheck"
	"github.com/unpark-go/unpark/internal/measure/target/rusage"
)

// schemaSelfcheck names the version of the selfcheck document.
const schemaSelfcheck = "unpark.selfcheck/v1"

// selfcheckFlags are those of `unpark load --selfcheck`.
type selfcheckFlags struct{ on, short bool }

func (f *selfcheckFlags) register(c *cobra.Command) {
	c.Flags().BoolVar(&f.on, "selfcheck", false, "drive load at a server of unpark's own whose times are known, and compare")
	c.Flags().BoolVar(&f.short, "short", false, "with --selfcheck: half as long")
}

func (f *selfcheckFlags) run(c *cobra.Command, s streams, l *loadFlags, o *loadOutput, args []string) error {
	for _, name := range []string{"url", "rate", "sweep", "duration", "connections", "warmup"} {
		if l.given(name) || len(args) > 0 {
			return usage("--selfcheck brings its own server and load: leave out URLs and --%s", name)
		}
	}
	progress := newProgress(s.err, o.quiet)
	checks, err := selfcheck.Run(c.Context(), selfcheck.Options{
		Short: f.short, Protocol: l.protocol, Host: thisHost{},
		Progress: func(phase string, left time.Duration, live load.Live) {
			progress.show(investigate.Event{Phase: phase, Left: left, Live: &live})
		},
	})
	progress.done()
	if c.Context().Err() != nil {
		err = errors.New("interrupted: the checks that were not finished are missing")
	}
	if len(checks) == 0 {
		return err
	}
	if printed := printChecks(s.out, checks, o.json); printed != nil {
		return errors.Join(err, fmt.Errorf("print the checks: %w", printed))
	}
	if err != nil {
		return err
	}
	return verdict(checks)
}

// verdict turns the checks into the exit status.
func verdict(checks []selfcheck.Check) error {
	n := map[selfcheck.Verdict]int{}
	for _, c := range checks {
		n[c.Verdict]++
	}
	switch {
	case n[selfcheck.Fail] > 0:
		return fmt.Errorf("selfcheck: %d of %d figures are not as they should be: do not trust this generator on this machine", n[selfcheck.Fail], len(checks))
	case n[selfcheck.Busy] > 0:
		return status{exitVoid, fmt.Errorf("selfcheck: void: this machine was busy with other work, which may be why %d of %d figures are off: stop it and check again", n[selfcheck.Busy], len(checks))}
	}
	return nil
}

// printChecks writes one aligned line for each check, or the document.
func printChecks(w io.Writer, checks []selfcheck.Check, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(struct {
			Schema string            `json:"schema"`
			Checks []selfcheck.Check `json:"checks"`
		}{schemaSelfcheck, checks})
	}
	for _, c := range checks {
		line := fmt.Sprintf("%-38s %16s %12s  %s", c.Name, asked(c.Asked), amount(c.Measured.Value, c.Measured.Unit), c.Verdict)
		if c.Verdict == selfcheck.Told {
			line = strings.TrimSuffix(line, "  "+string(c.Verdict))
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
		if c.Note != "" {
			if _, err := fmt.Fprintf(w, "  %s\n", c.Note); err != nil {
				return err
			}
		}
	}
	return nil
}

// asked prints the truth with its tolerance, or a bound.
func asked(q unpark.Quantity) string {
	truth, known := q.Value.Get()
	high, bounded := q.High.Get()
	switch {
	case known && bounded:
		return fmt.Sprintf("%s ± %.2g %%", amount(q.Value, q.Unit), 100*(high/truth-1))
	case bounded:
		return "≤ " + amount(q.High, q.Unit)
	}
	return ""
}

func amount(n unpark.Number, unit string) string {
	v, ok := n.Get()
	switch {
	case !ok:
		return "~"
	case unit == "count":
		return thousands(v)
	case unit == "ratio":
		return fmt.Sprintf("%.3f ×", v)
	case v >= 0.9995: // what rounds up to the next unit is shown in it
		return fmt.Sprintf("%.3f s", v)
	case v >= 0.9995e-3:
		return fmt.Sprintf("%.3g ms", v*1e3)
	}
	return fmt.Sprintf("%.3g µs", v*1e6)
}

// thisHost starts unpark's own binary as the server.
type thisHost struct{}

var _ selfcheck.Host = thisHost{}

func (thisHost) Used() unpark.Number {
	m, err := rusage.ReadMachine()
	if err != nil {
		return unpark.Number{}
	}
	return unpark.Num(m.Busy + m.Steal)
}

func (thisHost) Serve(ctx context.Context, s selfcheck.Service) (selfcheck.Server, error) {
	self, err := os.Executable()
	if err != nil {
		return selfcheck.Server{}, fmt.Errorf("find unpark's own binary, which is the server: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, selfcheckServer,
		"--period", s.Period.String(), "--freeze", s.Freeze.String(), "--tick", s.Tick.String(), "--work", s.Work.String())
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe() // it ends when this closes, also by our death
	if err != nil {
		return selfcheck.Server{}, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return selfcheck.Server{}, err
	}
	if err := cmd.Start(); err != nil {
		return selfcheck.Server{}, err
	}
	stop := func() error {
		_ = in.Close()
		if err := cmd.Wait(); err != nil && ctx.Err() == nil {
			return err
		}
		return nil
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return selfcheck.Server{}, errors.Join(fmt.Errorf("it did not say where it listens: %w", err), stop())
	}
	pid := cmd.Process.Pid
	return selfcheck.Server{URL: strings.TrimSpace(line), Stop: stop, CPU: func() unpark.Number {
		u, err := rusage.ReadProcess(pid)
		if err != nil {
			return unpark.Number{}
		}
		return unpark.Num(u.CPU)
	}}, nil
}

const selfcheckServer = "selfcheck-server"

// newSelfcheckServer is the process that --selfcheck drives load at.
func newSelfcheckServer() *cobra.Command {
	var service selfcheck.Service
	c := &cobra.Command{
		Use:    selfcheckServer,
		Short:  "The server that load --selfcheck drives load at",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return selfcheck.Serve(c.Context(), service, os.Stdin, c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.DurationVar(&service.Period, "period", 0, "of the freezes")
	f.DurationVar(&service.Freeze, "freeze", 0, "at the start of every period")
	f.DurationVar(&service.Tick, "tick", 0, "grid on which answers leave")
	f.DurationVar(&service.Work, "work", 0, "how long an answer takes")
	return c
}
