package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/report"
	"github.com/unpark-go/unpark/internal/store/bucket"
)

func newCompare(s streams) *cobra.Command {
	var json, md bool
	var html string
	c := &cobra.Command{
		Use:   "compare BEFORE AFTER",
		Short: "Two saved runs side by side, per request and per second",
		Long: `Compare two saved runs, of any day: what each metric did, per request and per second,
what became of each finding, why the throughput did or did not move. Runs that
cannot be compared (another load, quota or number of processes; void; not ended) are
refused, with the reason.

  unpark compare unpark-runs/monday unpark-runs/friday
  unpark compare unpark-runs/monday unpark-runs/friday --html diff.html    with differential flame graphs
  unpark compare s3://perf/nightly/monday s3://perf/nightly/friday

One run of each is no proof: a change is named where 19 of 20 pairs of identical runs
differ by less. Where something else took more than a tenth of the machine in either
run, times are not compared. unpark ab runs both in turns.

Exit status: 0 compared, 1 failed, refused or not comparable, 2 usage, 4 a run is void.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage("compare which two? Name the folders of two runs: unpark compare BEFORE AFTER (they are in %s)", runsFolder)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			dirs, err := locals(c.Context(), args, bucket.Profiles)
			if err != nil {
				return err
			}
			var runs [2]unpark.Run
			for i, dir := range dirs {
				outcome, err := investigate.Open(dir)
				if err != nil {
					return err
				}
				runs[i] = outcome.Run
			}
			comparison := compare.Runs(runs[0], runs[1])
			if html != "" {
				if err := writePage(html, sidesPage(comparison, runs, dirs)); err != nil {
					return err
				}
			}
			if err := printSides(s, comparison, json, md); err != nil {
				return err
			}
			return refused(comparison)
		},
	}
	f := c.Flags()
	f.BoolVar(&json, "json", false, "print the comparison document on standard output")
	f.BoolVar(&md, "md", false, "print Markdown, for a pull request")
	f.StringVar(&html, "html", "", "write a page with differential flame graphs to this new `file`")
	c.MarkFlagsMutuallyExclusive("json", "md")
	return c
}

// sidesPage is the page of a comparison, with flame graphs where it was made.
func sidesPage(c unpark.Comparison, runs [2]unpark.Run, dirs []string) report.ComparisonPage {
	page := report.ComparisonPage{Comparison: c, Before: runName(dirs[0]), After: runName(dirs[1]), Plan: runs[0].Plan}
	if len(c.Refused) == 0 {
		page.Flames = compare.Diff(runs[0], runs[1])
	}
	return page
}

func printSides(s streams, c unpark.Comparison, json, md bool) error {
	if md {
		return report.Markdown(s.out, c)
	}
	return printComparison(s, c, json)
}

// refused is the exit status of a comparison that was not made; the report says
// why.
func refused(c unpark.Comparison) error {
	for _, n := range c.Refused {
		if n.Code == "void-run" {
			return status{exitVoid, nil}
		}
	}
	if len(c.Refused)+len(c.NotComparable) > 0 {
		return status{exitFailed, nil}
	}
	return nil
}

// runName is how a page names a run.
func runName(dir string) string {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	return filepath.Base(absolute)
}

// writePage writes a page to a file that must not exist: it can hold secrets of the
// profiles, so it is readable by its owner alone.
func writePage(name string, page report.ComparisonPage) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		if errors.Is(err, os.ErrExist) {
			return fmt.Errorf("write %s: it exists already: choose another name, or remove it", name)
		}
		return fmt.Errorf("write the page: %w: choose a place that you may write to", err)
	}
	var w io.Writer = f
	if err := errors.Join(report.ComparisonHTML(w, page), f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
