package changepoint

import (
	"math"
	"slices"

	"github.com/unpark-go/unpark/internal/stats"
)

// Shift is by how much one level is above another, in the unit of the series: the median of all differences
// between the two (Hodges and Lehmann, 1963), and its interval of 90 % by the ranks of those (Moses). The place of a change was chosen
// to be where it is greatest, so that the shift is a little too large where there are few values.
type Shift struct {
	By        float64
	Low, High float64 // NaN where there are too few values for an interval
}

// shift compares the values behind a change with those before.
func shift(before, after []float64) Shift {
	all := make([]float64, 0, len(before)*len(after))
	for _, b := range before {
		for _, a := range after {
			all = append(all, a-b)
		}
	}
	slices.Sort(all)
	out := Shift{By: stats.Quantile(all, 0.5), Low: math.NaN(), High: math.NaN()}
	n, m := float64(len(before)), float64(len(after))
	// The normal approximation of the Mann–Whitney distribution, rounded to the wider side.
	k := int(n*m/2 - stats.Z90*math.Sqrt(n*m*(n+m+1)/12))
	if k >= 1 {
		out.Low, out.High = all[k-1], all[len(all)-k]
	}
	return out
}
