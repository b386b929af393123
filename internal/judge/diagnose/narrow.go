package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/advice"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// narrow is advice to let more parts of a request run at once, where those that wait are started a few at a time: a library keeps the
// function that starts them waiting for a place, for most of the request. That wait is explained by theirs, and
// a finding of its own it is not; its limit is what makes one after the other of them.
func narrow(m *model.Model, f unpark.Finding) (unpark.Remedy, bool) {
	if f.Class != unpark.ClassDownstream && f.Class != unpark.ClassIO && f.Class != unpark.ClassRateLimit {
		return unpark.Remedy{}, false // processors and locks are no wider for it
	}
	for _, j := range m.Joins {
		if !j.Explained || m.Share(j.Delay).Or(0) < model.BindingShare || !startedBy(j.Function(), f) {
			continue
		}
		c := advice.Case{Class: string(unpark.ClassPool), Go: m.Ev.Target.Go, Modules: map[string]string{}}
		for _, s := range j.Heaviest.Stack {
			if s.Function == j.Function() {
				break
			}
			if !roles.Is(s.Function, roles.Runtime) {
				c.Stack = append(c.Stack, s.Function)
			}
		}
		for _, a := range advice.For(c) {
			if a.Remedy == advice.Wider {
				return remedyOf(a), true
			}
		}
	}
	return unpark.Remedy{}, false
}

// startedBy reports whether the waits of a finding are those of goroutines which a function starts, by its literals
// (cmd/compile/internal/ir.closureName).
func startedBy(function string, f unpark.Finding) bool {
	return slices.ContainsFunc(f.Path, func(s unpark.Site) bool { return s.Function != function && roles.Outer(s.Function) == function })
}
