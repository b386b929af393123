package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/bisect"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/prove"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/internal/store"
	"github.com/unpark-go/unpark/internal/store/bucket"
)

func newReport(s streams) *cobra.Command {
	formats := []form{
		{"text", "plain text, at most 100 columns (the default)", text[unpark.Run], text[unpark.Comparison], text[unpark.Benchmarks], text[unpark.Proof], text[unpark.Bisection], false},
		{"json", "the document", report.JSON[unpark.Run], report.JSON[unpark.Comparison], report.JSON[unpark.Benchmarks], report.JSON[unpark.Proof], report.JSON[unpark.Bisection], false},
		{"md", "Markdown, for a pull request", report.Markdown[unpark.Run], report.Markdown[unpark.Comparison], report.Markdown[unpark.Benchmarks], nil, nil, false},
		{"html", "one self-contained page", func(w io.Writer, r unpark.Run) error { return report.HTML(w, r) }, nil, nil, nil, nil, false},
	}
	c := &cobra.Command{
		Use:   "report RUN",
		Short: "Print a run again, in any form",
		Long: `Print a run again, in any form. A run that was killed opens too and is called
partial. The folder of an unpark ab prints its comparison, also of benchmarks, that of
an unpark prove its proof, and that of an unpark bisect what came of the search.

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
			if done, err := chosen.verdict(s.out, dir); done || err != nil {
				return err
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
	proof      func(io.Writer, unpark.Proof) error      // nil: there is none
	bisection  func(io.Writer, unpark.Bisection) error  // as proof
	on         bool
}

// verdict prints a proof or what came of a search, where the folder has one.
func (f form) verdict(w io.Writer, dir string) (done bool, err error) {
	proof, err := compared(dir, prove.File, unpark.SchemaProof, func(p unpark.Proof) string { return p.Schema })
	if err != nil {
		return false, err
	}
	bisection, err := compared(dir, bisect.File, unpark.SchemaBisect, func(b unpark.Bisection) string { return b.Schema })
	switch {
	case err != nil || proof == nil && bisection == nil:
		return false, err
	case f.proof == nil:
		return false, usage("--%s: a proof and a search are printed as text or with --json", f.name)
	case proof != nil:
		return true, f.proof(w, *proof)
	}
	return true, f.bisection(w, *bisection)
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
