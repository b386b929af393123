package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/lookup"
	"github.com/unpark-go/unpark/internal/measure/target/sockets"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/probe/agent"
)

func newDemo(s streams) *cobra.Command {
	var o outputFlags
	var duration time.Duration
	var list bool
	c := &cobra.Command{
		Use:   "demo [LAB]",
		Short: "Find the bottleneck of a sample service, then see the fix proved",
		Long: `Find the bottleneck of a sample service, then see the fix proved.

unpark runs itself as a price lookup service over HTTP: slow first, then fixed,
under the same load, and compares what it predicted with what came out. Nothing
else is needed and nothing leaves this machine.

  unpark demo --list     the labs: services with a database, a Raft log, a quota
  unpark demo place      one of them in the same way

A lab is built from the source tree: it needs a clone of unpark, and Go.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			length, err := wholeSeconds(duration)
			if err != nil {
				return err
			}
			switch {
			case list && len(args) > 0:
				return usage("demo --list takes no lab")
			case list:
				return demoLab(c.Context(), s, "", &o, duration)
			case len(args) > 0 && o.json:
				return usage("demo %s --json: a lab is two runs; their documents are run.json in the run directories", args[0])
			case len(args) > 0:
				return demoLab(c.Context(), s, args[0], &o, duration)
			}
			return demo(c, s, &o, length)
		},
	}
	c.Flags().DurationVarP(&duration, "duration", "d", 10*time.Second, "length of each window, whole seconds")
	c.Flags().BoolVar(&list, "list", false, "print the labs that can be shown")
	o.register(c)
	return c
}

// demo runs both arms and compares them.
func demo(c *cobra.Command, s streams, o *outputFlags, length float64) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find unpark's own binary, which is the sample service: %w", err)
	}
	if !o.quiet {
		fmt.Fprintf(s.err, "A price lookup service answers in 2 ms when it is alone. Under load its p99 is many times that. Why?\n\n")
	}
	dir := o.dir()
	config := investigate.Defaults()
	config.Plan = unpark.Plan{Mode: unpark.Poisson, Connections: 512, Duration: length, Warmup: 2, Timeout: 30, Seed: 1}
	config.Prepare, config.Baseline, config.Version = atTheKnee, 2*time.Second, buildVersion()
	progress := newProgress(s.err, o.quiet)
	config.Progress = progress.show
	arm := func(name string, args ...string) (investigate.Outcome, error) {
		config.Command, config.Dir = append([]string{self, sampleName}, args...), filepath.Join(dir, name)
		if !sockets.Supported {
			if err := named(&config); err != nil {
				return investigate.Outcome{}, err
			}
		}
		outcome, err := investigate.Run(c.Context(), config)
		progress.done()
		return outcome, err
	}
	slow, err := arm("slow")
	if err != nil {
		return o.failed(s, slow, err)
	}
	if err := o.print(s, slow); err != nil {
		return err
	}
	if !o.quiet && !o.json {
		fmt.Fprintf(s.err, "\nThe same load on the fixed service (`unpark sample --fixed`): the store is read outside the lock, and nothing else changes.\n\n")
	}
	config.Prepare, config.Plan = same(slow.Run.Plan), slow.Run.Plan
	config.Plan.Requests = nil
	fixed, err := arm("fixed", "--fixed")
	if err != nil {
		return o.failed(s, fixed, err)
	}
	comparison := compare.Runs(slow.Run, fixed.Run)
	if o.json {
		if err := report.JSON(s.out, fixed.Run); err != nil {
			return err
		}
		return report.JSON(s.out, comparison)
	}
	if err := printComparison(s, comparison, false); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "report    %s\n", filepath.Join(fixed.Dir, investigate.ReportFile))
	fmt.Fprintf(s.out, "proof     %s\n", proofCommand(slow.Run.Plan.RateRPS))
	if slow.Run.IsVoid() || fixed.Run.IsVoid() {
		return status{exitVoid, fmt.Errorf("the demo is void on this machine: see the notices above")}
	}
	return nil
}

// named gives the sample an address, on systems where the one that it chooses
// itself cannot be found. Another process may take the port first: then it says so.
func named(config *investigate.Config) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("find a free port for the sample service: %w", err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		return fmt.Errorf("find a free port for the sample service: %w", err)
	}
	config.Command = append(config.Command, "--addr", addr)
	config.Plan.Requests = []unpark.Request{{Method: http.MethodGet, URL: "http://" + addr + "/calibration"}}
	return nil
}

// proofCommand is how a user proves the same with many rounds.
func proofCommand(rate float64) string {
	const sample = "unpark sample --addr 127.0.0.1:8717"
	return fmt.Sprintf("unpark ab --before '%s' --after '%s --fixed' --url http://127.0.0.1:8717/lookup/7 -r poisson:%.0f/s", sample, sample, rate)
}

// atTheKnee sets the rate from the hold that the service measured at its start:
// the lock's utilisation is then about 0.95 on any machine.
func atTheKnee(ctx context.Context, base string, plan unpark.Plan) (unpark.Plan, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/calibration", nil)
	if err != nil {
		return plan, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return plan, fmt.Errorf("ask the sample service for its calibration: %w", err)
	}
	defer resp.Body.Close()
	var cal lookup.Calibration
	if err := json.NewDecoder(resp.Body).Decode(&cal); err != nil {
		return plan, fmt.Errorf("read the sample service's calibration: %w", err)
	}
	plan.RateRPS = math.Round(cal.Rate)
	plan.Requests = products(base)
	return plan, nil
}

// same gives the fixed arm the rate of the slow one.
func same(slow unpark.Plan) func(context.Context, string, unpark.Plan) (unpark.Plan, error) {
	return func(_ context.Context, base string, plan unpark.Plan) (unpark.Plan, error) {
		plan.RateRPS, plan.Requests = slow.RateRPS, products(base)
		return plan, nil
	}
}

// products asks for a few dozen of the sample's products, all alike.
func products(base string) []unpark.Request {
	out := make([]unpark.Request, 32)
	for i := range out {
		out[i] = unpark.Request{Method: http.MethodGet, URL: fmt.Sprintf("%s/lookup/%d", base, i)}
	}
	return out
}

const sampleName = "sample"

// newSample is the service that demo starts: unpark's own binary, so that the
// demo needs no toolchain.
func newSample() *cobra.Command {
	var config lookup.Config
	var kept bool
	c := &cobra.Command{
		Use:    sampleName,
		Short:  "The service that demo investigates",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			probe, err := agent.Start(agent.Options{})
			if err != nil {
				return err
			}
			if probe != nil {
				defer func() { _ = probe.Close() }() // the process ends with it
			}
			config.Garbage = !kept // a fix of the lock alone is what the forecast is of
			return lookup.Serve(c.Context(), config)
		},
	}
	c.Flags().StringVar(&config.Addr, "addr", "127.0.0.1:0", "address to serve on")
	c.Flags().BoolVar(&config.Fixed, "fixed", false, "read the store outside the lock")
	c.Flags().BoolVar(&kept, "kept", false, "with --fixed: encode each answer once")
	return c
}
