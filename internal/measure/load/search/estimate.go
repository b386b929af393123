package search

import (
	"maps"
	"math"
	"slices"
)

// blurs are values of s, equally plausible.
func blurs() []float64 {
	out := make([]float64, blurPoints)
	for i := range out {
		out[i] = leastBlur * math.Pow(mostBlur/leastBlur, float64(i)/float64(len(out)-1))
	}
	return out
}

// edgeOf returns the median and the 90 % interval of the edge, in req/s, from the
// verdicts at each rate.
//
// The chance that a probe at rate r holds is modelled as
//
//	P(r) = guess + (1 − lapse − guess) / (1 + exp((ln r − µ) / s))
//
// a falling logistic curve of the logarithm of the rate. µ is the edge, s how
// blurred it is: noise in the measurement. lapse is the chance of a hiccup that
// breaks a probe at any rate, guess that of a probe which holds above the edge. This
// is the psychometric function; without a lapse rate a single hiccup far below the
// edge bends the whole curve (Wichmann and Hill, "The psychometric function: I",
// 2001).
//
// A dozen verdicts on both sides of an edge are often separated completely. Then
// the likelihood has no maximum (s goes to 0), and a bootstrap of it has no
// width. So µ is not the place of a maximum: the likelihood is averaged over s
// and lapse, with weights that say what is plausible before any probe, and the
// interval is that of the resulting distribution of µ (as in Kontsevich and
// Tyler, "Bayesian adaptive estimation of psychometric slope and threshold",
// 1999). It is computed on a grid, so that equal probes give equal answers.
func edgeOf(verdicts map[float64]tally) (low, value, high float64) {
	rates := slices.Sorted(maps.Keys(verdicts))
	from, to := math.Log(rates[0])-math.Ln2/2, math.Log(rates[len(rates)-1])+math.Ln2/2
	at := func(i float64) float64 { return from + (to-from)*i/(edgePoints-1) }
	logs := make([]float64, 0, edgePoints*len(blurs())*len(lapses()))
	most := math.Inf(-1)
	curve := make([]float64, len(rates))
	for i := range edgePoints {
		for _, s := range blurs() {
			for j, r := range rates {
				curve[j] = 1 / (1 + math.Exp((math.Log(r)-at(float64(i)))/s))
			}
			for _, lapse := range lapses() {
				l := math.Log(lapse[1]) + logLikelihood(rates, verdicts, curve, lapse[0])
				logs, most = append(logs, l), max(most, l)
			}
		}
	}
	mass := make([]float64, edgePoints)
	each := len(logs) / edgePoints
	for i, l := range logs {
		mass[i/each] += math.Exp(l - most)
	}
	quantile := func(p float64) float64 { return math.Exp(at(quantileOf(mass, p))) }
	return quantile(tail), quantile(0.5), quantile(1 - tail)
}

// logLikelihood is that of the verdicts, given the logistic curve at each rate.
func logLikelihood(rates []float64, verdicts map[float64]tally, curve []float64, lapse float64) float64 {
	sum := 0.0
	for i, r := range rates {
		p := guess + (1-lapse-guess)*curve[i]
		t := verdicts[r]
		if t.held > 0 {
			sum += float64(t.held) * math.Log(p)
		}
		if t.broke > 0 {
			sum += float64(t.broke) * math.Log(1-p)
		}
	}
	return sum
}

// quantileOf returns the position, in cells, at which the share p of the mass
// lies before it. Each cell's mass is spread evenly over the cell.
func quantileOf(mass []float64, p float64) float64 {
	total := 0.0
	for _, m := range mass {
		total += m
	}
	left := p * total
	for i, m := range mass {
		if left <= m && m > 0 {
			return float64(i) - 0.5 + left/m
		}
		left -= m
	}
	return float64(len(mass) - 1)
}
