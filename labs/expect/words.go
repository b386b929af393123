package expect

import (
	"fmt"
	"strings"

	"github.com/unpark-go/unpark"
)

// String says what is wanted of a finding.
func (f Finding) String() string {
	out := string(f.Class)
	for _, part := range []struct{ name, value string }{{"of", f.Service}, {"waiter", f.Waiter}, {"holder", f.Holder}, {"with", f.Path}} {
		if part.value != "" {
			out += " " + part.name + " " + part.value
		}
	}
	for _, bound := range []struct {
		text  string
		value float64
	}{
		{"in place %g", float64(f.Rank)},
		{"with a share below %g", f.ShareBelow},
		{"worth a p99 gain of %g or more", f.MinP99Gain},
		{"worth a throughput of ×%g or more", f.MinThroughputGain},
		{"worth a throughput of at most ×%g", f.MaxThroughputGain},
	} {
		if bound.value != 0 {
			out += fmt.Sprintf(", "+bound.text, bound.value)
		}
	}
	return out
}

// titles is what was found, in short.
func titles(found []unpark.Finding) string {
	if len(found) == 0 {
		return "nothing"
	}
	var out []string
	for _, f := range found[:min(3, len(found))] {
		out = append(out, fmt.Sprintf("%s (%s)", f.Class, f.Title))
	}
	return strings.Join(out, "; ")
}

// What an arm's Void says, beside nothing.
const (
	MustBeVoid = "must"
	mayBeVoid  = "may"
)

// MayBeVoid reports whether a void run is an answer to the arm.
func (a Arm) MayBeVoid() bool { return a.Void != "" }

// voids is why a run is void.
func voids(run unpark.Run) string {
	var codes []string
	for _, n := range run.Void {
		codes = append(codes, n.Code)
	}
	return strings.Join(codes, ", ")
}
