package facts

import (
	"slices"

	"github.com/unpark-go/unpark"
)

// States are the states of a request, in a trace, that a finding is about. A class such as
// downstream may be felt as a join for a goroutine that uses a connection; but where requests wait
// for the connection itself in the finding's function, joins there are for something else, such as a
// timer between two attempts. A wait for a timer may be one in a select.
func (e Evidence) States(f unpark.Finding) []unpark.WaitClass {
	all := f.Class.States()
	if f.Waiter == nil {
		return all
	}
	own := slices.DeleteFunc(slices.Clone(all), unpark.WaitClass.Joins)
	direct := slices.ContainsFunc(e.Waits, func(w Wait) bool {
		return w.Side == unpark.RequestPath && !w.Idle && w.Waiter.Function == f.Waiter.Function && slices.Contains(own, w.Class)
	})
	switch {
	case direct && len(own) < len(all):
		return own
	case !direct && f.Class == unpark.ClassRateLimit:
		return append(all, unpark.WaitSelect)
	}
	return all
}

// Excess is what the slowest requests have more of than those in the middle, by a trace: the
// sum of its rows that are in one of the classes, and in one of the functions unless none is
// given. The low end of More is that of the surest row.
func (e Evidence) Excess(classes []unpark.WaitClass, functions ...string) unpark.Excess {
	var out unpark.Excess
	if e.Tracing == nil {
		return out
	}
	for _, row := range e.Tracing.Excess {
		if !slices.Contains(classes, row.Class) || len(functions) > 0 && !slices.Contains(functions, row.Site.Function) {
			continue
		}
		out.Tail += row.Tail
		out.Middle += row.Middle
		out.Share = unpark.Num(out.Share.Or(0) + row.Share.Or(0))
		out.More.Value = unpark.Num(out.Tail - out.Middle)
		out.More.Low = unpark.Num(max(out.More.Low.Or(row.More.Low.Or(0)), row.More.Low.Or(0)))
	}
	return out
}
