// Package usl fits the Universal Scalability Law, which says how throughput X follows
// from concurrency N:
//
//	X(N) = λN / (1 + σ(N−1) + κN(N−1))
//
// λ is the throughput of one, σ the share of the work that is serial (contention),
// κ the cost of keeping each pair consistent (coherency). With κ > 0 throughput
// has a peak at N* = √((1−σ)/κ) and falls beyond it (N. J. Gunther, "Guerrilla
// Capacity Planning", 2007). Data that scale better than linearly would need
// σ < 0 (Gunther, Puglia and Tomasette, "Hadoop Superlinear Scalability", ACM
// Queue 13(5), 2015); here that is a poor fit.
//
// Begin with [Fit]; curve.go minimises the squares. The package keeps no state.
package usl

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/unpark-go/unpark/internal/stats"
)

// Point is the throughput measured at one concurrency. A level that was measured
// several times is several points.
type Point struct {
	N float64 // 1 or more
	X float64 // above 0
	// Weight multiplies the squared residual of the point: the inverse variance of
	// X, up to a factor. Where it is 0 the error is taken as proportional to X,
	// which it is in repeated runs, and the weight is 1/X².
	Weight float64
}

// Interval is a value with an interval that holds the truth in at least 90 % of
// repetitions. An infinite High has no bound, an infinite Value does not exist.
type Interval struct{ Low, Value, High float64 }

// Law is the law fitted to measured points.
type Law struct {
	Lambda Interval // throughput per unit of concurrency at N = 1
	Sigma  Interval // 0 or more
	Kappa  Interval // 0 or more
	// Peak is the concurrency at which throughput is highest: infinite when κ is
	// 0. PeakX is the throughput there; with κ = 0 it is the asymptote λ/σ, which
	// no concurrency reaches, and infinite when σ is 0 as well.
	Peak  Interval
	PeakX Interval

	Levels   int     // different N
	Residual float64 // root of the mean squared (X − fit) ÷ fit
	// Pattern is the probability that residuals of the law as it is follow each
	// other, by N, as closely as these do. Small: the law has another shape than
	// the data.
	Pattern float64

	// Extrapolates says that the fit may be asked about concurrencies that were not
	// measured; Reason says why not.
	Extrapolates bool
	Reason       string
}

// Fit fits the law by weighted non-linear least squares with σ, κ ≥ 0. The
// intervals are percentiles of fits to bootstrapped residuals, drawn by the seed.
//
// It refuses fewer than six levels, and points that are no throughput.
func Fit(points []Point, seed uint64) (Law, error) {
	p, levels, err := checked(points)
	if err != nil {
		return Law{}, fmt.Errorf("fit the Universal Scalability Law: %w", err)
	}
	best := fitCurve(p)
	f := Law{Levels: levels}
	f.Residual = misfit(p, best)
	draws, pattern := resample(p, best, seed)
	f.Pattern = pattern
	for _, q := range []struct {
		to *Interval
		of func(curve) float64
	}{
		{&f.Lambda, curve.lambda}, {&f.Sigma, curve.sigma}, {&f.Kappa, curve.kappa}, {&f.Peak, curve.peak}, {&f.PeakX, curve.peakX},
	} {
		*q.to = interval(best, draws, q.of)
	}
	f.Reason = f.objection()
	f.Extrapolates = f.Reason == ""
	return f, nil
}

// objection says why the fit must not be extrapolated, or nothing.
func (f Law) objection() string {
	switch {
	case f.Residual > poor:
		return fmt.Sprintf("the fit is poor: it is off by %.0f %% on average", 100*f.Residual)
	case f.Pattern < unlikely:
		return fmt.Sprintf("the residuals follow a pattern (probability by chance %.2g): the law has another shape than the data", f.Pattern)
	case f.Kappa.Low <= 0:
		return "κ may be 0 (its interval includes it): where the peak is, or whether there is one, is unknown"
	}
	return ""
}

