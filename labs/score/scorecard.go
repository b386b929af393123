package main

import (
	"io"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/scorecard"
)

// scoreOf is a forecast of a run with its outcome, as unpark ab would note it.
func scoreOf(lab string, before unpark.Run, f unpark.Forecast) unpark.Score {
	return unpark.Score{
		Time: before.Started.UTC(), Unpark: before.Unpark.Version, Target: "labs/" + lab, Metric: f.Metric,
		Class: f.Class, Rule: f.Rule, Function: f.Function, Predicted: f.Predicted, Measured: f.Measured, Inside: f.Inside,
	}
}

// scorecard is every forecast of the board beside its outcome.
func (b board) scorecard(w io.Writer) error {
	var all []unpark.Score
	for _, s := range b.steps {
		all = append(all, s.scores...)
	}
	return scorecard.Markdown(w, scorecard.Sum(all, nil), "make score")
}
