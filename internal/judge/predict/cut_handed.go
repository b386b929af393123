package predict

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// takeOtherEnd adds what the goroutine computes that ends a channel's waits, and is none of a request's, and what it costs to hand things
// over to it: what it is not given, or many at a time, it need not take up one by one. At most all of that goes, at least nothing: it may have
// to be done all the same.
func (c *cut) takeOtherEnd(s *service, f unpark.Finding) {
	if f.Class != unpark.ClassChannel || f.Waiter == nil || len(f.Path) == 0 {
		return
	}
	e, ok := s.m.End(s.m.Ev.States(f), f.Waiter.Function)
	if !ok || len(e.HolderStack) == 0 || e.Served >= model.BindingShare*e.Delay || roles.On(e.HolderStack, roles.Request) {
		return
	}
	tree, begins := s.m.Ev.CPU.Tree, e.HolderStack[len(e.HolderStack)-1]
	seconds := tree.Through(begins.Function)
	if roles.Is(f.Path[0].Function, roles.Handoff) && len(f.Path) > 1 {
		for _, called := range tree.Runtime(f.Path[1].Function) {
			if called.Site.Function == f.Path[0].Function {
				seconds += called.Value
			}
		}
	}
	part := min(1, s.m.CPUShare(seconds)+switching(s.m, calls(s.m, f)*s.m.Requests))
	c.sync = c.sync.plus(span{0, part / 2, part})
}
