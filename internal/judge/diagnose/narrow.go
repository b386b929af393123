package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/advice"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// narrow is advice to let more run at once, where those that wait are let through a few at a time.
func narrow(m *model.Model, f unpark.Finding) (unpark.Remedy, bool) {
	if f.Class != unpark.ClassDownstream && f.Class != unpark.ClassIO && f.Class != unpark.ClassRateLimit {
		return unpark.Remedy{}, false // processors and locks are no wider for it
	}
	for _, stack := range slices.Concat(startedInTurn(m, f), allTaken(m, f)) {
		c := advice.Case{Class: string(unpark.ClassPool), Go: m.Ev.Target.Go, Modules: map[string]string{}}
		for _, s := range stack {
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

// startedInTurn is where a library keeps the function waiting for a place, for most of the request, that starts the goroutines which a
// finding is of. That wait is explained by theirs, and a finding of its own it is not; its limit is what makes one after the
// other of them.
func startedInTurn(m *model.Model, f unpark.Finding) [][]unpark.Site {
	var out [][]unpark.Site
	for _, j := range m.Joins {
		if !j.Explained || m.Share(j.Delay).Or(0) < model.BindingShare || !startedBy(j.Function(), f) {
			continue
		}
		stack := j.Heaviest.Stack // of a deep one its end is cut off
		if at := slices.IndexFunc(stack, func(s unpark.Site) bool { return s.Function == j.Function() }); at >= 0 {
			stack = stack[:at]
		}
		out = append(out, stack)
	}
	return out
}

// allTaken is where one of the goroutines that a finding's waits start, each for a request, waits for a place most of the time. It may be
// the only one there, with the others in a queue behind it, as HTTP/2's streams are (x/net/http2, writeRequest).
func allTaken(m *model.Model, f unpark.Finding) [][]unpark.Site {
	var out [][]unpark.Site
	for _, w := range m.Ev.Waits {
		root := facts.Outermost(w.Stack)
		starts := root != roles.Outer(root) && slices.ContainsFunc(f.Path, func(s unpark.Site) bool { return s.Function == roles.Outer(root) })
		if starts && w.Class == unpark.WaitPool && !w.Idle && w.Delay >= model.BindingShare*m.Seconds {
			out = append(out, w.Stack)
		}
	}
	return out
}

// startedBy reports whether the waits of a finding are those of goroutines which a function starts, by its literals
// (cmd/compile/internal/ir.closureName).
func startedBy(function string, f unpark.Finding) bool {
	return slices.ContainsFunc(f.Path, func(s unpark.Site) bool { return s.Function != function && roles.Outer(s.Function) == function })
}
