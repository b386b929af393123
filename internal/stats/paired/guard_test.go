package paired

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSignFlipGuarded compares with the definition: every sign vector, the choice made
// for each.
func TestSignFlipGuarded(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	column := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = random.NormFloat64() + 0.4
		}
		return out
	}
	left := 0
	for range 60 {
		n, k := 2+random.IntN(8), 1+random.IntN(3)
		columns, g := make([][]float64, k), Guard{Scores: column(n), Beyond: 1.2, Columns: make([][]float64, k)}
		for c := range k {
			columns[c], g.Columns[c] = column(n), column(n)
		}
		p, adjusted := SignFlip(columns, g, 1)
		want, wantAdjusted := guardedByHand(columns, g)
		for c := range k {
			if math.Abs(p[c]-want[c]) > 1e-9 || math.Abs(adjusted[c]-wantAdjusted[c]) > 1e-9 {
				t.Fatalf("%d pairs: p %v, adjusted %v, want %v, %v", n, p, adjusted, want, wantAdjusted)
			}
		}
		if g.Left() {
			left++
		}
	}
	if left < 10 || left > 50 {
		t.Errorf("the guard's range was left in %d of 60", left)
	}
}

// guardedByHand is the test written out: p of each column, and by step-down maximum.
func guardedByHand(columns [][]float64, g Guard) (p, adjusted []float64) {
	n, k := len(g.Scores), len(columns)
	statistic := func(column []float64, signs int) float64 {
		var sum, square float64
		for i, v := range column {
			sum += v * float64(1-2*(signs>>i&1))
			square += v * v
		}
		return math.Abs(sum) / math.Sqrt(square)
	}
	all := func(signs int) []float64 {
		from := columns
		if statistic(g.Scores, signs) > g.Beyond {
			from = g.Columns
		}
		out := make([]float64, k)
		for c := range out {
			out[c] = statistic(from[c], signs)
		}
		return out
	}
	observed := all(0)
	p, adjusted = make([]float64, k), make([]float64, k)
	for signs := range 1 << n {
		s := all(signs)
		for c := range k {
			if s[c] >= observed[c]*atLeast {
				p[c]++
			}
			largest := 0.0 // over the hypotheses that are no more extreme
			for d := range k {
				if observed[d] <= observed[c] {
					largest = max(largest, s[d])
				}
			}
			if largest >= observed[c]*atLeast {
				adjusted[c]++
			}
		}
	}
	for c := range k {
		p[c] /= float64(int(1) << n)
		adjusted[c] /= float64(int(1) << n)
	}
	step := append([]float64{}, adjusted...)
	for c := range k {
		for d := range k {
			if observed[d] >= observed[c] {
				adjusted[c] = max(adjusted[c], step[d])
			}
		}
	}
	return p, adjusted
}

// TestGuardNever: a guard without columns, and one whose range no sum can leave,
// change nothing, with few pairs and with many.
func TestGuardNever(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 9))
	for _, n := range []int{0, 5, 20} {
		columns := [][]float64{make([]float64, n), make([]float64, n)}
		for i := range n {
			columns[0][i], columns[1][i] = random.NormFloat64()+0.3, random.NormFloat64()
		}
		want, wantAdjusted := SignFlip(columns, Guard{}, 3)
		g := Guard{Scores: columns[1], Beyond: 100, Columns: [][]float64{columns[1], columns[0]}}
		for name, g := range map[string]Guard{"zero": {}, "too far": g} {
			p, adjusted := SignFlip(columns, g, 3)
			for c := range columns {
				if p[c] != want[c] || adjusted[c] != wantAdjusted[c] {
					t.Errorf("%s, %d pairs: %v %v, want %v %v", name, n, p, adjusted, want, wantAdjusted)
				}
			}
			if g.Left() {
				t.Errorf("%s, %d pairs: left", name, n)
			}
		}
	}
}

// TestGuardIsExact: of data that differ by nothing, with scores that hang together with
// the guard's, at most a hundredth has p ≤ 0.01, whichever scores are taken.
func TestGuardIsExact(t *testing.T) {
	trials := 3000
	if testing.Short() {
		trials = 600
	}
	random := rand.New(rand.NewPCG(3, 9))
	called := 0
	for range trials {
		n := 11
		g := Guard{Scores: make([]float64, n), Beyond: 1.5, Columns: [][]float64{make([]float64, n)}}
		corrected := [][]float64{make([]float64, n)}
		for i := range n {
			shift, own := random.NormFloat64(), 0.5*random.NormFloat64()
			g.Scores[i], g.Columns[0][i], corrected[0][i] = shift, 1.3*shift+own, 0.3*shift+own
		}
		if _, p := SignFlip(corrected, g, 1); p[0] <= 0.01 {
			called++
		}
	}
	rate := float64(called) / float64(trials)
	t.Logf("called %.2f %%", 100*rate)
	if rate > 0.01+3*math.Sqrt(0.01/float64(trials)) {
		t.Errorf("%.2f %% called", 100*rate)
	}
}
