package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/exchange"
	"github.com/unpark-go/unpark/internal/store/bucket"
)

func newExport(s streams) *cobra.Command {
	var pyroscope, otlp, service string
	c := &cobra.Command{
		Use:   "export --pyroscope URL|--otlp FILE|URL RUN",
		Short: "Send a run's profiles to Pyroscope, or as OTLP",
		Long: `Send the profiles of a run to Pyroscope, or write them as OTLP profiles, with the run's ID.

  unpark export --pyroscope http://127.0.0.1:4040 unpark-runs/20260102-150405.000
  unpark export --otlp run.otlp unpark-runs/20260102-150405.000         protobuf
  unpark export --otlp run.otlp.json unpark-runs/20260102-150405.000
  unpark export --otlp http://127.0.0.1:4318 s3://perf/nightly/20260102-150405.000

Profiles can hold secrets: they go where you name it. Execution traces are not sent: neither has
a place for them. Credentials are in the environment: docs/store.md.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if (pyroscope == "") == (otlp == "") {
				return usage("export where? Name one of --pyroscope URL and --otlp FILE|URL")
			}
			dir, err := local(c.Context(), args[0], bucket.Profiles)
			if err != nil {
				return err
			}
			set, err := exchange.OfRun(dir, service)
			if err != nil {
				return err
			}
			n, to := len(set.Profiles), otlp
			switch {
			case pyroscope != "":
				to = pyroscope
				var p *exchange.Pyroscope
				if p, err = exchange.NewPyroscope(pyroscope); err != nil {
					return usage("--pyroscope: %w", err)
				}
				n, err = p.Push(c.Context(), set)
			case strings.HasPrefix(otlp, "http://") || strings.HasPrefix(otlp, "https://"):
				n, err = exchange.PostOTLP(c.Context(), otlp, set)
			default:
				err = writeOTLP(otlp, set)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(s.out, "%s of run %s to %s, as service %s\n", unpark.Counted(int64(n), "profile"), set.Run, to, set.Service)
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&pyroscope, "pyroscope", "", "`URL` of a Pyroscope server")
	f.StringVar(&otlp, "otlp", "", "new `file`, in JSON where it ends in .json, or URL of a receiver of OTLP over HTTP")
	f.StringVar(&service, "service", "", "what the service is called there (the target's name)")
	return c
}

// writeOTLP writes a file that must not exist, for its owner alone.
func writeOTLP(name string, set exchange.Set) error {
	form := exchange.Protobuf
	if strings.HasSuffix(name, ".json") {
		form = exchange.JSON
	}
	data, err := exchange.OTLP(set, form)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("write %s: it exists already: choose another name, or remove it", name)
	}
	if err != nil {
		return fmt.Errorf("write OTLP profiles: %w: choose a place that you may write to", err)
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
