// Package sampled has requests one by one: some of those that traces show, of which each had the same chance to be
// among them. What is said of all of them together is in package facts.
package sampled

import (
	"slices"

	"github.com/unpark-go/unpark"
)

// Request is one of them: how long it took inside the process, and in which states.
type Request struct {
	Wall  float64 // s
	Spent []Spent
}

// Spent is the time of a request in one state at one place.
type Spent struct {
	Class    unpark.WaitClass
	Function string  // empty for a state without a place
	Seconds  float64 // all of the request
}

// In is the time of a request in some states, and in one of some functions unless none is given.
func (r Request) In(classes []unpark.WaitClass, functions ...string) float64 {
	var sum float64
	for _, s := range r.Spent {
		if slices.Contains(classes, s.Class) && (len(functions) == 0 || s.within(functions)) {
			sum += s.Seconds
		}
	}
	return sum
}

// within reports whether it was spent in one of some functions. Profiles and traces name generic ones in other ways.
func (s Spent) within(functions []string) bool {
	if slices.Contains(functions, s.Function) {
		return true
	}
	function := unpark.WithoutTypeArguments(s.Function)
	return function != s.Function && slices.ContainsFunc(functions, func(f string) bool { return unpark.WithoutTypeArguments(f) == function })
}
