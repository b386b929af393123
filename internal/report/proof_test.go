package report

import (
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// proofs are proofs as they end.
func proofs() map[string]unpark.Proof {
	ratio := unpark.Measured(0.61, "ratio", 14)
	ratio.Low, ratio.High = unpark.Num(0.58), unpark.Num(0.64)
	at := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	proven := unpark.Proof{
		Started: at, Ended: at.Add(4 * time.Minute), Verdict: unpark.VerdictProven, Why: "p99 is better, and nothing else of the service changed",
		Unpark: unpark.Version{Version: "v0.1.0", Go: "go1.26"}, Host: unpark.Host{OS: "linux", Arch: "amd64", CPUs: 2},
		Package: "./cmd/server",
		Before:  unpark.ProofTree{Name: "main", Hash: "git:" + strings.Repeat("a1", 20), Program: strings.Repeat("0", 64)},
		After:   unpark.ProofTree{Name: ".", Hash: "git:" + strings.Repeat("b2", 20), Program: strings.Repeat("1", 64)},
		Plan:    unpark.Plan{Mode: unpark.Constant, RateRPS: 500, Duration: 5, Warmup: 2, Timeout: 30, Requests: []unpark.Request{{Method: "GET", URL: "http://127.0.0.1:8080/price"}}},
		HeldTo:  []string{"unpark.yaml of the tree before", "run find-1"},
		Tests:   unpark.ProofTests{Command: []string{"go", "test", "./..."}, Before: unpark.Num(41), After: unpark.Num(41), Failed: []string{"example.com/a TestFlaky"}},
		Answers: unpark.ProofAsked{Asked: 22, Digest: strings.Repeat("2", 64), Requests: []unpark.ProofAnswer{{Request: "GET http://127.0.0.1:8080/price", Equal: true, Varies: []string{"$.at"}, Before: strings.Repeat("3", 64), After: strings.Repeat("4", 64)}}},
		Rounds:  unpark.ProofRounds{File: "rounds/ab.json", Sum: strings.Repeat("5", 64), Rounds: 14, Effects: []unpark.Effect{{Metric: "p99", Ratio: ratio, Verdict: "better", P: unpark.Num(0.001)}}},
	}
	refused := proven
	refused.Verdict, refused.Why, refused.Rounds = unpark.VerdictRefused, "an answer is not what it was", unpark.ProofRounds{}
	refused.Reasons = []unpark.Notice{{Code: "answers", Message: "GET http://127.0.0.1:8080/price: $.price: before 12, after 0", Cure: "make the answers equal"}}
	refused.Answers.Requests = []unpark.ProofAnswer{{Request: "GET http://127.0.0.1:8080/price", Difference: "$.price: before 12, after 0"}}
	refused.Tests.Replaced = []string{"a_test.go (deleted)"}
	hostile := refused
	hostile.Why, hostile.Before.Name = "\x1b[31m<script>", "\x1b]0;x\a\u202e"
	hostile.Tests.Lost = []string{"\x1b[2J"}
	hostile.Answers.Requests = []unpark.ProofAnswer{{Request: "\x1b[0m", Difference: "\x1b[1m\n" + strings.Repeat("x", 300)}}
	return map[string]unpark.Proof{"proven": proven, "refused": refused, "hostile": hostile, "nothing": {}}
}

func TestProofText(t *testing.T) {
	for name, f := range proofs() {
		text := render(t, Text, f)
		for line := range strings.Lines(text) {
			if w := width(strings.TrimSuffix(line, "\n")); w > columns {
				t.Errorf("%s: a line of %d columns: %q", name, w, line)
			}
		}
		if strings.ContainsAny(text, "\x1b\a\u202e") {
			t.Errorf("%s: not escaped: %q", name, text)
		}
		golden(t, "proof-"+name+".txt", []byte(text))
	}
}

func TestProofFitsTheSchema(t *testing.T) {
	schema := compile(t, "proof.schema.json")
	for name, f := range proofs() {
		err := schema.Validate(parse(t, render(t, JSON, f)))
		if whole := name != "nothing"; whole && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if schema.Validate(parse(t, `{"schema":"unpark.proof/v1"}`)) == nil {
		t.Error("a document without anything is accepted")
	}
}
