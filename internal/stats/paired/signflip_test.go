package paired_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/unpark-go/unpark/internal/stats"
	"github.com/unpark-go/unpark/internal/stats/paired"
)

// darwin is the height of a cross-fertilised maize plant minus that of the
// self-fertilised one beside it, in eighths of an inch, of 15 pairs (Darwin, The
// Effects of Cross and Self Fertilisation in the Vegetable Kingdom, 1876).
var darwin = []float64{49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48}

// TestSignFlipDarwin: Fisher (The Design of Experiments, 1935, §21) counted 863 of
// 32 768 sign vectors with a sum as large, 1726 on both sides; Wilcoxon's signed rank
// test of the same pairs has V = 96, p = 0.04126 (R, wilcox.test).
func TestSignFlipDarwin(t *testing.T) {
	p, adjusted := paired.SignFlip([][]float64{darwin}, paired.Guard{}, 1)
	if want := 1726.0 / 32768; math.Abs(p[0]-want) > 1e-12 || adjusted[0] != p[0] {
		t.Errorf("p %v, adjusted %v, want %v", p[0], adjusted[0], want)
	}
	p, _ = paired.SignFlip([][]float64{paired.SignedRanks(darwin)}, paired.Guard{}, 1)
	if math.Abs(p[0]-0.04126) > 5e-6 {
		t.Errorf("signed rank p %v, want 0.04126", p[0])
	}
}

// TestSignFlipSmallest: with n pairs that all agree, only that sign vector and its
// negative are as extreme.
func TestSignFlipSmallest(t *testing.T) {
	for n := 1; n <= 18; n++ {
		d := make([]float64, n)
		for i := range d {
			d[i] = 1 + float64(i)
		}
		p, _ := paired.SignFlip([][]float64{d}, paired.Guard{}, 1)
		if want := math.Exp2(1 - float64(n)); n <= 16 && math.Abs(p[0]-want) > 1e-12 || n > 16 && p[0] > 20*want {
			t.Errorf("%d pairs: p %v, want %v", n, p[0], want)
		}
	}
	p, adjusted := paired.SignFlip([][]float64{{0, 0, 0}, {1, 2, 3}, {}}, paired.Guard{}, 1)
	if !slices.Equal(p, []float64{1, 0.25, 1}) || !slices.Equal(adjusted, []float64{1, 0.25, 1}) {
		t.Errorf("columns without a score: p %v, adjusted %v", p, adjusted)
	}
	if p, adjusted := paired.SignFlip(nil, paired.Guard{}, 1); len(p) != 0 || len(adjusted) != 0 {
		t.Errorf("no columns: %v %v", p, adjusted)
	}
}

// byHand visits every sign vector in the plain order and returns the two-sided p of
// the sum of d.
func byHand(d []float64) float64 {
	var observed float64
	for _, v := range d {
		observed += v
	}
	as := 0
	for signs := range 1 << len(d) {
		var sum float64
		for i, v := range d {
			sum += v * float64(1-2*(signs>>i&1))
		}
		if math.Abs(sum) >= math.Abs(observed)-1e-9 {
			as++
		}
	}
	return float64(as) / float64(int(1)<<len(d))
}

func TestSignFlipAgainstEveryVector(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for n := 2; n <= 18; n++ {
		d, e := make([]float64, n), make([]float64, n)
		for i := range d {
			d[i], e[i] = random.NormFloat64()+0.5, math.Round(3*random.NormFloat64())
		}
		p, adjusted := paired.SignFlip([][]float64{d, e}, paired.Guard{}, 7)
		within := 1e-12
		if n > 16 {
			within = 0.012 // 32 768 draws: 4 standard errors of 0.5
		}
		for c, column := range [][]float64{d, e} {
			if want := byHand(column); math.Abs(p[c]-want) > within {
				t.Errorf("%d pairs, column %d: p %v, want %v", n, c, p[c], want)
			}
			if adjusted[c] < p[c] || adjusted[c] > 1 {
				t.Errorf("%d pairs, column %d: adjusted %v below p %v", n, c, adjusted[c], p[c])
			}
		}
	}
}

func TestSignFlipIsRepeatable(t *testing.T) {
	d := make([]float64, 30)
	for i := range d {
		d[i] = math.Sin(float64(i)) + 0.2
	}
	a, _ := paired.SignFlip([][]float64{d}, paired.Guard{}, 3)
	b, _ := paired.SignFlip([][]float64{d}, paired.Guard{}, 3)
	c, _ := paired.SignFlip([][]float64{d}, paired.Guard{}, 4)
	if a[0] != b[0] || math.Abs(a[0]-c[0]) > 0.012 {
		t.Errorf("p %v and %v with one seed, %v with another", a[0], b[0], c[0])
	}
}

// holm is Holm's step-down correction ("A Simple Sequentially Rejective Multiple Test
// Procedure", 1979), which knows nothing of how the tests depend on each other.
func holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	out := make([]float64, len(p))
	last := 0.0
	for i, c := range order {
		last = max(last, min(1, float64(len(p)-i)*p[c]))
		out[c] = last
	}
	return out
}

