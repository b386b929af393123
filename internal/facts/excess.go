package facts

import (
	"slices"

	"github.com/unpark-go/unpark"
)

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
