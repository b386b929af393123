package changepoint

import "math"

// split is where a stretch divides best: the greatest of
//
//	Q(τ, κ) = (τ·(κ−τ) / κ) · E(x[:τ], x[τ:κ]),
//
// E being the energy distance of two samples (Székely and Rizzo, 2005): twice the mean distance between them, less
// the mean distances within each. κ lets it see the first of several changes.
func split(x []float64) candidate {
	n := len(x)
	if n < 2 {
		return candidate{}
	}
	below := distances(x)
	row := func(i int) []float64 { return below[i*(n+1) : (i+1)*(n+1)] }
	var out candidate
	within := 0.0 // distances between all pairs of x[:τ]
	for tau := 1; tau < n; tau++ {
		within += row(tau - 1)[tau-1]
		between, behind := 0.0, 0.0
		for kappa := tau + 1; kappa <= n; kappa++ {
			last := row(kappa - 1)
			between += last[tau]
			behind += last[kappa-1] - last[tau]
			a, b := float64(tau), float64(kappa-tau)
			q := 2 / (a + b) * (between - b*mean(within, a) - a*mean(behind, b))
			if q > out.q {
				out = candidate{tau, q}
			}
		}
	}
	return out
}

// mean is a sum of distances between the pairs of n values, by n−1: half of the mean distance times n. One value has none.
func mean(sum, n float64) float64 {
	if n < 2 {
		return 0
	}
	return sum / (n - 1)
}

// distances has, for each i, the sums of |x[i] − x[k]| over k < j, for j up to n.
func distances(x []float64) []float64 {
	n := len(x)
	out := make([]float64, n*(n+1))
	for i := range n {
		sum := 0.0
		for j := range n {
			sum += math.Abs(x[i] - x[j])
			out[i*(n+1)+j+1] = sum
		}
	}
	return out
}
