package turns

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/judge/functions"
)

// Functions says which functions changed over rounds that were profiled. What they cost is a part of the CPU per
// request of their round, on a machine of one speed.
func Functions(pairs []compare.Pair, costs []functions.Pair, o functions.Options) ([]unpark.FunctionChange, unpark.FunctionsTested) {
	atOneSpeed(pairs, costs)
	return functions.Judge(costs, o)
}

// Open reports whether further rounds are worth it for functions (functions.Open), by the costs that Functions judges.
func Open(pairs []compare.Pair, costs []functions.Pair) (wide float64, open bool) {
	atOneSpeed(pairs, costs)
	return functions.Open(costs)
}

// atOneSpeed sets what a request cost in each round, and how slow the machine was beside it.
func atOneSpeed(pairs []compare.Pair, costs []functions.Pair) {
	corrected, slow := compare.AtOneSpeed(functions.CPU, pairs)
	for i, p := range costs {
		for arm, c := range []functions.Costs{p.Before, p.After} {
			if i < len(corrected) {
				c.At(functions.CPU, corrected[i][arm])
			}
			beside := 0.0 // after each round anew, it may not be known any more
			if i < len(slow) {
				beside = slow[i][arm]
			}
			c.Beside(functions.CPU, beside)
		}
	}
}