// checked checks, sorts by N and gives every point a weight.
func checked(points []Point) (sorted []Point, levels int, err error) {
	sorted = slices.Clone(points)
	slices.SortStableFunc(sorted, func(a, b Point) int { return cmp.Compare(a.N, b.N) })
	least, most := math.Inf(1), 0.0
	for i := range sorted {
		p := &sorted[i]
		if err := p.check(); err != nil {
			return nil, 0, err
		}
		if p.Weight == 0 {
			p.Weight = 1 / (p.X * p.X)
		}
		if i == 0 || p.N != sorted[i-1].N {
			levels++
		}
		least, most = min(least, p.X), max(most, p.X)
	}
	if levels < leastLevels {
		return nil, 0, fmt.Errorf("%d levels are too few for three parameters: measure at %d or more", levels, leastLevels)
	}
	if most > mostSpan*least {
		return nil, 0, fmt.Errorf("throughputs from %g to %g are not those of one service", least, most)
	}
	return sorted, levels, nil
}

// check keeps out what cannot be measured, and what squares could not hold.
func (p Point) check() error {
	switch {
	case !(p.N >= 1 && p.N <= mostN):
		return fmt.Errorf("concurrency %g: must be from 1 to %g", p.N, float64(mostN))
	case !(p.X > 1/huge && p.X < huge):
		return fmt.Errorf("throughput %g at concurrency %g: must be above 0; leave out levels at which nothing was answered", p.X, p.N)
	case p.Weight != 0 && !(p.Weight > 1/huge && p.Weight < huge):
		return fmt.Errorf("weight %g at concurrency %g: must be 0 (the default) or more", p.Weight, p.N)
	}
	return nil
}

// misfit returns the root of the mean squared relative residual.
func misfit(p []Point, c curve) float64 {
	relative := 0.0
	for _, q := range p {
		d := q.X - c.at(q.N)
		relative += d / c.at(q.N) * d / c.at(q.N)
	}
	return math.Sqrt(relative / float64(len(p)))
}

// interval returns the percentiles of a parameter over the draws, around its
// fitted value.
func interval(best curve, draws []curve, of func(curve) float64) Interval {
	v := make([]float64, len(draws))
	for i, c := range draws {
		v[i] = of(c)
	}
	slices.Sort(v)
	value := of(best)
	// Order statistics, not Quantile: between a number and infinity there is
	// nothing to interpolate.
	cut := int(tail * float64(len(v)))
	return Interval{Low: min(value, v[cut]), Value: value, High: max(value, v[len(v)-1-cut])}
}

// resample refits the law to its own curve with residuals drawn anew. It returns
// the curves, and how often their residuals follow each other at least as closely
// as those of the data.
func resample(p []Point, best curve, seed uint64) (draws []curve, pattern float64) {
	random := rand.New(rand.NewPCG(seed, 0x75736c))
	pool := residuals(p, best)
	seen := following(p, best)
	q := slices.Clone(p)
	closer := 0
	for range resamples {
		for i := range q {
			fitted := best.at(p[i].N)
			// A weight is a deviation, so that each point gets a residual of its own
			// size. Throughput stays above 0 however large the draw.
			// The sign is drawn as well: twice as many values from few residuals.
			r := pool[random.IntN(len(pool))] * float64(1-2*random.IntN(2))
			x := fitted + r/math.Sqrt(p[i].Weight)
			q[i].X = max(x, leastDrawn*fitted)
		}
		c := fitCurve(q)
		draws = append(draws, c)
		if following(q, c) >= seen {
			closer++
		}
	}
	return draws, float64(closer+1) / (resamples + 1)
}

// residuals returns the size of each weighted residual, stretched. A fit takes up
// a part of the noise, and the spread of few residuals is uncertain itself: with
// ν = n − 3 degrees of freedom the interval of a linear model is t/z times wider
// than the bootstrap of the bare residuals, times √(n/ν) (Davison and Hinkley,
// "Bootstrap Methods and their Application", 1997, ch. 6, on resampling errors).
func residuals(p []Point, c curve) []float64 {
	n := float64(len(p))
	stretch := math.Sqrt(n/(n-3)) * stats.StudentQuantile(1-tail, len(p)-3) / tailZ
	out := make([]float64, len(p))
	for i, q := range p {
		out[i] = math.Sqrt(q.Weight) * math.Abs(q.X-c.at(q.N)) * stretch
	}
	return out
}

// following is the autocorrelation of the weighted residuals in the order of N.
func following(p []Point, c curve) float64 {
	products, squares, before := 0.0, 0.0, 0.0
	for i, q := range p {
		r := math.Sqrt(q.Weight) * (q.X - c.at(q.N))
		if i > 0 {
			products += r * before
		}
		squares += r * r
		before = r
	}
	if squares <= flat*flat*float64(len(p)) {
		return -1 // nothing is left over: no pattern
	}
	return products / squares
}
