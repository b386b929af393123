package stats

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

const (
	// maxExact is the most pairs whose sign vectors are all visited: 2^15 of them,
	// since a vector and its negative give the same statistics.
	maxExact = 16
	// flipDraws sign vectors are drawn instead when there are more pairs; a p of 0.01
	// is then right to ± 0.0005.
	flipDraws = 1 << 15
	// atLeast keeps rounding from telling apart sums that are equal on paper.
	atLeast = 1 - 1e-9
)

// SignFlip is the paired permutation test of several columns at once. Column c
// holds the score of every pair in one metric: the difference itself, or its
// [SignedRanks]; a pair that has none has the score 0. If the two arms of a pair
// can be swapped without anybody noticing, each pair's sign is a fair coin, the
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
func SignFlip(columns [][]float64, seed uint64) (p, adjusted []float64) {
	t := newFlipTest(columns)
	visited := t.visit(seed)
	p, adjusted = make([]float64, len(columns)), make([]float64, len(columns))
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
	scores   [][]float64 // by pair, then by column in order
	observed []float64
	sums     []float64 // of the sign vector that is visited
	above    []int     // vectors with a statistic as large as observed
	joint    []int     // vectors with one as large in this or a later column
}

func newFlipTest(columns [][]float64) *flipTest {
	t := &flipTest{
		order: make([]int, len(columns)), observed: make([]float64, len(columns)), sums: make([]float64, len(columns)),
		above: make([]int, len(columns)), joint: make([]int, len(columns)),
	}
	sum, scale := make([]float64, len(columns)), make([]float64, len(columns))
	pairs := 0
	for c, column := range columns {
		t.order[c] = c
		pairs = max(pairs, len(column))
		for _, v := range column {
			sum[c] += v
			scale[c] += v * v
		}
		scale[c] = math.Sqrt(scale[c])
		if scale[c] == 0 {
			scale[c] = 1
		}
	}
	slices.SortStableFunc(t.order, func(a, b int) int {
		return cmp.Compare(math.Abs(sum[b])/scale[b], math.Abs(sum[a])/scale[a])
	})
	t.scores = make([][]float64, pairs)
	for i := range t.scores {
		t.scores[i] = make([]float64, len(columns))
		for at, c := range t.order {
			if i < len(columns[c]) {
				t.scores[i][at] = columns[c][i] / scale[c]
			}
		}
	}
	for at, c := range t.order {
		t.observed[at] = math.Abs(sum[c]) / scale[c] * atLeast
	}
	return t
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
	largest := 0.0
	for at := len(t.sums) - 1; at >= 0; at-- {
		v := math.Abs(t.sums[at])
		if v >= t.observed[at] {
			t.above[at]++
		}
		if largest = max(largest, v); largest >= t.observed[at] {
			t.joint[at]++
		}
	}
}
