package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/investigate"
	"github.com/unpark-go/unpark/report"
)

func newReport(s streams) *cobra.Command {
	formats := []struct {
		name  string
		help  string
		write func(io.Writer, unpark.Run) error
		on    bool
	}{
		{"text", "plain text, at most 100 columns (the default)", text, false},
		{"json", "the run document", report.JSON, false},
		{"md", "Markdown, for a pull request", report.Markdown, false},
		{"html", "one self-contained page", report.HTML, false},
	}
	c := &cobra.Command{
		Use:   "report RUN",
		Short: "Print a run again, in any form",
		Long: `Print a run again, in any form. A run that was killed opens too and is called
partial.

  unpark report unpark-runs/20260102-150405.000 --html > report.html`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			outcome, err := investigate.Open(args[0])
			if err != nil {
				return err
			}
			for _, f := range formats {
				if f.on {
					return f.write(s.out, outcome.Run)
				}
			}
			return text(s.out, outcome.Run)
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
