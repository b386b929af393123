package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/advice"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// keptFor is what the catalogue knows of what keeps the connections of a database: where those that have one wait for a disk for a good part of the
// time, one is free sooner when that takes less. Both go through database/sql.
func keptFor(m *model.Model, f unpark.Finding) []advice.Advice {
	if f.Class != unpark.ClassPool || !roles.On(f.Path, roles.Database) || opens(f) {
		return nil
	}
	var out []advice.Advice
	for _, w := range m.Ev.Waits {
		stack := slices.Concat(w.Stack, w.Above)
		if w.Class != unpark.WaitSyscall || w.Side != unpark.RequestPath || !roles.On(stack, roles.Database) || w.Delay < keepsPlace*m.Seconds {
			continue
		}
		c := advice.Case{Class: string(unpark.ClassIO), Go: m.Ev.Target.Go}
		for _, s := range stack {
			c.Stack = append(c.Stack, s.Function)
		}
		out = withNew(out, advice.For(c))
	}
	return out[:min(len(out), 1)]
}
