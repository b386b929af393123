package expect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// Answer is what became of one question that an arm asks of a verdict.
type Answer int

// The answers.
const (
	NotAsked Answer = iota
	Right
	Wrong
)

// Judgement is a verdict taken apart, for a table. Beside what Check finds wrong it
// wants the cause in the first place, and a run that is not void: that is the answer
// of a machine, and a test asks for that of the rules.
type Judgement struct {
	Limit Answer
	// Culprit is the rank at which the cause was named, 0 for nowhere; it says
	// nothing unless Asked.
	Asked   bool
	Culprit int
	// Waiter and Holder are those of the finding that named the cause.
	Waiter, Holder Answer
	// Alarms are findings of classes that must be absent.
	Alarms []string
	// Problems is everything that is wrong, in words; empty when all is right.
	Problems []string
}

// Right reports whether the verdict is all that the arm expects, with the cause
// in the first place.
func (j Judgement) Right() bool { return len(j.Problems) == 0 }

// Culprit returns the finding that an arm is about: the first one that is worth
// a change. An arm without one is healthy, or limited from outside.
func (a Arm) Culprit() (Finding, bool) {
	i := slices.IndexFunc(a.Findings, func(f Finding) bool { return f.MaxThroughputGain == 0 })
	if i < 0 {
		return Finding{}, false
	}
	return a.Findings[i], true
}

// Judge takes apart what a run says of the arm.
func (a Arm) Judge(run unpark.Run) Judgement {
	j := Judgement{Problems: a.Check(run)}
	switch {
	case run.IsVoid() && !a.MayBeVoid():
		j.Problems = append(j.Problems, "the run is void: "+voids(run))
	case !run.IsVoid() && a.Void == MustBeVoid:
		j.Problems = append(j.Problems, "the run is not void")
	}
	if len(a.Limit) > 0 {
		j.Limit = answer(slices.Contains(a.Limit, run.Limit.Kind))
	}
	for _, f := range run.Findings {
		if slices.Contains(a.Absent, f.Class) {
			j.Alarms = append(j.Alarms, fmt.Sprintf("%s: %s", f.Class, f.Title))
		}
	}
	want, asked := a.Culprit()
	if !asked {
		return j
	}
	j.Asked = true
	at := slices.IndexFunc(run.Findings, want.about)
	if at < 0 {
		j.Waiter, j.Holder = missing(want.Waiter), missing(want.Holder)
		return j
	}
	got := run.Findings[at]
	j.Culprit = got.Rank
	if want.Waiter != "" {
		j.Waiter = answer(names(want.Waiter, got.Waiter))
	}
	if want.Holder != "" {
		j.Holder = answer(names(want.Holder, got.Holder))
	}
	if j.Culprit != 1 && want.Rank != 1 {
		first := run.Findings[0]
		j.Problems = append(j.Problems, fmt.Sprintf("the cause is finding %d, after %q: %s", j.Culprit, first.Class, first.Title))
	}
	return j
}

// about reports whether a finding names the same cause, whatever its place and
// whether or not both ends are right.
func (f Finding) about(got unpark.Finding) bool {
	if !f.isOf(got.Class) || f.Service != "" && got.Service != f.Service {
		return false
	}
	var parts []string
	for _, p := range []string{f.Waiter, f.Holder, f.Path} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return len(parts) == 0 || slices.ContainsFunc(parts, func(p string) bool { return anywhere(p, got) })
}

func answer(right bool) Answer {
	if right {
		return Right
	}
	return Wrong
}

// missing is the answer to a question about a finding that is not there.
func missing(asked string) Answer {
	if asked == "" {
		return NotAsked
	}
	return Wrong
}

// Unforecast returns the arm without what it asks of forecasts.
func (a Arm) Unforecast() Arm {
	a.Findings = slices.Clone(a.Findings)
	for i := range a.Findings {
		a.Findings[i].MinP99Gain, a.Findings[i].MinThroughputGain = 0, 0
	}
	return a
}

// Located returns the arm with the places of one run put in: {beside} is the
// address that the program beside it serves on, {url} that of the first request, {NAME} that of a service which it asks.
func (a Arm) Located(base, beside string, also map[string]string) Arm {
	pairs := []string{"{beside}", beside, "{url}", base + a.Path}
	for name, addr := range also {
		pairs = append(pairs, "{"+name+"}", addr)
	}
	replace := strings.NewReplacer(pairs...)
	a.Args, a.Beside, a.Also = slices.Clone(a.Args), slices.Clone(a.Beside), a.Also.located(replace)
	for _, list := range [][]string{a.Args, a.Beside} {
		for i := range list {
			list[i] = replace.Replace(list[i])
		}
	}
	return a
}

// ServesBeside reports whether the program beside the service is one that the
// service asks, and so has to be there first.
func (a Arm) ServesBeside() bool {
	return slices.ContainsFunc(a.Beside, func(s string) bool { return strings.Contains(s, "{beside}") })
}
