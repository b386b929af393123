package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/judge/slowdown"
)

// experimentFlags ask for a second prediction by slowing sites down.
type experimentFlags struct {
	on     bool
	budget time.Duration
	width  float64

	given func(flag string) bool
}

func (e *experimentFlags) register(c *cobra.Command) {
	f := c.Flags()
	e.given = f.Changed
	f.BoolVar(&e.on, "experiment", false, "with --pkg: where the forecast is not certain, add a small delay at the cause and see what it does (docs/experiment.md)")
	f.Float64Var(&e.width, "experiment-width", slowdown.DefaultWidth, "a forecast is not certain when its throughput interval, high ÷ low, is wider than this (1: experiment with all)")
	f.DurationVar(&e.budget, "experiment-budget", investigate.DefaultSlowdown, "how long --experiment may take, after the run")
}

// apply checks the flags and says in the config what to do.
func (e *experimentFlags) apply(c *investigate.Config) error {
	switch {
	case !e.on && (e.given("experiment-budget") || e.given("experiment-width")):
		return usage("--experiment-budget and --experiment-width are for --experiment: give it too")
	case !e.on:
		return nil
	case c.Package == "":
		return usage("--experiment builds the service anew with a delay in it: name its package, --pkg ./cmd/server, in place of a command or endpoint")
	case c.LoadCommand != "":
		return usage("--experiment repeats the load many times, which a --load-command cannot be counted on to do: use --connections")
	case e.budget < time.Second:
		return usage("--experiment-budget %v: a round alone takes several seconds: name a time such as 2m", e.budget)
	case !(e.width >= 1):
		return usage("--experiment-width %v: it is high ÷ low, 1 or more", e.width)
	}
	c.Slowdown, c.SlowdownWidth = e.budget, e.width
	return nil
}
