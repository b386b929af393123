package changepoint

import (
	"math/rand/v2"
	"slices"
)

// Point is a change: what stands at At and behind it differs from what is before.
type Point struct {
	At int     // index of the first value of the new level, 1 to n−1
	P  float64 // probability of a split as clear in a series without this change
	Shift
}

// Options of a search. The zero value asks with the probability alpha.
type Options struct {
	Alpha float64 // the probability of a change where there is none, for each that is looked for
	Seed  uint64  // of the permutations
}

// Find returns the changes of a series in their order. Series of fewer than twice least values have none. A value that is
// not a number makes the whole unknown: leave such runs out first.
func Find(series []float64, o Options) []Point {
	if o.Alpha <= 0 {
		o.Alpha = alpha
	}
	first := max(0, len(series)-longest) // the square of the length is what it takes
	values := series[first:]
	random := rand.New(rand.NewPCG(o.Seed, uint64(len(values))))
	var at []int // ends of stretches found, without 0 and n
	var ps []float64
	for len(values) >= 2*least {
		c := best(values, stretches(at, len(values)))
		if c.at == 0 || c.q <= 0 {
			break
		}
		p := permuted(values, stretches(at, len(values)), c.q, o.Alpha, random)
		if p > o.Alpha {
			break
		}
		i, _ := slices.BinarySearch(at, c.at)
		at, ps = slices.Insert(at, i, c.at), slices.Insert(ps, i, p)
	}
	out := make([]Point, len(at))
	for i, s := range stretches(at, len(values)) {
		if i < len(at) {
			out[i] = Point{At: first + at[i], P: ps[i], Shift: shift(values[s.from:s.to], values[s.to:end(at, i+1, len(values))])}
		}
	}
	return out
}

// stretch is the values from one change to the next: [from, to).
type stretch struct{ from, to int }

func stretches(at []int, n int) []stretch {
	var out []stretch
	from := 0
	for i := range len(at) + 1 {
		to := end(at, i, n)
		out = append(out, stretch{from, to})
		from = to
	}
	return out
}

func end(at []int, i, n int) int {
	if i < len(at) {
		return at[i]
	}
	return n
}

// candidate is the best place to split at, and the statistic there.
type candidate struct {
	at int
	q  float64
}

// best is the candidate of all stretches.
func best(values []float64, all []stretch) candidate {
	var out candidate
	for _, s := range all {
		if c := split(values[s.from:s.to]); c.q > out.q {
			out = candidate{s.from + c.at, c.q}
		}
	}
	return out
}

// permuted is the probability that a series whose stretches are shuffled splits as clearly: of a number of
// shuffles, counted until it is sure to be more than most.
func permuted(values []float64, all []stretch, q, most float64, random *rand.Rand) float64 {
	shuffled := slices.Clone(values)
	as := 1 // the order that was seen is one of them
	for i := range permutations {
		for _, s := range all {
			part := shuffled[s.from:s.to]
			random.Shuffle(len(part), func(a, b int) { part[a], part[b] = part[b], part[a] })
		}
		if best(shuffled, all).q >= q {
			as++
		}
		if float64(as) > most*(permutations+1) {
			return max(float64(as)/float64(i+2), float64(as)/(permutations+1))
		}
	}
	return float64(as) / (permutations + 1)
}
