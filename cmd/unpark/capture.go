package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
)

// captureFlags are those of `unpark capture`.
type captureFlags struct {
	target targetFlags
	output outputFlags
	agents fleetFlags
	by     []string // what agents capture
	force  bool
}

func newCapture(s streams) *cobra.Command {
	var f captureFlags
	c := &cobra.Command{
		Use:   "capture --pprof URL…",
		Short: "Capture a window of a running service under the traffic that it has",
		Long: `Capture a window of a running service under the traffic that it has.

  unpark capture --pprof http://127.0.0.1:6060 --duration 30s
  unpark capture --pprof unix:///run/server/4711.sock
  unpark capture --pid 4711                                           no endpoint: read from outside (docs/attach.md)
  unpark capture --agents a,b,c --capture http://127.0.0.1:6060       on each of these machines
  unpark capture --agents a,b --capture a=pid:4711 --capture b=http://127.0.0.1:6060

With --agents all processes of a service are captured in one window, on the machines where they
run (unpark agent), and the verdict is of all together.

The traffic is real, so a service that uses 90 % of its processors or more is not
captured (exit status 1) unless --force is given: a trace would take a few percent
of what it has not got. Behind a plain net/http/pprof on another machine that cannot
be told, which is a warning; of the machine of an agent it is known.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c, s) },
	}
	f.target.register(c, false)
	c.Flags().DurationVarP(&f.target.duration, "duration", "d", 2*investigate.DefaultDuration, "length of the window, whole seconds (30s is the floor for production)")
	c.Flags().BoolVar(&f.force, "force", false, "capture also when the service is saturated")
	f.agents.register(c)
	c.Flags().StringArrayVar(&f.by, "capture", nil, "with --agents: `what` each of them captures there, an endpoint or pid:4711, or agent=what of one; repeatable")
	f.output.register(c)
	f.output.registerStore(c)
	return c
}

// check says what is missing.
func (f *captureFlags) check() error {
	switch {
	case f.agents.given() && len(f.by) == 0:
		return usage("--agents %s: say what they capture with --capture, such as http://127.0.0.1:6060 of each, or a=pid:4711", f.agents.agents)
	case !f.agents.given() && len(f.by) > 0:
		return usage("--capture says what agents capture: name those with --agents")
	case !f.agents.given() && len(f.target.pprof) == 0 && !f.target.pid.given():
		return usage("capture what? Name the endpoint of a running service with --pprof, such as http://127.0.0.1:6060, or a process of this machine with --pid")
	}
	return nil
}

func (f *captureFlags) run(c *cobra.Command, s streams) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	length, err := wholeSeconds(f.target.duration)
	if err != nil {
		return err
	}
	done, err := f.target.attach(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	config := f.target.config(nil, unpark.Plan{Mode: unpark.NoLoad, Duration: length})
	config.Considerate, f.output.whole = !f.force, f.target.verbose
	if f.agents.given() {
		say := s.err
		if f.output.quiet {
			say = io.Discard
		}
		if config.Agents, err = f.agents.team(c.Context(), say, config.Plan, f.by); err != nil {
			return err
		}
		defer config.Agents.Fleet.Close()
	}
	return investigateAndReport(c, s, config, &f.output)
}
