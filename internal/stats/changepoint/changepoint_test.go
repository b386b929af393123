package changepoint

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// TestAgainstOtava compares with apache-otava 0.8.0 (testdata/series.py): the first candidate and its statistic exactly,
// the changes with those that it finds with each of five seeds, and with any.
func TestAgainstOtava(t *testing.T) {
	data, err := os.ReadFile("testdata/otava.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		Name         string
		Series       []float64
		First        int
		Q            float64
		Always, Ever []int
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		c := split(s.Series)
		if s.Q > 0 && c.at != s.First || math.Abs(c.q-s.Q) > 1e-9*max(1, s.Q) {
			t.Errorf("%s: the first candidate is %d (%.12g), otava says %d (%.12g)", s.Name, c.at, c.q, s.First, s.Q)
		}
		found := places(Find(s.Series, Options{}))
		for _, at := range s.Always {
			if !slices.Contains(found, at) {
				t.Errorf("%s: %v found, and otava always finds %d", s.Name, found, at)
			}
		}
		for _, at := range found {
			if !slices.Contains(s.Ever, at) {
				t.Errorf("%s: %v found, and otava never finds %d", s.Name, found, at)
			}
		}
	}
}

func places(all []Point) []int {
	out := []int{}
	for _, p := range all {
		out = append(out, p.At)
	}
	return out
}

// TestShift: the size of a change, and its interval, which holds the truth about as often as it says.
func TestShift(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	inside, found := 0, 0
	for range 100 {
		series := make([]float64, 40)
		for i := range series {
			series[i] = 100 + 2*random.NormFloat64()
			if i >= 20 {
				series[i] += 10
			}
		}
		for _, p := range Find(series, Options{}) {
			if p.At < 18 || p.At > 22 {
				continue
			}
			found++
			if p.Low <= 10 && 10 <= p.High {
				inside++
			}
			if math.Abs(p.By-10) > 3 {
				t.Errorf("a step of 10 is said to be %.2f", p.By)
			}
		}
	}
	if found < 98 || inside < 80 {
		t.Errorf("of 100 steps %d found, %d inside of their intervals", found, inside)
	}
}

func TestNoiseHasNoChanges(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	wrong, series := 0, make([]float64, 30)
	for range 400 {
		for i := range series {
			series[i] = 100 * math.Exp(0.05*random.NormFloat64())
		}
		if len(Find(series, Options{})) > 0 {
			wrong++
		}
	}
	if wrong > 10 { // 4 expected; 10 is beyond 99.5 % of the binomial distribution
		t.Errorf("%d of 400 series of noise have a change", wrong)
	}
}

func TestShortSeries(t *testing.T) {
	for _, series := range [][]float64{nil, {1}, {1, 2}, {1, 1, 1, 9, 9, 9}, {1, 2, 3, 90, 91, 92, 93}} {
		if got := Find(series, Options{}); len(got) != 0 {
			t.Errorf("%v has changes at %v", series, places(got))
		}
	}
	if got := places(Find([]float64{1, 2, 3, 4, 5, 6, 90, 91, 92, 93, 94, 95}, Options{})); !slices.Equal(got, []int{6}) {
		t.Errorf("twelve runs with a step have changes at %v", got)
	}
}

// TestLongSeries: of a long history the last runs are looked at, and a change keeps its index.
func TestLongSeries(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	series := make([]float64, 700)
	for i := range series {
		series[i] = 100 + random.NormFloat64()
		if i >= 600 {
			series[i] += 50
		}
	}
	if got := places(Find(series, Options{})); !slices.Equal(got, []int{600}) {
		t.Errorf("changes at %v, want 600", got)
	}
}

func TestEqualSeriesHaveEqualAnswers(t *testing.T) {
	series := []float64{1, 2, 1, 2, 1, 2, 1, 7, 8, 7, 8, 7, 8, 7, 8, 3, 4, 3, 4, 3, 4}
	first := Find(series, Options{})
	for range 3 {
		if again := Find(series, Options{}); !slices.Equal(first, again) {
			t.Fatalf("%v, then %v", first, again)
		}
	}
}
