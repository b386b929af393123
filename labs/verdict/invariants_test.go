package verdict

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestNoContradictions holds every recorded verdict against what no document may say,
// whatever was measured.
func TestNoContradictions(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(recordings, "*.zip"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, file := range files {
		for _, what := range contradictions(reached(t, file)) {
			t.Errorf("%s: %s", filepath.Base(file), what)
		}
	}
}

// contradictions are the sentences of a document that cannot be true together.
func contradictions(run unpark.Run) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if run.Plan.Mode == unpark.Closed && run.Limit.Kind == unpark.LimitNone {
		say("a closed loop that nothing binds")
	}
	worthless := false
	for i, f := range run.Findings {
		if f.Rank != i+1 {
			say("finding %d has rank %d", i+1, f.Rank)
		}
		for name, q := range map[string]unpark.Quantity{"throughput": f.Prediction.Throughput, "p50": f.Prediction.P50, "p99": f.Prediction.P99} {
			if q.Known() && !q.Contains(q.Value.Or(0)) {
				say("%s: %s is outside of its own interval: %+v", f.Title, name, q)
			}
		}
		if v, ok := f.Share.Get(); ok && (v < 0 || v > 1+1e-9) {
			say("%s: a share of %v", f.Title, v)
		}
		nothing := f.Prediction.BuysNothing()
		if worthless && !nothing && f.Prediction.Throughput.Value.Or(1) > 1+unpark.LeastGain && f.Class != unpark.ClassRateLimit {
			say("%s: is worth something, and comes after what is worth nothing", f.Title)
		}
		worthless = worthless || nothing
		if i == 0 && f.Class == unpark.ClassRecompute && len(run.Plan.Requests) < 2 {
			say("%s: one request was asked again and again, and its answer is called computed again", f.Title)
		}
		if strings.HasPrefix(f.Site.Function, "runtime/pprof.") || strings.HasPrefix(f.Site.Function, "net/http/pprof.") {
			say("%s: the observer", f.Title)
		}
		for _, other := range run.Findings[:i] {
			if costs(f) && costs(other) && f.Culprit != nil && other.Culprit != nil && f.Culprit.Function == other.Culprit.Function && f.Site == other.Site {
				say("%s, and %s: one cause told twice", other.Title, f.Title)
			}
		}
	}
	if b := run.Blocking; b != nil && b.First != nil && b.First.Prediction.Throughput.Value.Or(1) > 1+unpark.LeastGain && !told(run, *b.First) {
		say("the blocking line promises ×%.2f for %s, and no finding does", b.First.Prediction.Throughput.Value.Or(1), b.First.Title)
	}
	return out
}

// costs reports a finding about processors.
func costs(f unpark.Finding) bool {
	return f.Class == unpark.ClassCPU || f.Class == unpark.ClassAlloc || f.Class == unpark.ClassRecompute
}

// told reports whether a finding is about the place of another one.
func told(run unpark.Run, first unpark.Finding) bool {
	for _, f := range run.Findings {
		if f.Class == first.Class || f.Site.Function == first.Site.Function || f.Waiter != nil && first.Waiter != nil && f.Waiter.Function == first.Waiter.Function {
			return true
		}
	}
	return false
}

// TestContradictionsAreSeen: each of them, in a document that has it.
func TestContradictionsAreSeen(t *testing.T) {
	finding := func(change func(*unpark.Finding)) unpark.Run {
		f := unpark.Finding{Rank: 1, Title: "it", Site: unpark.Site{Function: "main.get", Line: 1}}
		change(&f)
		return unpark.Run{Findings: []unpark.Finding{f}}
	}
	outside := unpark.Quantity{Value: unpark.Num(0.36), Low: unpark.Num(0.42), High: unpark.Num(0.63)}
	for want, run := range map[string]unpark.Run{
		"nothing binds":         {Plan: unpark.Plan{Mode: unpark.Closed}, Limit: unpark.Limit{Kind: unpark.LimitNone}},
		"has rank":              finding(func(f *unpark.Finding) { f.Rank = 2 }),
		"outside of its own":    finding(func(f *unpark.Finding) { f.Prediction.P50 = outside }),
		"a share of":            finding(func(f *unpark.Finding) { f.Share = unpark.Num(1.2) }),
		"asked again and again": finding(func(f *unpark.Finding) { f.Class = unpark.ClassRecompute }),
		"the observer":          finding(func(f *unpark.Finding) { f.Site.Function = "runtime/pprof.StopCPUProfile" }),
		"the blocking line":     {Blocking: &unpark.Blocking{First: &unpark.Finding{Title: "it", Prediction: unpark.Prediction{Throughput: unpark.Between(2.18, 2, 3, "ratio", 1)}}}},
	} {
		if got := strings.Join(contradictions(run), "\n"); !strings.Contains(got, want) {
			t.Errorf("%q is not seen: %s", want, got)
		}
	}
	if got := contradictions(finding(func(*unpark.Finding) {})); len(got) > 0 {
		t.Errorf("in a sound document: %v", got)
	}
}
