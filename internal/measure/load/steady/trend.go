package steady

import (
	"math"

	"github.com/unpark-go/unpark/internal/stats"
)

// trend reports whether values in the order of time rise or fall by more than the share
// drift, and not by chance: Mann's test with Kendall's statistic at the level 10 % (Mann,
// "Nonparametric Tests Against Trend", 1945), which asks for no distribution. The size is
// that of the mean of the later half over that of the earlier one.
func trend(v []float64, drift float64) bool {
	n := len(v)
	if n < 2 {
		return false
	}
	s := 0
	for i := range v {
		for _, later := range v[i+1:] {
			switch {
			case later > v[i]:
				s++
			case later < v[i]:
				s--
			}
		}
	}
	sd := math.Sqrt(float64(n*(n-1)*(2*n+5)) / 18)
	if math.Abs(float64(s)) <= stats.Z90*sd {
		return false
	}
	early, late := stats.Mean(v[:n/2]), stats.Mean(v[n-n/2:])
	return early <= 0 || math.Abs(late/early-1) > drift
}
