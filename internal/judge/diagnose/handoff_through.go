package diagnose

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/advice"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// handsThrough is what the catalogue knows of the library's function through which a function hands over or takes single items, by
// where it waits for them: its channels are that one's, and no buffer can be given to them.
func handsThrough(m *model.Model, at unpark.Site) []unpark.Remedy {
	var most facts.Wait
	for _, w := range m.Ev.Waits {
		if w.Class.Joins() && w.Delay > most.Delay && facts.Through(w.Stack, at.Function) {
			most = w
		}
	}
	c := advice.Case{Class: string(unpark.ClassChannel), Go: m.Ev.Target.Go}
	for _, s := range most.Stack {
		if s.Function == at.Function {
			break
		}
		if !roles.Is(s.Function, roles.Runtime) {
			c.Stack = append(c.Stack, s.Function)
		}
	}
	if len(c.Stack) == 0 {
		return nil
	}
	for _, a := range advice.For(c) {
		if a.Remedy.Needless() {
			return []unpark.Remedy{remedyOf(a)}
		}
	}
	return nil
}
