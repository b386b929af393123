package turns

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/judge/functions"
)

// Functions says which functions changed over rounds that were profiled. What they cost is a part of the CPU per
// request of their round, on a machine of one speed.
func Functions(pairs []compare.Pair, costs []functions.Pair, o functions.Options) ([]unpark.FunctionChange, unpark.FunctionsTested) {
	corrected := compare.AtOneSpeed(functions.CPU, pairs)
	for i, p := range costs {
		if i < len(corrected) {
			p.Before.At(functions.CPU, corrected[i][0])
			p.After.At(functions.CPU, corrected[i][1])
		}
	}
	return functions.Judge(costs, o)
}
