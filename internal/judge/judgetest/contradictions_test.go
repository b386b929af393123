package judgetest_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/judgetest"
)

// TestContradictionsAreSeen: each of them, in a document that has it.
func TestContradictionsAreSeen(t *testing.T) {
	finding := func(change func(*unpark.Finding)) unpark.Run {
		f := unpark.Finding{Rank: 1, Title: "it", Site: unpark.Site{Function: "main.get", Line: 1}}
		change(&f)
		return unpark.Run{Findings: []unpark.Finding{f}}
	}
	outside := unpark.Quantity{Value: unpark.Num(0.36), Low: unpark.Num(0.42), High: unpark.Num(0.63)}
	wide := unpark.Prediction{P99: unpark.Between(0.3, 0.1, 0.9, "ratio", 1)}
	for want, run := range map[string]unpark.Run{
		"garbage is the limit":  {Limit: unpark.Limit{Kind: unpark.LimitGC}},
		"nothing binds":         {Plan: unpark.Plan{Mode: unpark.Closed}, Limit: unpark.Limit{Kind: unpark.LimitNone}},
		"has rank":              finding(func(f *unpark.Finding) { f.Rank = 2 }),
		"outside of its own":    finding(func(f *unpark.Finding) { f.Prediction.P50 = outside }),
		"a p99 of ×0.1 to ×0.9": finding(func(f *unpark.Finding) { f.Prediction = wide }),
		"costs: a p99 of ×0.1":  {Costs: []unpark.Finding{{Title: "costs", Prediction: wide}}},
		"of blocking: a p99 of": {Blocking: &unpark.Blocking{First: &unpark.Finding{Title: "of blocking", Prediction: wide}}},
		"if halved: a p99 of ×0.1": finding(func(f *unpark.Finding) {
			f.Title, f.Prediction.Alternatives = "if halved", []unpark.Alternative{{P99: wide.P99}}
		}),
		"a share of":            finding(func(f *unpark.Finding) { f.Share = unpark.Num(1.2) }),
		"asked again and again": finding(func(f *unpark.Finding) { f.Class = unpark.ClassRecompute }),
		"the observer":          finding(func(f *unpark.Finding) { f.Site.Function = "runtime/pprof.StopCPUProfile" }),
		"the blocking line":     {Blocking: &unpark.Blocking{First: &unpark.Finding{Title: "it", Prediction: unpark.Prediction{Throughput: unpark.Between(2.18, 2, 3, "ratio", 1)}}}},
	} {
		if got := strings.Join(judgetest.Contradictions(run), "\n"); !strings.Contains(got, want) {
			t.Errorf("%q is not seen: %s", want, got)
		}
	}
	if got := judgetest.Contradictions(finding(func(*unpark.Finding) {})); len(got) > 0 {
		t.Errorf("in a sound document: %v", got)
	}
	own := finding(func(f *unpark.Finding) { f.Site.Function = "github.com/felixge/fgprof.(*profiler).GoroutineProfile" })
	if got := judgetest.Contradictions(own); len(got) > 0 {
		t.Errorf("of a profiler of the service's own: %v", got)
	}
}
