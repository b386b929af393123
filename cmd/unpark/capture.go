package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
)

func newCapture(s streams) *cobra.Command {
	var t targetFlags
	var o outputFlags
	var force bool
	c := &cobra.Command{
		Use:   "capture --pprof URL…",
		Short: "Capture a window of a running service under the traffic that it has",
		Long: `Capture a window of a running service under the traffic that it has.

  unpark capture --pprof http://127.0.0.1:6060 --duration 30s
  unpark capture --pprof unix:///run/server/4711.sock

The traffic is real, so a service that uses 90 % of its processors or more is not
captured (exit status 1) unless --force is given: a trace would take a few percent
of what it has not got. Behind a plain net/http/pprof on another machine that cannot
be told, which is a warning.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if len(t.pprof) == 0 && !t.pid.given() {
				return usage("capture what? Name the endpoint of a running service with --pprof, such as http://127.0.0.1:6060, or a process of this machine with --pid")
			}
			length, err := wholeSeconds(t.duration)
			if err != nil {
				return err
			}
			done, err := t.attach(c)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, done()) }()
			config := t.config(nil, unpark.Plan{Mode: unpark.NoLoad, Duration: length})
			config.Considerate, o.whole = !force, t.verbose
			return investigateAndReport(c, s, config, &o)
		},
	}
	t.register(c, false)
	c.Flags().DurationVarP(&t.duration, "duration", "d", 2*investigate.DefaultDuration, "length of the window, whole seconds (30s is the floor for production)")
	c.Flags().BoolVar(&force, "force", false, "capture also when the service is saturated")
	o.register(c)
	o.registerStore(c)
	return c
}
