package usl

// What is fitted, and when a fit may be asked about what was not measured.
const (
	// leastLevels is how many different concurrencies a fit takes: three parameters, and
	// as many again to judge it by.
	// Unit: levels. Source: convention. Test: TestRefuses.
	leastLevels = 6
	// poor is the relative residual beyond which a fit is poor: several times the noise
	// of repeated runs.
	// Unit: ratio. Source: DESIGN §5 (3–7 %). Test: TestObjection.
	poor = 0.1
	// unlikely is the probability by chance below which residuals follow a pattern.
	// Unit: probability. Source: convention. Test: TestObjection.
	unlikely = 0.01
	// mostN is the highest concurrency.
	// Unit: count. Source: convention. Test: TestRange.
	mostN = 1e9
	// mostSpan is the largest throughput ÷ the smallest, of one service.
	// Unit: ratio. Source: convention. Test: TestRange.
	mostSpan = 1e9
	// huge bounds throughputs and weights, and their inverse, so that squares of them
	// are numbers.
	// Unit: req/s. Source: the range of float64. Test: TestRange.
	huge = 1e30
)

// How the intervals are made.
const (
	// resamples is the number of bootstrap samples: 24 lie beyond each end of an
	// interval.
	// Unit: samples. Source: tail.
	resamples = 800
	// tail is what an interval leaves out on each side. How often percentiles of fits to
	// few points hold the truth differs from law to law by some percent: those of 94 %
	// do so in at least 90 % of simulations.
	// Unit: probability. Source: simulations of each law. Test: TestRecovers, TestPublished.
	tail = 0.03
	// tailZ is the normal quantile of it.
	// Unit: standard deviations. Source: the normal distribution. Test: TestRecovers, TestPublished.
	tailZ = 1.8807936
	// leastDrawn is the least part of the fitted throughput that a drawn one has, so
	// that it stays above 0 however large the residual.
	// Unit: ratio. Source: convention.
	leastDrawn = 0.1
	// flat is the weighted residual of which nothing is left over.
	// Unit: ratio. Source: the error of a fit in float64.
	flat = 1e-12
)

// How the squares are minimised, by Levenberg and Marquardt.
const (
	// mostSteps is where a descent ends that has not converged.
	// Unit: steps. Source: convention.
	mostSteps = 100
	// leastFall is the relative fall of the sum of squares that ends a descent.
	// Unit: ratio. Source: float64.
	leastFall = 1e-13
	// firstDamping is the damping of the first step: nearly Gauss and Newton's.
	// Unit: ratio. Source: convention.
	firstDamping = 1e-6
	// damper is by how much the damping grows after a bad step and falls after a good
	// one.
	// Unit: ratio. Source: Marquardt, "An algorithm for least-squares estimation of nonlinear parameters", 1963.
	damper = 10
	// mostDamping is where no step is left.
	// Unit: ratio. Source: float64.
	mostDamping = 1e12
	// leastPivot is the pivot below which equations, scaled by their diagonal, depend on
	// each other.
	// Unit: ratio. Source: float64.
	leastPivot = 1e-14
)
