// Package judgetest says what no verdict may say, for tests of recorded and of drawn ones.
package judgetest

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// Contradictions are the sentences of a document that cannot be true together, whatever was
// measured.
func Contradictions(run unpark.Run) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if run.Plan.Mode == unpark.Closed && run.Limit.Kind == unpark.LimitNone {
		say("a closed loop that nothing binds")
	}
	if run.Limit.Kind == unpark.LimitGC && !slices.ContainsFunc(run.Findings, garbage) {
		say("garbage is the limit, and no finding is about it")
	}
	for _, f := range told(run) {
		out = append(out, untellable(f)...)
	}
	worthless := false
	for i, f := range run.Findings {
		if f.Rank != i+1 {
			say("finding %d has rank %d", i+1, f.Rank)
		}
		if v, ok := f.Share.Get(); ok && (v < 0 || v > 1+1e-9) {
			say("%s: a share of %v", f.Title, v)
		}
		nothing := f.Prediction.BuysNothing()
		if worthless && !nothing && f.Prediction.Throughput.Value.Or(1) > 1+unpark.LeastGain && f.Class != unpark.ClassRateLimit {
			say("%s: is worth something, and comes after what is worth nothing", f.Title)
		}
		worthless = worthless || nothing
		if i == 0 && f.Class == unpark.ClassRecompute && len(run.Plan.Requests) < 2 && !slices.ContainsFunc(run.Plan.Requests, unpark.Request.FilledIn) {
			say("%s: one request was asked again and again, and its answer is called computed again", f.Title)
		}
		if roles.Is(f.Site.Function, roles.Observer) && !roles.Is(f.Site.Function, roles.Profiles) {
			say("%s: the observer", f.Title)
		}
		for _, other := range run.Findings[:i] {
			if costs(f) && costs(other) && f.Culprit != nil && other.Culprit != nil && f.Culprit.Function == other.Culprit.Function && f.Site == other.Site {
				say("%s, and %s: one cause told twice", other.Title, f.Title)
			}
		}
	}
	if b := run.Blocking; b != nil && b.First != nil && b.First.Prediction.Throughput.Value.Or(1) > 1+unpark.LeastGain && !slices.ContainsFunc(run.Findings, b.First.Near) {
		say("the blocking line promises ×%.2f for %s, and no finding does", b.First.Prediction.Throughput.Value.Or(1), b.First.Title)
	}
	return out
}

// widestTail is how many times its low end the high end of a p99 may be.
// Unit: ratio. Source: convention. Test: TestContradictionsAreSeen.
const widestTail = 4 * (1 + 1e-9)

// told is all of which a document has a forecast.
func told(run unpark.Run) []unpark.Finding {
	out := slices.Concat(run.Findings, run.Costs)
	if b := run.Blocking; b != nil && b.First != nil {
		out = append(out, *b.First)
	}
	return out
}

// untellable are the ratios of a forecast that are outside of their own interval, or have one that is nothing
// to plan with.
func untellable(f unpark.Finding) []string {
	var out []string
	p := f.Prediction
	for name, q := range map[string]unpark.Quantity{"throughput": p.Throughput, "p50": p.P50, "p99": p.P99} {
		if q.Known() && !q.Contains(q.Value.Or(0)) {
			out = append(out, fmt.Sprintf("%s: %s is outside of its own interval: %+v", f.Title, name, q))
		}
	}
	tails := []unpark.Quantity{p.P99}
	for _, a := range p.Alternatives {
		tails = append(tails, a.P99)
	}
	for _, q := range tails {
		if low, high := q.Low.Or(0), q.High.Or(0); q.Known() && high > widestTail*low {
			out = append(out, fmt.Sprintf("%s: a p99 of ×%.3g to ×%.3g is nothing to plan with", f.Title, low, high))
		}
	}
	return out
}

// garbage reports a finding about what is allocated or collected, also beside other costs.
func garbage(f unpark.Finding) bool {
	return f.Class == unpark.ClassGC || f.Class == unpark.ClassAlloc || f.Cost.BytesPerRequest.Value.Or(0) > 0
}

// costs reports a finding about processors.
func costs(f unpark.Finding) bool {
	return f.Class == unpark.ClassCPU || f.Class == unpark.ClassAlloc || f.Class == unpark.ClassRecompute
}
