package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/internal/store"
	"github.com/unpark-go/unpark/internal/store/bucket"
)

func newReport(s streams) *cobra.Command {
	formats := []form{
		{"text", "plain text, at most 100 columns (the default)", text[unpark.Run], text[unpark.Comparison], text[unpark.Benchmarks], false},
		{"json", "the document", report.JSON[unpark.Run], report.JSON[unpark.Comparison], report.JSON[unpark.Benchmarks], false},
		{"md", "Markdown, for a pull request", report.Markdown[unpark.Run], report.Markdown[unpark.Comparison], report.Markdown[unpark.Benchmarks], false},
		{"html", "one self-contained page", func(w io.Writer, r unpark.Run) error { return report.HTML(w, r) }, nil, nil, false},
	}
	c := &cobra.Command{
		Use:   "report RUN",
		Short: "Print a run again, in any form",
		Long: `Print a run again, in any form. A run that was killed opens too and is called
partial. The folder of an unpark ab prints its comparison, also of benchmarks.

  unpark report unpark-runs/20260102-150405.000 --html > report.html
  unpark report s3://perf/nightly/20260102-150405.000`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			chosen := formats[0]
			for _, f := range formats {
				if f.on {
					chosen = f
				}
			}
			dir, err := local(c.Context(), args[0], bucket.Profiles)
			if err != nil {
				return err
			}
			rounds, err := openRounds(dir)
			if err != nil {
				return err
			}
			if rounds != nil {
				return again(s.out, dir, *rounds, chosen.comparison)
			}
			benchmarks, err := openBenchmarks(dir)
			if err != nil {
				return err
			}
			if benchmarks != nil {
				return again(s.out, dir, *benchmarks, chosen.benchmarks)
			}
			outcome, err := investigate.Open(dir)
			if err != nil {
				return err
			}
			return chosen.run(s.out, outcome.Run)
		},
	}
	var names []string
	for i := range formats {
		c.Flags().BoolVar(&formats[i].on, formats[i].name, false, formats[i].help)
		names = append(names, formats[i].name)
	}
	c.MarkFlagsMutuallyExclusive(names...)
	return c
}

// form is one form of a report.
type form struct {
	name       string
	help       string
	run        func(io.Writer, unpark.Run) error
	comparison func(io.Writer, unpark.Comparison) error // nil: the page that is in the folder
	benchmarks func(io.Writer, unpark.Benchmarks) error // as comparison
	on         bool
}

// again prints the result of unpark ab in dir; without a way to, the page that is there. That has every round
// and the differential flame graphs, which the document has not.
func again[D any](w io.Writer, dir string, d D, print func(io.Writer, D) error) error {
	if print != nil {
		return print(w, d)
	}
	page, err := store.File(dir, investigate.ReportFile)
	if err != nil {
		return fmt.Errorf("open the page of %s: %w: print --md or --text, or repeat unpark ab", dir, err)
	}
	defer page.Close()
	_, err = io.Copy(w, page)
	return err
}
