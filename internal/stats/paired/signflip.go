package paired

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// SignFlip is the paired permutation test of several columns at once. Column c
// holds the score of every pair in one metric: the difference itself, or its
// [SignedRanks]; a pair that has none has the score 0. If the two arms of a pair
// can be swapped and nothing shows it, each pair's sign is a fair coin, the
// same coin in all columns (Fisher, The Design of Experiments, 1935, §21). So the
// test assumes nothing of the noise, of its shape or of its dependence between
// columns; it stays valid when the number of pairs was chosen by looking at the
// absolute scores alone.
//
// It returns the two-sided p of each column, and the p that is adjusted for the
// number of columns by the step-down maximum (Westfall and Young,
// Resampling-Based Multiple Testing, 1993, algorithm 4.1): the probability that
// any true null hypothesis has an adjusted p ≤ α is at most α. Of signed ranks it is
// never above Holm's correction, and below it where columns go together. Up to 16
// pairs all sign vectors are visited; with more, they are drawn by seed. A column
// without a score other than 0 has p 1.
//
// The scores are those of columns, or those of g where its sum leaves the range of
// chance. The choice is made anew for each sign vector, as it would have been made had
// the arms been swapped like that, so the test stays exact.
func SignFlip(columns [][]float64, g Guard, seed uint64) (p, adjusted []float64) {
	return newFlipTest(columns, nil, g).test(seed)
}

// SignFlipIn is SignFlip of columns whose sums are compared in units of their own, one of each column and more than 0,
// in place of their standard deviation under flipping. That grows with the effect, so that a column with one is not as
// far beyond the others as it could be; where there are many columns and few pairs it takes most of the power. A unit
// must not change when the arms of any pair are swapped: of differences it may know absolute values alone.
func SignFlipIn(columns [][]float64, units []float64, seed uint64) (p, adjusted []float64) {
	return newFlipTest(columns, units, Guard{}).test(seed)
}

// test returns the p of each of the caller's columns.
func (t *flipTest) test(seed uint64) (p, adjusted []float64) {
	visited := t.visit(seed)
	p, adjusted = make([]float64, len(t.order)), make([]float64, len(t.order))
	last := 0.0
	for i, c := range t.order {
		p[c] = float64(t.above[i]) / visited
		last = max(last, float64(t.joint[i])/visited)
		adjusted[c] = last
	}
	return p, adjusted
}

// flipTest holds the columns scaled to a variance of 1 under flipping, the largest
// statistic first.
type flipTest struct {
	order    []int       // of the caller's columns
	scores   [][]float64 // by pair: the columns in order, the guard's in the same, the guard's own
	guard    float64     // of the guard's own sum; 0 without one
	observed []float64
	sums     []float64 // of the sign vector that is visited
	above    []int     // vectors with a statistic as large as observed
	joint    []int     // vectors with one as large in this or a later column
}

func newFlipTest(columns [][]float64, units []float64, g Guard) *flipTest {
	n := len(columns)
	t := &flipTest{order: make([]int, n), observed: make([]float64, n), above: make([]int, n), joint: make([]int, n)}
	all := columns
	if len(g.Columns) == n && n > 0 {
		t.guard = g.Beyond
		all = append(append(slices.Clone(columns), g.Columns...), g.Scores)
	}
	scale := make([]float64, len(all))
	t.sums = make([]float64, len(all))
	pairs := 0
	for c, column := range all {
		pairs = max(pairs, len(column))
		t.sums[c], scale[c] = scaled(column)
		if c < len(units) {
			t.sums[c], scale[c] = t.sums[c]*scale[c]/units[c], units[c]
		}
	}
	chosen := t.chosen()
	for c := range t.order {
		t.order[c] = c
	}
	slices.SortStableFunc(t.order, func(a, b int) int { return cmp.Compare(math.Abs(chosen[b]), math.Abs(chosen[a])) })
	for at, c := range t.order {
		t.observed[at] = math.Abs(chosen[c]) * atLeast
	}
	t.scores = make([][]float64, pairs)
	for i := range t.scores {
		t.scores[i] = make([]float64, len(all))
		for c, column := range all {
			if i < len(column) {
				t.scores[i][t.place(c)] = column[i] / scale[c]
			}
		}
	}
	clear(t.sums)
	return t
}

// scaled returns the sum of a column in units of its standard deviation under
// flipping, and that unit; 1 for a column of zeros.
func scaled(column []float64) (sum, unit float64) {
	for _, v := range column {
		sum += v
		unit += v * v
	}
	if unit = math.Sqrt(unit); unit == 0 {
		unit = 1
	}
	return sum / unit, unit
}

// place is where the scores of column c of all stand in a row.
func (t *flipTest) place(c int) int {
	n := len(t.order)
	if c >= 2*n {
		return c
	}
	return c/n*n + slices.Index(t.order, c%n)
}

// chosen returns the statistics of the sign vector that is visited.
func (t *flipTest) chosen() []float64 {
	n := len(t.order)
	if t.guard > 0 && math.Abs(t.sums[2*n]) > t.guard {
		return t.sums[n : 2*n]
	}
	return t.sums[:n]
}

// visit counts sign vectors and returns how many were visited.
func (t *flipTest) visit(seed uint64) float64 {
	n := len(t.scores)
	for _, row := range t.scores {
		t.add(row, 1)
	}
	t.count() // the observed signs are one of the vectors
	if n > maxExact {
		t.draw(rand.New(rand.NewPCG(seed, 0)))
		return flipDraws
	}
	negative := make([]bool, n)
	total := 1 << max(0, n-1)
	for i := 1; i < total; i++ {
		// Gray's order: one sign differs from one vector to the next. The last pair
		// keeps its sign: its other half mirrors this one.
		flip := bits.TrailingZeros(uint(i))
		sign := -2.0
		if negative[flip] {
			sign = 2
		}
		negative[flip] = !negative[flip]
		t.add(t.scores[flip], sign)
		t.count()
	}
	return float64(total)
}

// draw counts the statistics of random sign vectors. The sums of eight pairs under
// each of their 256 sign vectors are made once, so that a draw adds one row for
// eight pairs.
func (t *flipTest) draw(random *rand.Rand) {
	columns := len(t.sums)
	var blocks [][]float64
	for pairs := range slices.Chunk(t.scores, 8) {
		block := make([]float64, 256*columns)
		for signs := range 256 {
			row := block[signs*columns:][:columns]
			for i, scores := range pairs {
				for at, v := range scores {
					row[at] += v * float64(1-2*(signs>>i&1))
				}
			}
		}
		blocks = append(blocks, block)
	}
	for range flipDraws - 1 {
		clear(t.sums)
		var coins uint64
		for i, block := range blocks {
			if i%8 == 0 {
				coins = random.Uint64()
			}
			t.add(block[int(coins&255)*columns:][:columns], 1)
			coins >>= 8
		}
		t.count()
	}
}

func (t *flipTest) add(row []float64, by float64) {
	for at, v := range row {
		t.sums[at] += by * v
	}
}

func (t *flipTest) count() {
	largest, chosen := 0.0, t.chosen()
	for at := len(chosen) - 1; at >= 0; at-- {
		v := math.Abs(chosen[at])
		if v >= t.observed[at] {
			t.above[at]++
		}
		if largest = max(largest, v); largest >= t.observed[at] {
			t.joint[at]++
		}
	}
}
