package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/scorecard"
	"github.com/unpark-go/unpark/internal/store"
)

func newScorecard(s streams) *cobra.Command {
	var json, md bool
	c := &cobra.Command{
		Use:   "scorecard [FILE|DIR]",
		Short: "How well unpark's own forecasts came true",
		Long: `Print how well forecasts came true: the share of outcomes inside of the promised
interval, how wide those intervals were, and the error by class of finding. Every
unpark ab that removes what a finding names adds a line to the scorecard.

  unpark scorecard                     $XDG_DATA_HOME/unpark/scorecard.jsonl
  unpark scorecard results/            every scorecard.jsonl in it and below
  unpark scorecard --md > docs/scorecard.md`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			scores, notices, err := openScores(args)
			if err != nil {
				return err
			}
			write := scorecard.Text
			switch {
			case json:
				write = scorecard.JSON
			case md:
				write = func(w io.Writer, c unpark.Scorecard) error {
					return scorecard.Markdown(w, c, "unpark scorecard --md")
				}
			}
			return printScorecard(s.out, write, scorecard.Sum(scores, notices))
		},
	}
	c.Flags().BoolVar(&json, "json", false, "print the scorecard document")
	c.Flags().BoolVar(&md, "md", false, "print Markdown, every forecast beside its outcome")
	c.MarkFlagsMutuallyExclusive("json", "md")
	return c
}

// openScores reads the file or folder that was named, or the default file: that it
// is not there yet is no failure.
func openScores(args []string) ([]unpark.Score, []unpark.Notice, error) {
	if len(args) > 0 {
		return store.Scores(args[0])
	}
	path, err := store.ScorecardPath()
	if err != nil {
		return nil, nil, err
	}
	scores, notices, err := store.Scores(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, []unpark.Notice{{
			Code: "no-scorecard", Message: path + " is not there yet", Cure: "run unpark ab, or name a file",
		}}, nil
	}
	return scores, notices, err
}

func printScorecard(w io.Writer, write func(io.Writer, unpark.Scorecard) error, c unpark.Scorecard) error {
	if err := write(w, c); err != nil {
		return fmt.Errorf("print the scorecard: %w", err)
	}
	return nil
}
