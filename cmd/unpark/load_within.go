package main

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
)

// registerWithin adds the flag that makes a measurement as long as its answer needs.
func (l *loadFlags) registerWithin(c *cobra.Command) {
	c.Flags().StringVar(&l.within, "p99-within", "", "how well the p99 is to be known, such as 10%: the warm-up goes on until the load is steady, and --duration is the least")
	for _, other := range []string{"slo", "arrivals", "load-command"} {
		if c.Flags().Lookup(other) != nil {
			c.MarkFlagsMutuallyExclusive("p99-within", other)
		}
	}
}

// steadiness reads --p99-within; 0 when it was not given.
func (l *loadFlags) steadiness(mode unpark.Mode) (float64, error) {
	if l.within == "" {
		return 0, nil
	}
	number, percent := strings.CutSuffix(strings.TrimSpace(l.within), "%")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !percent || !(v >= 1 && v <= 50) {
		return 0, usage("--p99-within %q: write a share from 1%% to 50%%, such as 10%%", l.within)
	}
	if mode == unpark.Ramp {
		return 0, usage("--p99-within %s: a rate that changes has no steady p99: use a constant rate, poisson or a closed loop", l.within)
	}
	return v / 100, nil
}
