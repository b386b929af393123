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
	proof := provedComparison(lock, fixed)
	refused := unpark.Comparison{
		Schema: "unpark.ab/v1", Rounds: 1, Why: "not compared: the runs were not made under the same load",
		Refused: []unpark.Notice{{Code: "different-plans", Message: "the runs were not made under the same load: 50 connections before, 100 after", Cure: "repeat one of them with the other's flags"}},
	}
	few := unpark.Comparison{
		Schema: "unpark.ab/v1", Rounds: 3,
		Speed:    &unpark.MachineSpeed{Varied: unpark.Measured(0.0312, "ratio", 6), Corrected: []string{}, Why: "it takes 8 rounds to tell what it does to the figures"},
		Effects:  []unpark.Effect{{Metric: "p99", Before: unpark.Measured(0.02, "s", 3), After: unpark.Measured(0.01, "s", 3), Ratio: unpark.Measured(0.5, "ratio", 3), P: num(0.25), Verdict: "same"}},
		Warnings: []unpark.Notice{{Code: "too-few-rounds", Message: "3 rounds cannot show a change, however large.", Cure: "run 11 rounds or more"}},
	}
	few.FunctionsTested = &unpark.FunctionsTested{Floor: num(0.005), Why: "that takes 8 rounds with a profile of both arms"}
	none := few
	none.Functions, none.FunctionsTested = []unpark.FunctionChange{}, &unpark.FunctionsTested{Functions: 1, Rounds: 20, Floor: num(0.005)}
	evil := unpark.Comparison{
		FunctionsTested: &unpark.FunctionsTested{Why: "\x1b[31m<script>"},
		Functions:       []unpark.FunctionChange{{Function: "\x1b[31m<b>|x" + repeat("f", 200), Metric: "<script>", Verdict: "`|\n", Share: unpark.Measured(1, "<b>", 1)}},
		Effects:         []unpark.Effect{{Metric: "\x1b[31m<b>|x" + repeat("m", 200), Verdict: "`|\n"}},
		Findings:        []unpark.Changed{{Finding: hostile().Findings[0], Change: "\x1b[2J<script>"}},
		Forecast:        []unpark.Forecast{{Metric: "<script>|"}},
		Warnings:        hostile().Warnings,
	}
	apart := fixed
	apart.NotComparable = []unpark.Notice{{Code: "neighbours", Message: "during the run before, processes that are neither the service nor unpark took 0.90 of 2 cores (45 %)", Cure: "repeat the run"}}
	apart.Why, apart.Forecast = "times are not compared: as above", nil
	apart.Floor = map[string]unpark.Quantity{"bytes_per_request": unpark.Measured(0.1, "ratio", 206), "wait_per_request": unpark.Measured(1, "ratio", 206)}
	apart.Effects = []unpark.Effect{
		{Metric: "throughput", Before: unpark.Measured(428, "req/s", 1), After: unpark.Measured(1614, "req/s", 1), Verdict: "unknown"},
		{Metric: "cpu_per_request", Before: unpark.Measured(0.002, "s/req", 1), After: unpark.Measured(0.001, "s/req", 1), Verdict: "unknown"},
		{Metric: "bytes_per_request", Before: unpark.Measured(34816, "B/req", 1), After: unpark.Measured(17408, "B/req", 1), Ratio: unpark.Measured(0.5, "ratio", 1), Verdict: "better"},
		{Metric: "wait_per_request", Before: unpark.Measured(0.01, "s/req", 1), After: unpark.Measured(0.02, "s/req", 1), Verdict: "unknown"},
		{Metric: "mean_waiters", Before: unpark.Measured(4, "waiters", 1), After: unpark.Measured(32, "waiters", 1), Verdict: "unknown"},
	}
	apart.Findings = []unpark.Changed{{Finding: lock.Findings[1], Change: "unknown"}, {Finding: lock.Findings[0], Change: "unknown", Was: lock.Findings[0].Cost}}
	apart.Findings[1].Cost = unpark.Cost{}
	return map[string]unpark.Comparison{"apart": apart, "fixed": fixed, "worse": worse, "hostile": evil, "nothing": {}, "proof": proof, "refused": refused, "few": few, "none": none}
}

