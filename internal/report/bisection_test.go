package report

import (
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// bisections are searches as they end.
func bisections() map[string]unpark.Bisection {
	ratio := func(v, low, high float64) unpark.Quantity {
		q := unpark.Measured(v, "ratio", 9)
		q.Low, q.High = unpark.Num(low), unpark.Num(high)
		return q
	}
	at := time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)
	commit := func(hash, title string, state unpark.CommitState) unpark.Commit {
		return unpark.Commit{Hash: strings.Repeat(hash, 10), Title: title, Time: at, State: state}
	}
	a := commit("a1b2", "cache: keep the parsed form", unpark.CommitMeasured)
	a.Rounds, a.Ratio, a.Probability = 8, ratio(1.004, 0.99, 1.02), unpark.Num(0.002)
	words := commit("b1b2", "docs: words", unpark.CommitUnused)
	broken := commit("c1b2", "half of it", unpark.CommitBroken)
	broken.Why, broken.Probability = "build ./cmd/server: it does not compile", unpark.Num(0)
	culprit := commit("d1b2", "Merge the new encoder, with a title that goes on and on for long", unpark.CommitMeasured)
	culprit.Merge, culprit.Rounds, culprit.Ratio, culprit.Probability = true, 6, ratio(1.052, 1.04, 1.064), unpark.Num(0.991)
	end := commit("e1b2", "release", unpark.CommitMeasured)
	end.Rounds, end.Ratio, end.Probability = 12, ratio(1.05, 1.04, 1.06), unpark.Num(0.007)
	found := unpark.Bisection{
		Package: "./cmd/server", Good: strings.Repeat("0", 40), Bad: end.Hash, Metric: "cpu_per_request", Outcome: "found",
		Why:    "d1b2d1b2d1b2 (Merge the new encoder) changed CPU per request by 4–6.1 %",
		Effect: ratio(1.051, 1.04, 1.061), Culprits: []string{culprit.Hash}, Probability: unpark.Num(0.991),
		Commits: []unpark.Commit{a, words, broken, culprit, end}, Rounds: 26, Builds: 4,
	}
	found.FunctionsTested = &unpark.FunctionsTested{Functions: 14, Rounds: 12, Floor: unpark.Num(0.005), Resolution: unpark.Measured(0.012, "ratio", 12)}
	found.Functions = []unpark.FunctionChange{{
		Function: "example.com/shop/encode.(*Encoder).Write", Metric: "cpu_per_request", Before: unpark.Measured(20e-6, "s/req", 12),
		After: unpark.Measured(28e-6, "s/req", 12), Change: unpark.Measured(8e-6, "s/req", 12), Share: ratio(0.049, 0.04, 0.058), P: unpark.Num(0.0005), Verdict: "worse",
	}}
	same := unpark.Bisection{Outcome: "same", Metric: "p99", Why: "48 rounds of both ends show no difference", Effect: ratio(1.01, 0.98, 1.04), Rounds: 48, Builds: 2}
	hostile := found
	hostile.Why = "\x1b[31m<script>"
	hostile.Functions = []unpark.FunctionChange{{Function: "\x1b[2J<b>", Metric: "cpu_per_request", Verdict: "worse"}}
	hostile.Commits = []unpark.Commit{{Hash: "\x1b]0;x\a", Title: "\x1b[2J<b>\u202e", Rounds: 1, Why: "\x1b[0m", State: unpark.CommitBroken}}
	return map[string]unpark.Bisection{"found": found, "same": same, "hostile": hostile, "nothing": {}}
}

func TestBisectionText(t *testing.T) {
	for name, b := range bisections() {
		text := render(t, Text, b)
		for line := range strings.Lines(text) {
			if w := width(strings.TrimSuffix(line, "\n")); w > columns {
				t.Errorf("%s: a line of %d columns: %q", name, w, line)
			}
		}
		if strings.ContainsAny(text, "\x1b\a\u202e") {
			t.Errorf("%s: not escaped: %q", name, text)
		}
		golden(t, "bisect-"+name+".txt", []byte(text))
	}
}

func TestBisectionFitsTheSchema(t *testing.T) {
	schema := compile(t, "bisect.schema.json")
	for name, b := range bisections() {
		err := schema.Validate(parse(t, render(t, JSON, b)))
		if whole := name == "found" || name == "same"; whole && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if schema.Validate(parse(t, `{"schema":"unpark.bisect/v1"}`)) == nil {
		t.Error("a document without anything is accepted")
	}
}
