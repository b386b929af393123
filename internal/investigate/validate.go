package investigate

import (
	"errors"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/external"
	"github.com/unpark-go/unpark/internal/measure/load/steady"
)

func (c Config) validate() error {
	if len(c.Command) == 0 && c.Package == "" && len(c.Pprof) == 0 && !c.remote() {
		return errors.New("nothing to investigate: name a command after --, a package with --pkg, or an endpoint with --pprof")
	}
	if err := CheckOwn(c.Own); err != nil {
		return err
	}
	if err := c.validateCallees(); err != nil {
		return err
	}
	if err := c.validateSlowdown(); err != nil {
		return err
	}
	if err := c.validateAgents(); err != nil {
		return err
	}
	if c.Plan.Mode == unpark.External {
		return c.validateExternal()
	}
	if c.attached() && c.Plan.Mode != unpark.NoLoad && len(c.Plan.Requests) == 0 {
		return errors.New("drive load at a service that runs already: name its address with --url, or use `unpark capture` to measure the traffic it has")
	}
	return nil
}

// attached reports whether the target is not ours to start and stop.
func (c Config) attached() bool { return len(c.Command) == 0 && c.Package == "" }

func (c Config) validateExternal() error {
	if c.LoadCommand == "" {
		return errors.New("another generator is to drive the load: name its command")
	}
	if c.attached() && len(c.Plan.Requests) == 0 && external.NeedsURL(c.LoadCommand) {
		return errors.New("the load command asks for the address of a service that runs already: name it with --url")
	}
	return nil
}

// validateSlowdown says what a slowdown needs.
func (c Config) validateSlowdown() error {
	switch {
	case c.Slowdown <= 0:
		return nil
	case c.Package == "":
		return errors.New("an experiment builds the service anew with a delay in it: name its package with --pkg")
	case c.Plan.Mode == unpark.External || c.Plan.Mode == unpark.NoLoad:
		return errors.New("an experiment repeats the load many times: let unpark drive it (--connections)")
	}
	return nil
}

// length bounds how long the whole run may take.
func (c Config) length() time.Duration {
	p := c.Plan
	one := seconds(p.Warmup+p.Duration) + 2*c.Baseline + max(c.Trace, c.TraceMost) + 2*time.Minute
	if p.P99Within > 0 {
		one += steady.Longest
		if c.Agents != nil {
			one += steady.Longest / 2 // between blocks, of which the next has to be told
		}
	}
	all := one * time.Duration(max(1, len(p.Levels)))
	if c.SLO != nil {
		all += mostProbes * (probeWarmup + 2*probeLength)
	}
	return all
}
