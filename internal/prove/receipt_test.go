//go:build linux

package prove

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestTooFew: rounds that can show nothing do not say that nothing moved, and those that can do.
func TestTooFew(t *testing.T) {
	same := unpark.Effect{Metric: "throughput", Verdict: "same"}
	better := unpark.Effect{Metric: "throughput", Verdict: "better"}
	few := unpark.Notice{Code: "too-few-rounds", Message: "5 rounds cannot show a change, however large.", Cure: "run 11 rounds or more"}
	for _, c := range []struct {
		name           string
		effect         unpark.Effect
		warnings       []unpark.Notice
		verdict, first string
		left           int // warnings
	}{
		{"too few", same, []unpark.Notice{{Code: "no-write"}, few}, unpark.VerdictNotProven, "too-few-rounds", 1},
		{"few, and they can show a change", same, []unpark.Notice{{Code: "few-rounds"}}, unpark.VerdictNotProven, "same", 1},
		{"better", better, nil, unpark.VerdictProven, "", 0},
	} {
		p := &prover{proof: unpark.Proof{Rounds: unpark.ProofRounds{Effects: []unpark.Effect{c.effect}}, Warnings: c.warnings}}
		p.conclude()
		first := ""
		if len(p.proof.Reasons) > 0 {
			first = p.proof.Reasons[0].Code
		}
		if p.proof.Verdict != c.verdict || first != c.first || len(p.proof.Warnings) != c.left {
			t.Errorf("%s: %s, %q, %+v", c.name, p.proof.Verdict, p.proof.Reasons, p.proof.Warnings)
		}
	}
}