// provedComparison has all that many rounds tell.
func provedComparison(lock unpark.Run, fixed unpark.Comparison) unpark.Comparison {
	c := fixed
	c.Rounds, c.Warnings = 12, nil
	c.Why = "the rate is given and kept (428 req/s), p99 0.14 times what it was: the lock in cache.(*Cache).Get is gone (was 7.81 waiters)"
	c.Effects = []unpark.Effect{
		{Metric: "throughput", Before: unpark.Between(428, 427, 429, "req/s", 12), After: unpark.Between(427.6, 427, 428, "req/s", 12), Ratio: unpark.Between(0.999, 0.997, 1.001, "ratio", 12), P: num(0.92), Verdict: "same"},
		{Metric: "p50", Before: unpark.Measured(0.021, "s", 12), After: unpark.Measured(0.0033, "s", 12), Ratio: unpark.Between(0.157, 0.15, 0.165, "ratio", 12), P: num(0.0005), Verdict: "better"},
		{Metric: "p99", Before: unpark.Measured(0.0921, "s", 12), After: unpark.Measured(0.0129, "s", 12), Ratio: unpark.Between(0.14, 0.11, 0.17, "ratio", 12), P: num(0.0005), Verdict: "better"},
		{Metric: "cpu_per_request", Before: unpark.Measured(0.00217, "s/req", 12), After: unpark.Measured(0.00237, "s/req", 12), Ratio: unpark.Between(1.091, 1.069, 1.114, "ratio", 12), P: num(0.0012), Verdict: "worse"},
		{Metric: "bytes_per_request", Before: unpark.Measured(34816, "B/req", 12), After: unpark.Measured(34712, "B/req", 12), Ratio: unpark.Between(0.997, 0.99, 1.004, "ratio", 12), P: num(0.71), Verdict: "same"},
	}
	c.Floor = map[string]unpark.Quantity{}
	for metric, v := range map[string]float64{"throughput": 0.005, "p50": 0.041, "p99": 0.118, "cpu_per_request": 0.023, "bytes_per_request": 0.006} {
		c.Floor[metric] = unpark.Between(v, v*0.7, v*1.9, "ratio", 14)
	}
	c.Findings = []unpark.Changed{
		{Finding: lock.Findings[1], Change: "grown", Was: unpark.Cost{BytesPerRequest: unpark.Measured(20000, "B/req", 100)}},
		{Finding: lock.Findings[0], Change: "gone", Was: lock.Findings[0].Cost},
	}
	c.Resolution = map[string]unpark.Quantity{"throughput": unpark.Measured(0.005, "ratio", 12), "p99": unpark.Measured(1.6, "ratio", 12), "cpu_per_request": unpark.Measured(0.0612, "ratio", 12)}
	c.Speed = &unpark.MachineSpeed{Varied: unpark.Measured(0.0612, "ratio", 24), Corrected: []string{"p50", "cpu_per_request"}}
	c.Effects[3].Raw, c.Effects[3].Slope = unpark.Between(1.12, 1.03, 1.22, "ratio", 12), num(1.04)
	c.Functions, c.FunctionsTested = changedFunctions(), &unpark.FunctionsTested{Functions: 34, Rounds: 12, Floor: num(0.005), Resolution: unpark.Measured(0.021, "ratio", 12)}
	c.Limits = &unpark.Limits{
		Before: lock.Limit, After: unpark.Limit{Kind: unpark.LimitNone, Why: "nothing in the service is near its limit; CPU is at 51 %"},
	}
	return c
}

func TestComparison(t *testing.T) {
	for name, c := range comparisons() {
		t.Run(name, func(t *testing.T) {
			var text, colour, md bytes.Buffer
			if err := Text(&text, c); err != nil {
				t.Fatal(err)
			}
			if err := Color(&colour, c); err != nil {
				t.Fatal(err)
			}
			if err := Markdown(&md, c); err != nil {
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
		"apart": "NOT COMPARABLE  times have no verdict · bytes per request 34.8 kB/req → 17.4 kB/req · one round each", "fixed": "BETTER  p50 21.0 ms → 3.30 ms", "worse": "WORSE  p99 10.0 ms → 20.0 ms · 1 finding new · 8 rounds", "nothing": "UNKNOWN", "proof": "MIXED  p50 21.0 ms → 3.30 ms", "refused": "REFUSED  these runs cannot be compared", "few": "UNDECIDED  too few rounds to tell · 3 rounds", "none": "UNDECIDED",
	} {
		var b bytes.Buffer
		if err := Text(&b, comparisons()[name]); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(b.String(), want) {
			t.Errorf("%s: %.100s", name, b.String())
		}
	}
}

func TestSpeedText(t *testing.T) {
	for want, s := range map[string]*unpark.MachineSpeed{
		"": nil,
		"Nothing is corrected for the machine's speed: ~.":                   {},
		"Nothing is corrected for the machine's speed: it was not measured.": {Why: "it was not measured"},
		"The machine's speed varied by 6.1 % from run to run; p99 is corrected for it.": {
			Varied: unpark.Measured(0.061, "ratio", 24), Corrected: []string{"p99"},
		},
		"The machine's speed varied by 0.4 % from run to run; throughput, p50 and cpu per request are corrected for it.": {
			Varied: unpark.Measured(0.004, "ratio", 24), Corrected: []string{"throughput", "p50", "cpu_per_request"},
		},
		"The machine's speed varied by 6.1 % from run to run; nothing is corrected for it: the arms moved it.": {
			Varied: unpark.Measured(0.061, "ratio", 24), Why: "the arms moved it",
		},
	} {
		if got := speedText(unpark.Comparison{Speed: s}); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
}
