package main

import (
	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark/internal/investigate"
)

func newDiagnose(s streams) *cobra.Command {
	var o outputFlags
	var own []string
	c := &cobra.Command{
		Use:   "diagnose DIR|FILE…",
		Short: "Reach a verdict on profiles captured by anything",
		Long: `Reach a verdict on profiles captured by anything: a run directory, a directory
that probe/probetest wrote, or loose pprof files.

  unpark diagnose unpark-runs/20260102-150405.000
  unpark diagnose cpu.pb.gz mutex.pb.gz block.pb.gz

Of loose profiles it is told what they hold, each kind in its own unit per second,
and what cannot be said without the rest. A verdict takes load: see unpark run.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			outcome, err := investigate.Diagnose(args, buildVersion(), own...)
			if err != nil {
				return err
			}
			outcome.Dir = "" // nothing was written
			return o.print(s, outcome)
		},
	}
	registerOwn(c, &own)
	c.Flags().BoolVarP(&o.whole, "verbose", "v", false, "all that is known of a finding")
	c.Flags().BoolVar(&o.json, "json", false, "print the run document on standard output")
	return c
}
