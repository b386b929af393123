package paired

import (
	"cmp"
	"math"
	"slices"

	"github.com/unpark-go/unpark/internal/stats"
)

// SignedRanks returns, for each difference, the rank of its absolute value with
// the sign of the difference: equal ones share their mean rank, and a difference
// of 0 takes a rank and scores 0 (Pratt, "Remarks on Zeros and Ties in the
// Wilcoxon Signed Rank Procedures", 1959). NaN, no measurement, scores 0 and takes
// no rank. With these scores [SignFlip] is Wilcoxon's signed rank test, which a
// single disturbed pair cannot spoil.
func SignedRanks(d []float64) []float64 {
	order := make([]int, 0, len(d))
	for i, v := range d {
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(d[a]), math.Abs(d[b])) })
	out := make([]float64, len(d))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && math.Abs(d[order[to]]) == math.Abs(d[order[from]]) {
			to++
		}
		for _, i := range order[from:to] {
			switch rank := float64(from+1+to) / 2; {
			case d[i] > 0:
				out[i] = rank
			case d[i] < 0:
				out[i] = -rank
			}
		}
		from = to
	}
	return out
}

// HodgesLehmann returns the median of all pairwise means of d (Hodges and Lehmann,
// "Estimates of Location Based on Rank Tests", 1963): the centre of the
// differences as the signed rank test sees it. NaN of nothing.
func HodgesLehmann(d []float64) float64 { return stats.Quantile(walsh(d), 0.5) }

// SignedRankInterval returns the interval of the centre of d that the signed rank
// test inverts to: the values that it does not reject at 1 − level (Hollander,
// Wolfe and Chicken, Nonparametric Statistical Methods, §3.3). For differences that
// are symmetric about their centre it covers it at least as often as level says,
// for any number of them. It has no bounds (NaN) when there are too few for the
// level: five are needed for 0.90.
func SignedRankInterval(d []float64, level float64) (low, high float64) {
	k, ok := signedRankCritical(len(d), (1-level)/2)
	if !ok {
		return math.NaN(), math.NaN()
	}
	w := walsh(d)
	return w[k], w[len(w)-1-k]
}

// walsh returns the means of all pairs of values, each value with itself too,
// ascending.
func walsh(d []float64) []float64 {
	out := make([]float64, 0, len(d)*(len(d)+1)/2)
	for i, a := range d {
		for _, b := range d[i:] {
			out = append(out, a/2+b/2)
		}
	}
	slices.Sort(out)
	return out
}

// signedRankCritical returns the largest k with P(W ≤ k) ≤ tail, W being the sum of
// the positive ranks of n differences without ties; false when P(W = 0) is more.
func signedRankCritical(n int, tail float64) (int, bool) {
	if n == 0 {
		return 0, false
	}
	// ways[w] is the share of the sign vectors with W = w: rank r adds r or nothing.
	ways := make([]float64, n*(n+1)/2+1)
	ways[0] = 1
	for r := 1; r <= n; r++ {
		for w := len(ways) - 1; w >= 0; w-- {
			with := 0.0
			if w >= r {
				with = ways[w-r]
			}
			ways[w] = (ways[w] + with) / 2
		}
	}
	k, sum := -1, 0.0
	for w, p := range ways {
		if sum += p; sum > tail*atMost {
			break
		}
		k = w
	}
	return k, k >= 0
}
