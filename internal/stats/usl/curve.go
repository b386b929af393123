package usl

import "math"

// curve is the law as X(N) = N / (a + b(N−1) + cN(N−1)) with a = 1/λ, b = σ/λ and
// c = κ/λ. N/X is linear in the three, which gives a good start, and the bounds
// σ, κ ≥ 0 are bounds on b and c alone.
type curve struct{ a, b, c float64 }

func (k curve) at(n float64) float64 { return n / (k.a + k.b*(n-1) + k.c*n*(n-1)) }

func (k curve) lambda() float64 { return 1 / k.a }
func (k curve) sigma() float64  { return k.b / k.a }
func (k curve) kappa() float64  { return k.c / k.a }

// peak is N*, not below 1.
func (k curve) peak() float64 {
	if k.c == 0 {
		return math.Inf(1)
	}
	return math.Sqrt(max(1, (k.a-k.b)/k.c))
}

func (k curve) peakX() float64 {
	if k.c > 0 {
		return k.at(k.peak())
	}
	return 1 / k.b // infinite when there is no contention either
}

// terms are the derivatives of the denominator.
func terms(n float64) [3]float64 { return [3]float64{1, n - 1, n * (n - 1)} }

// fitCurve minimises Σ w(X − X(N))² with a > 0 and b, c ≥ 0. With two bounds there
// are four sets of free parameters; the minimum is the best of those of their
// minima that keep the bounds. The first set is all three: when that keeps them,
// no other can be better.
func fitCurve(p []Point) curve {
	var best curve
	least := math.Inf(1)
	for _, free := range [][3]bool{{true, true, true}, {true, true, false}, {true, false, true}, {true, false, false}} {
		k, ok := fitFree(p, free)
		if !ok || k.b < 0 || k.c < 0 {
			continue
		}
		if s := k.squares(p); s < least {
			best, least = k, s
		}
		if free[1] && free[2] {
			break
		}
	}
	return best
}

// fitFree minimises over some parameters, the others being 0. It fails when the
// minimum is not a curve.
func fitFree(p []Point, free [3]bool) (curve, bool) {
	start := make([]Point, len(p))
	for i, q := range p {
		// To first order the residual of N/X is that of X times N/X².
		start[i] = Point{N: q.N, X: q.N / q.X, Weight: q.Weight * math.Pow(q.X, 4) / (q.N * q.N)}
	}
	step, ok := normal(start, free, 0, func(q Point) (float64, [3]float64) { return q.X, terms(q.N) })
	k := curve{step[0], step[1], step[2]}
	if !ok || !k.positive(p) {
		// The linear start may leave the region of curves; a flat one never does.
		k = curve{a: meanOf(start)}
	}
	return k.marquardt(p, free)
}

func meanOf(p []Point) float64 {
	sum := 0.0
	for _, q := range p {
		sum += q.X
	}
	return sum / float64(len(p))
}

// marquardt descends by the method of Levenberg and Marquardt (D. W. Marquardt,
// "An algorithm for least-squares estimation of nonlinear parameters", 1963).
func (k curve) marquardt(p []Point, free [3]bool) (curve, bool) {
	least, damping := k.squares(p), firstDamping
	for range mostSteps {
		d, ok := normal(p, free, damping, func(q Point) (float64, [3]float64) {
			x := k.at(q.N)
			g := terms(q.N)
			for i := range g {
				g[i] *= -x * x / q.N
			}
			return q.X - x, g
		})
		next := curve{k.a + d[0], k.b + d[1], k.c + d[2]}
		s := next.squares(p)
		if !ok || !next.positive(p) || !(s <= least) {
			if damping *= damper; damping > mostDamping {
				break
			}
			continue
		}
		fall := least - s
		k, least, damping = next, s, damping/damper
		if fall <= leastFall*least {
			break
		}
	}
	return k, k.positive(p)
}

// positive reports whether the curve has a throughput at every point.
func (k curve) positive(p []Point) bool {
	if !(k.a > 0) {
		return false
	}
	for _, q := range p {
		if x := k.at(q.N); !(x > 0) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

func (k curve) squares(p []Point) float64 {
	sum := 0.0
	for _, q := range p {
		d := q.X - k.at(q.N)
		sum += q.Weight * d * d
	}
	return sum
}

// normal solves the damped normal equations for the step in the free parameters:
// each point has a residual and its derivatives. The equations are scaled by
// their diagonal, since the terms of N² are larger than those of 1 by as much.
func normal(p []Point, free [3]bool, damping float64, row func(Point) (float64, [3]float64)) (step [3]float64, ok bool) {
	var m [3][4]float64
	for _, q := range p {
		r, g := row(q)
		for i := range 3 {
			for j := range 3 {
				m[i][j] += q.Weight * g[i] * g[j]
			}
			m[i][3] += q.Weight * g[i] * r
		}
	}
	var scale [3]float64
	for i := range 3 {
		scale[i] = math.Sqrt(m[i][i])
		if !free[i] || scale[i] == 0 {
			m[i] = [4]float64{}
			for j := range 3 {
				m[j][i] = 0
			}
			m[i][i], scale[i] = 1, 1
		}
	}
	for i := range 3 {
		for j := range 3 {
			m[i][j] /= scale[i] * scale[j]
		}
		m[i][3] /= scale[i]
		m[i][i] += damping
	}
	step, ok = solve(m)
	for i := range step {
		step[i] /= scale[i]
	}
	return step, ok
}

// solve eliminates with pivots; it fails when the rows are dependent.
func solve(m [3][4]float64) (x [3]float64, ok bool) {
	for i := range 3 {
		pivot := i
		for j := i + 1; j < 3; j++ {
			if math.Abs(m[j][i]) > math.Abs(m[pivot][i]) {
				pivot = j
			}
		}
		m[i], m[pivot] = m[pivot], m[i]
		if !(math.Abs(m[i][i]) > leastPivot) {
			return x, false
		}
		for j := i + 1; j < 3; j++ {
			f := m[j][i] / m[i][i]
			for k := i; k < 4; k++ {
				m[j][k] -= f * m[i][k]
			}
		}
	}
	for i := 2; i >= 0; i-- {
		x[i] = m[i][3]
		for j := i + 1; j < 3; j++ {
			x[i] -= m[i][j] * x[j]
		}
		x[i] /= m[i][i]
	}
	return x, true
}
