package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/report"
)

// outputFlags say where the run goes and how it is printed.
type outputFlags struct {
	out   string
	store string // address; empty: none
	json  bool
	quiet bool
	whole bool // findings with all facts

	base string // folder of the project file; empty: this one
}

func (o *outputFlags) register(c *cobra.Command) {
	f := c.Flags()
	f.StringVarP(&o.out, "out", "o", "", "run directory; must not exist (unpark-runs/TIME)")
	f.BoolVar(&o.json, "json", false, "print the run document on standard output")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress on standard error")
}

// registerStore is for commands that make one directory, of a run or of an experiment with its runs.
func (o *outputFlags) registerStore(c *cobra.Command) {
	c.Flags().StringVar(&o.store, "store", "", "keep the directory in a bucket as well: s3://bucket/prefix (docs/store.md)")
}

// dir returns the run directory.
func (o *outputFlags) dir() string {
	if o.out != "" {
		return o.out
	}
	return filepath.Join(o.base, runsFolder, time.Now().Format(runNames))
}

// Runs without a name of their own are named by the time, so that the newest is the
// last by name.
const (
	runsFolder = "unpark-runs"
	runNames   = "20060102-150405.000"
)

// print writes the run as text or as the document.
func (o *outputFlags) print(s streams, outcome investigate.Outcome) error {
	if o.json {
		return report.JSON(s.out, outcome.Run)
	}
	show := text[unpark.Run]
	if !o.whole {
		show = brief
	}
	if err := show(s.out, outcome.Run); err != nil {
		return err
	}
	if outcome.Dir != "" {
		fmt.Fprintf(s.out, "report    %s\n", filepath.Join(outcome.Dir, investigate.ReportFile))
	}
	return nil
}

// brief is a run with its findings in a few lines each.
func brief(w io.Writer, run unpark.Run) error { return report.Brief(w, run, colour(w)) }

// text is in colour on a terminal.
func text[D report.Document](w io.Writer, d D) error {
	if colour(w) {
		return report.Color(w, d)
	}
	return report.Text(w, d)
}

// failed says what became of a run that did not end.
func (o *outputFlags) failed(s streams, outcome investigate.Outcome, err error) error {
	if outcome.Dir != "" && len(outcome.Run.Windows) > 0 {
		if printed := o.print(s, outcome); printed != nil {
			err = errors.Join(err, printed)
		}
	}
	if outcome.Dir != "" {
		return fmt.Errorf("%w\nunpark: what was captured is kept: unpark report %s", err, outcome.Dir)
	}
	return err
}
