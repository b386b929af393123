package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/ab"
)

// TestKeepScores: a forecast with two ends goes to the scorecard with what came of it; one of which one end is said does not, nor one of
// a run that was void.
func TestKeepScores(t *testing.T) {
	measured := unpark.Between(3, 2.8, 3.2, "ratio", 9)
	of := func(predicted unpark.Quantity, void bool) ab.Outcome {
		var out ab.Outcome
		out.Comparison.Forecast = []unpark.Forecast{{Metric: "throughput", Class: unpark.ClassLock, Predicted: predicted, Measured: measured, Inside: true}}
		if void {
			out.Before.Run.Void = []unpark.Notice{{Code: "generator"}}
		}
		return out
	}
	for name, c := range map[string]struct {
		out  ab.Outcome
		want int
	}{
		"two ends": {of(unpark.Between(3, 2, 4, "ratio", 9), false), 1},
		"one end":  {of(unpark.Quantity{Unit: "ratio", Low: unpark.Num(2)}, false), 0},
		"void":     {of(unpark.Between(3, 2, 4, "ratio", 9), true), 0},
	} {
		path := filepath.Join(t.TempDir(), "scorecard.jsonl")
		if err := keepScores(c.out, path); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if got := strings.Count(string(text), "throughput"); got != c.want {
			t.Errorf("%s: %d scores, want %d: %s", name, got, c.want, text)
		}
	}
}
