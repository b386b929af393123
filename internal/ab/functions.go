package ab

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/judge/functions"
)

// functions says which functions changed, where rounds were to be profiled. What they cost is a part of the CPU per
// request of their round, on a machine of one speed.
func (e *experiment) functions(c *unpark.Comparison) {
	if !e.c.Run.Costs || len(e.pairs) == 0 {
		return
	}
	corrected := compare.AtOneSpeed(functions.CPU, e.pairs)
	for i, p := range e.costs {
		if i < len(corrected) {
			p.Before.At(functions.CPU, corrected[i][0])
			p.After.At(functions.CPU, corrected[i][1])
		}
	}
	changes, tested := functions.Judge(e.costs, functions.Options{Alpha: e.c.Options.Alpha, Seed: e.c.Options.Seed})
	c.Functions, c.FunctionsTested = changes, &tested
}
