package ab

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/functions"
	"github.com/unpark-go/unpark/internal/turns"
)

// functions says which functions changed, where rounds were to be profiled.
func (e *experiment) functions(c *unpark.Comparison) {
	if !e.c.Run.Costs || len(e.pairs) == 0 {
		return
	}
	changes, tested := turns.Functions(e.pairs, e.costs, functions.Options{Alpha: e.c.Options.Alpha, Seed: e.c.Options.Seed})
	c.Functions, c.FunctionsTested = changes, &tested
}
