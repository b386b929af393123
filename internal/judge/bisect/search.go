package bisect

import (
	"math"
)

// Search is a posterior over which of n candidates was the first with the change. Candidate 0 is the good end,
// which every round is held against; the n-th has the change. How large the change is, and how much rounds scatter, is
// not known beforehand either: the rounds of the two ends begin with a wide idea of both.
type Search struct {
	Build float64 // what a build costs, in rounds

	worlds []world
	log    [][]float64 // by candidate−1 and world: log of the posterior, not normalised
	dead   []bool      // by candidate: cannot be measured
	rounds []int       // by candidate
	left   int         // builds
	ends   Effect
}

// world is what the size of the change and the scatter of a round may be.
type world struct{ change, noise float64 }

// New begins a search among n candidates, n at least 1, by the rounds of the n-th against the good end.
func New(n int, ends []float64) *Search {
	e := EffectOf(ends)
	s := &Search{Build: buildRounds, ends: e, log: make([][]float64, n), dead: make([]bool, n+1), rounds: make([]int, n+1)}
	s.left = max(leastBuilds, spareBuilds+int(math.Ceil(math.Log2(float64(n)))))
	for i := range grid {
		change := e.Ratio + gridWidth*(2*float64(i)/(grid-1)-1)*e.Error
		for _, wider := range widths() {
			s.worlds = append(s.worlds, world{change, e.Noise * wider})
		}
	}
	for k := range s.log {
		s.log[k] = make([]float64, len(s.worlds))
	}
	for _, r := range ends {
		s.Observe(n, r)
	}
	return s
}

// Observe takes in a round of a candidate: the log ratio of its metric to the good end's.
func (s *Search) Observe(at int, ratio float64) {
	if s.rounds[at] == 0 && at < len(s.log) {
		s.left--
	}
	s.rounds[at]++
	for i, w := range s.worlds {
		before, after := likelihood(ratio, w.noise), likelihood(ratio-w.change, w.noise)
		for k := range s.log {
			if k+1 <= at {
				s.log[k][i] += after
			} else {
				s.log[k][i] += before
			}
		}
	}
}

// likelihood is the log density of a round that is off by d: Student's t with few degrees of freedom, because a
// disturbed round is far off and must not decide alone.
func likelihood(d, noise float64) float64 {
	t := d / noise
	return -(freedom+1)/2*math.Log1p(t*t/freedom) - math.Log(noise)
}

// Skip says that a candidate cannot be measured: it does not build, or does not run.
func (s *Search) Skip(at int) { s.dead[at] = true }

// Posterior is the probability of each candidate 1 to n, from index 0.
func (s *Search) Posterior() []float64 {
	most := math.Inf(-1)
	for _, row := range s.log {
		for _, v := range row {
			most = max(most, v)
		}
	}
	out, sum := make([]float64, len(s.log)), 0.0
	for k, row := range s.log {
		for _, v := range row {
			out[k] += math.Exp(v - most)
		}
		sum += out[k]
	}
	for k := range out {
		out[k] /= sum
	}
	return out
}

// Culprit is one candidate, or several in a row that measurement cannot tell apart because those between do not run.
type Culprit struct {
	First, Last int // candidates, 1 to n
	Probability float64
}

// Best is the most probable culprit.
func (s *Search) Best() Culprit {
	var out Culprit
	group := Culprit{First: 1}
	for k, p := range s.Posterior() {
		group.Probability += p
		at := k + 1
		if group.Probability == 0 { // ruled out
			group.First = at + 1
			continue
		}
		if !s.dead[at] || at == len(s.log) {
			group.Last = at
			if group.Probability > out.Probability {
				out = group
			}
			group = Culprit{First: at + 1}
		}
	}
	return out
}

// Sure reports whether the best is probable enough to be said.
func (s *Search) Sure() bool { return s.Best().Probability >= sure }

// Next is the candidate of which rounds tell most for what they cost, its build included; ok is false where none can
// tell anything more.
func (s *Search) Next() (at int, ok bool) {
	best := 0.0
	below := 0.0 // probability that the candidate has the change
	for k, p := range s.Posterior()[:len(s.log)-1] {
		below += p
		candidate := k + 1
		build := s.Build
		if s.rounds[candidate] > 0 {
			build = 0
		}
		if s.dead[candidate] || s.rounds[candidate] >= mostRounds || build > 0 && s.left <= 0 {
			continue
		}
		for n := 1; n <= ahead; n *= 2 {
			if gain := s.information(below, float64(n)) / (build + float64(n)); gain > best {
				best, at = gain, candidate
			}
		}
	}
	return at, best > leastInformation
}

// information is what n rounds tell about which side of a candidate the change is, in bits: that of a channel that
// is wrong as often as their mean is nearer to the other of two levels, apart by the change.
func (s *Search) information(p, n float64) float64 {
	wrong := 0.5 * math.Erfc(math.Abs(s.ends.Ratio)/s.ends.Noise*math.Sqrt(n)/2/math.Sqrt2)
	return entropy(p*(1-wrong)+(1-p)*wrong) - entropy(wrong)
}

func entropy(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	return -p*math.Log2(p) - (1-p)*math.Log2(1-p)
}

// Equal says that two candidates, a before b, are the same program: what changed lies not between them, and rounds of b
// would be rounds of a.
func (s *Search) Equal(a, b int) {
	for k := a; k < b; k++ { // candidates a+1 to b
		for i := range s.log[k] {
			s.log[k][i] = math.Inf(-1)
		}
	}
	s.Skip(b)
}
