package main

import (
	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/store/bucket"
)

func newDiagnose(s streams) *cobra.Command {
	var o outputFlags
	var own []string
	var source bool
	var from pyroscopeFlags
	c := &cobra.Command{
		Use:   "diagnose DIR|FILE…",
		Short: "Reach a verdict on profiles captured by anything",
		Long: `Reach a verdict on profiles captured by anything: a run directory, a directory
that probe/probetest wrote, loose pprof files, OTLP profiles, or what Pyroscope has of a service.

  unpark diagnose unpark-runs/20260102-150405.000
  unpark diagnose cpu.pb.gz mutex.pb.gz block.pb.gz
  unpark diagnose profiles.otlp                      protobuf or JSON
  unpark diagnose s3://perf/nightly/20260102-150405.000
  unpark diagnose --pyroscope https://pyroscope.example:4040 --service checkout --from 30m

What the source of modules offers at a finding was read when a run was made; --source
reads it anew, of the modules that are on this machine.

Of loose profiles it is told what they hold, each kind in its own unit per second,
and what cannot be said without the rest. A verdict takes load: see unpark run.
What Pyroscope has is merged over processes and time; credentials: docs/store.md.`,
		Args: func(c *cobra.Command, args []string) error {
			if from.address != "" {
				return cobra.NoArgs(c, args)
			}
			return cobra.MinimumNArgs(1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			outcome, err := from.diagnose(c, own)
			if err == nil && from.address == "" {
				if args, err = locals(c.Context(), args, bucket.All); err == nil {
					outcome, err = judged(args, source, own)
				}
			}
			if err != nil {
				return err
			}
			return o.print(s, outcome.Unkept()) // nothing was written
		},
	}
	from.register(c)
	registerOwn(c, &own)
	c.Flags().BoolVarP(&o.whole, "verbose", "v", false, "all that is known of a finding")
	c.Flags().BoolVar(&source, "source", false, "of a run directory: read the source of its modules anew")
	c.Flags().BoolVar(&o.json, "json", false, "print the run document on standard output")
	return c
}

// judged reaches the verdict on what is on this machine.
func judged(paths []string, source bool, own []string) (investigate.Outcome, error) {
	if !source {
		return investigate.Diagnose(paths, buildVersion(), own...)
	}
	if len(paths) != 1 {
		return investigate.Outcome{}, usage("--source is for one run directory")
	}
	return investigate.Config{Own: own}.Anew(paths[0])
}
