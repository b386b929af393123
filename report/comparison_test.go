package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/unpark-go/unpark"
)

func comparisons() map[string]unpark.Comparison {
	lock := lockAtTheKnee()
	fixed := unpark.Comparison{
		Schema: "unpark.ab/v1", Rounds: 1,
		Effects: []unpark.Effect{
			{Metric: "throughput", Before: unpark.Measured(428, "req/s", 1), After: unpark.Measured(427.6, "req/s", 1), Ratio: unpark.Measured(0.999, "ratio", 1), Verdict: "same"},
			{Metric: "p50", Before: unpark.Measured(0.021, "s", 1), After: unpark.Measured(0.0033, "s", 1), Ratio: unpark.Measured(0.157, "ratio", 1), Verdict: "better"},
			{Metric: "p99", Before: unpark.Measured(0.0921, "s", 1), After: unpark.Measured(0.0129, "s", 1), Ratio: unpark.Measured(0.14, "ratio", 1), Verdict: "better"},
			{Metric: "cpu_per_request", Before: unpark.Measured(0.00217, "s/req", 1), After: unpark.Measured(0.00213, "s/req", 1), Ratio: unpark.Between(0.982, 0.95, 1.02, "ratio", 1), Verdict: "same"},
			{Metric: "bytes_per_request", Before: unpark.Measured(34816, "B/req", 1)},
		},
		Findings: []unpark.Changed{
			{Finding: lock.Findings[1], Change: "same"}, {Finding: lock.Findings[0], Change: "gone"},
		},
		Forecast: []unpark.Forecast{
			{Metric: "p99", Predicted: lock.Findings[0].Prediction.P99, Measured: unpark.Measured(0.14, "ratio", 1), Inside: true},
			{Metric: "throughput", Predicted: lock.Findings[0].Prediction.Throughput, Measured: unpark.Measured(1.2, "ratio", 1)},
			{Metric: "p50"},
		},
		Warnings: []unpark.Notice{{Code: "one-round", Message: "One round each is no proof: two identical runs differ as well.", Cure: "Run both in turns, several rounds each."}},
	}
	fixed.Effects[4].Verdict = "same"
	worse := fixed
	worse.Rounds, worse.Forecast, worse.Warnings = 8, nil, nil
	worse.Effects = []unpark.Effect{{Metric: "p99", Before: unpark.Measured(0.01, "s", 8), After: unpark.Measured(0.02, "s", 8), Ratio: unpark.Between(2, 1.8, 2.3, "ratio", 8), Verdict: "worse"}}
	worse.Findings = []unpark.Changed{{Finding: lock.Findings[0], Change: "new"}}
	evil := unpark.Comparison{
		Effects:  []unpark.Effect{{Metric: "\x1b[31m<b>|x" + repeat("m", 200), Verdict: "`|\n"}},
		Findings: []unpark.Changed{{Finding: hostile().Findings[0], Change: "\x1b[2J<script>"}},
		Forecast: []unpark.Forecast{{Metric: "<script>|"}},
		Warnings: hostile().Warnings,
	}
	return map[string]unpark.Comparison{"fixed": fixed, "worse": worse, "hostile": evil, "nothing": {}}
}

func TestComparison(t *testing.T) {
	for name, c := range comparisons() {
		t.Run(name, func(t *testing.T) {
			var text, colour, md bytes.Buffer
			if err := ComparisonText(&text, c); err != nil {
				t.Fatal(err)
			}
			if err := ComparisonColor(&colour, c); err != nil {
				t.Fatal(err)
			}
			if err := ComparisonMarkdown(&md, c); err != nil {
				t.Fatal(err)
			}
			golden(t, "compare-"+name+".txt", text.Bytes())
			golden(t, "compare-"+name+".md", md.Bytes())
			checkLines(t, text.String())
			checkMarkdown(t, md.String())
			if ansi.Strip(colour.String()) != text.String() {
				t.Error("colour differs in more than colour")
			}
		})
	}
}

func TestComparisonVerdict(t *testing.T) {
	for name, want := range map[string]string{
		"fixed": "BETTER  p50 21.0 ms → 3.30 ms", "worse": "WORSE  p99 10.0 ms → 20.0 ms · 1 finding new · 8 rounds", "nothing": "UNKNOWN",
	} {
		var b bytes.Buffer
		if err := ComparisonText(&b, comparisons()[name]); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(b.String(), want) {
			t.Errorf("%s: %.100s", name, b.String())
		}
	}
}