// TestHolm checks the yardstick on a worked example: 0.01 0.04 0.03 0.005 become
// 4 × 0.005, 3 × 0.01, 2 × 0.03, and 0.04 no less than what came before.
func TestHolm(t *testing.T) {
	got := holm([]float64{0.01, 0.04, 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} {
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("%v, want 0.03 0.06 0.06 0.02", got)
			break
		}
	}
}

// TestSignFlipNeverAboveHolm: the joint correction of signed ranks costs at most as
// much as Holm's; for columns that say the same it costs nothing.
func TestSignFlipNeverAboveHolm(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	for range 200 {
		columns := make([][]float64, 5)
		for c := range columns {
			d := make([]float64, 10)
			for i := range d {
				d[i] = random.NormFloat64() + 0.4*float64(c)
			}
			columns[c] = paired.SignedRanks(d)
		}
		p, adjusted := paired.SignFlip(columns, paired.Guard{}, 1)
		for c, most := range holm(p) {
			if adjusted[c] > most+1e-12 {
				t.Fatalf("p %v: adjusted %v above Holm's %v", p, adjusted, holm(p))
			}
		}
	}
	one := paired.SignedRanks(darwin)
	if p, adjusted := paired.SignFlip([][]float64{one, one, one}, paired.Guard{}, 1); !slices.Equal(p, adjusted) {
		t.Errorf("three equal columns: p %v, adjusted %v", p, adjusted)
	}
}

// TestSignFlipFalseAlarms: of columns that depend on each other and do not differ,
// any is rejected at 5 % in no more than 5 % of experiments, also beside one that
// does differ, and also when every experiment goes on until the spread of the
// absolute values looks small.
func TestSignFlipFalseAlarms(t *testing.T) {
	trials := 3000
	if testing.Short() {
		trials = 600
	}
	random := rand.New(rand.NewPCG(15, 15))
	alarms := 0
	for range trials {
		columns := [][]float64{{}, {}, {}}
		for {
			shared := random.ExpFloat64() - random.ExpFloat64()
			columns[0] = append(columns[0], 1+random.NormFloat64())
			columns[1] = append(columns[1], shared+0.3*random.NormFloat64())
			columns[2] = append(columns[2], -shared*shared*shared+random.NormFloat64())
			if n := len(columns[0]); n == 12 || n >= 7 && stats.FoldedSpread(columns[1]) < 1.1 {
				break
			}
		}
		ranks := make([][]float64, len(columns))
		for c, d := range columns {
			ranks[c] = paired.SignedRanks(d)
		}
		if _, adjusted := paired.SignFlip(ranks, paired.Guard{}, 1); adjusted[1] <= 0.05 || adjusted[2] <= 0.05 {
			alarms++
		}
	}
	// Three standard errors above 5 %.
	most := 0.05 + 3*math.Sqrt(0.05*0.95/float64(trials))
	if rate := float64(alarms) / float64(trials); rate > most {
		t.Errorf("%.4f of the experiments rejected a true hypothesis, want at most 0.05 (%.4f here)", rate, most)
	} else {
		t.Logf("false alarms: %.4f of %d", rate, trials)
	}
}

func BenchmarkSignFlip(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{11, 16, 20} {
		columns := make([][]float64, 6)
		for c := range columns {
			for range n {
				columns[c] = append(columns[c], random.NormFloat64())
			}
		}
		b.Run(string(rune('0'+n/10))+string(rune('0'+n%10)), func(b *testing.B) {
			for b.Loop() {
				paired.SignFlip(columns, paired.Guard{}, 1)
			}
		})
	}
}

// TestSignFlipIn: in units of its own standard deviation under flipping a column has the p of SignFlip. In the units of
// the noise, which an effect leaves alone, a column with an effect is further beyond many others.
func TestSignFlipIn(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	columns, own, noise := make([][]float64, 30), make([]float64, 30), make([]float64, 30)
	for c := range columns {
		square := 0.0
		for range 14 {
			d := random.NormFloat64()
			if c == 0 {
				d += 1.5
			}
			columns[c] = append(columns[c], d)
			square += d * d
		}
		own[c], noise[c] = math.Sqrt(square), math.Sqrt(14)
	}
	p, adjusted := paired.SignFlip(columns, paired.Guard{}, 1)
	in, adjustedIn := paired.SignFlipIn(columns, own, 1)
	for c := range p {
		if math.Abs(p[c]-in[c]) > 1e-12 || math.Abs(adjusted[c]-adjustedIn[c]) > 1e-12 {
			t.Errorf("column %d: %v %v, want %v %v", c, in[c], adjustedIn[c], p[c], adjusted[c])
		}
	}
	single, further := paired.SignFlipIn(columns, noise, 1)
	if math.Abs(single[0]-p[0]) > 1e-12 || further[0] >= adjusted[0] {
		t.Errorf("p %v and %v, want %v and less than %v", single[0], further[0], p[0], adjusted[0])
	}
}
