package predict

import (
	"cmp"
	"math"
	"slices"

	"github.com/unpark-go/unpark"
)

// Rank orders findings by what fixing them would buy and sets Rank from 1. The
// gain is that of throughput where the load leaves room for one (a closed loop),
// else that of p99 and then p50. Findings without a prediction come last. Ties
// go by share, then by name, so that the order is the same every time. The
// argument is not changed.
func Rank(fs []unpark.Finding) []unpark.Finding {
	out := slices.Clone(fs)
	slices.SortStableFunc(out, func(a, b unpark.Finding) int {
		return cmp.Or(
			cmp.Compare(score(b.Prediction), score(a.Prediction)),
			cmp.Compare(b.Share.Or(0), a.Share.Or(0)),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Site.Function, b.Site.Function),
			cmp.Compare(a.Site.Line, b.Site.Line),
		)
	})
	for i := range out {
		out[i].Rank = i + 1
	}
	return out
}

// grain is the gain, as a logarithm, below which two findings are equal: no run
// could tell which of two fixes of half a percent is the better one.
const grain = 0.005

// score is the logarithm of the gain, rounded; −1 without a prediction.
func score(p unpark.Prediction) float64 {
	x, ok := p.Throughput.Value.Get()
	p99, known := p.P99.Value.Get()
	if !ok && !known {
		return -1
	}
	gain := math.Log(max(x, 1e-9))
	if !ok || math.Abs(gain) < grain {
		gain = -0.1 * math.Log(max(p.P50.Value.Or(1), 1e-9))
		if known {
			gain -= 0.9 * math.Log(max(p99, 1e-9))
		}
	}
	return math.Round(max(0, gain)/grain) * grain
}
