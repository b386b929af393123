package predict

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// messages is the part of the waits for answers from other processes that is below a finding's
// functions: those that ask less, or in other words, are asked less.
func messages(m *model.Model, f unpark.Finding) float64 {
	if m.Asked <= 0 {
		return 0
	}
	var mine, all float64
	for _, w := range m.Answers { // also those that another goroutine's connection gives
		all += w.Delay
		if below(f, w.Heaviest) || f.Waiter != nil && w.Covers(f.Waiter.Function) {
			mine += w.Delay
		}
	}
	if all <= 0 {
		return 0
	}
	return mine / all
}

// alsoAsked is the wait per request for what a client is asked elsewhere by the same function of it, in seconds: a setting
// of the client, or another of its calls, may spare that as well.
func alsoAsked(m *model.Model, f unpark.Finding) float64 {
	if f.Class != unpark.ClassDownstream || f.Culprit == nil || f.Culprit.Function == f.Site.Function {
		return 0
	}
	var sum float64
	for _, w := range m.Answers {
		if facts.Through(w.Heaviest.Stack, f.Culprit.Function) && w.Function() != f.Site.Function {
			sum += m.PerRequest(w.Delay).Or(0)
		}
	}
	return sum
}

// below reports whether a wait is below the place of a finding.
func below(f unpark.Finding, w facts.Wait) bool {
	at := []unpark.Site{f.Site}
	for _, s := range []*unpark.Site{f.Culprit, f.Waiter} {
		if s != nil {
			at = append(at, *s)
		}
	}
	return slices.ContainsFunc(at, func(s unpark.Site) bool {
		return s.Function == w.Waiter.Function || facts.Through(w.Stack, s.Function)
	})
}

// surely is the part that is left of the least that goes: nothing of waits between tries, since what is tried for may be had by
// others all the time.
func surely(m *model.Model, f unpark.Finding) float64 {
	if slices.ContainsFunc(m.Intended, func(w model.Wait) bool { return w.Function() == f.Site.Function && w.Again(m) }) {
		return 0
	}
	return 1
}
