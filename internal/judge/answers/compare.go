package answers

import (
	"fmt"
	"slices"
)

// Step is when a request was asked.
type Step string

// The steps, in the order in which they come.
const (
	Cold      Step = "just started"
	Again     Step = "again" // at once
	Later     Step = "later" // more than a second after the step before
	Written   Step = "after a write"
	UnderLoad Step = "beside others" // while the same requests are asked by several at once
)

// Series is what one start of a service answered to one request, in the order of the steps.
type Series []Answer

// Verdict is what came of comparing the answers to one request.
type Verdict struct {
	Difference string   // the first that counts; empty: equal
	Varies     []string // places that differ between two answers of before
	Nothing    bool     // all of the body varies: of it nothing was compared
}

// Compare holds the answers of the version after against those of several starts of the version before. All series have
// the length of steps. befores has two or more.
func Compare(befores []Series, after Series, steps []Step) Verdict {
	var v Verdict
	alone, loaded := masksOf(befores, steps)
	for i, step := range steps {
		m := alone
		if step == UnderLoad {
			m = loaded
		}
		if v.Difference = differs(m, befores, i, after[i]); v.Difference != "" {
			v.Difference += " (" + string(step) + ")"
			break
		}
	}
	if v.Difference == "" {
		v.Difference = stale(alone, befores, after, steps)
	}
	alone.places("$", valueOf(befores[0][0]), func(place string, _ *mask, _ any) {
		if len(v.Varies) < mostPlaces {
			v.Varies = append(v.Varies, place)
		}
	})
	v.Nothing = alone != nil && alone.any
	return v
}

// masksOf is what varies when requests are asked one by one, and when several are asked at once: then an answer also
// comes at another time.
func masksOf(befores []Series, steps []Step) (alone, loaded *mask) {
	for i, step := range steps {
		for j, s := range befores {
			value := valueOf(s[i])
			for _, other := range befores[:j] {
				if step == UnderLoad {
					loaded = learn(loaded, valueOf(other[i]), value)
				} else {
					alone = learn(alone, valueOf(other[i]), value)
				}
			}
			for k, earlier := range steps[:i] {
				if step == UnderLoad && earlier == UnderLoad {
					loaded = learn(loaded, valueOf(s[k]), value)
				}
			}
		}
	}
	return alone, loaded
}

// differs compares one answer of after with that of before at the same step.
func differs(m *mask, befores []Series, at int, after Answer) string {
	for _, head := range []struct {
		name string
		of   func(Answer) string
	}{
		{"no answer", func(a Answer) string { return a.Failed }},
		{"status", func(a Answer) string { return fmt.Sprint(a.Status) }},
		{"Content-Type", func(a Answer) string { return a.Type }},
		{"Location", func(a Answer) string { return a.Place }},
	} {
		was, is := head.of(befores[0][at]), head.of(after)
		if !slices.ContainsFunc(befores, func(s Series) bool { return head.of(s[at]) == is }) {
			return fmt.Sprintf("%s: before %q, after %q", head.name, was, is)
		}
	}
	first := ""
	for _, s := range befores {
		d := m.difference("$", valueOf(s[at]), valueOf(after))
		if d == "" {
			return ""
		}
		if first == "" {
			first = d
		}
	}
	return first
}
