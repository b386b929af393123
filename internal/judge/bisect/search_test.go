package bisect

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/unpark-go/unpark/internal/rota"
)

// recorded is rounds of identical arms, as log ratios of CPU per request with the speed of the machine taken out: those of
// compare's testdata/speed.json.
func recorded(t *testing.T) map[string][]float64 {
	data, err := os.ReadFile("testdata/rounds.json")
	if err != nil {
		t.Fatal(err)
	}
	var out map[string][]float64
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// draw is a round of identical arms: the arms of a recorded one could have been swapped.
func draw(from []float64, random *rand.Rand) float64 {
	v := from[random.IntN(len(from))]
	if random.IntN(2) == 1 {
		return -v
	}
	return v
}

// history is a service with n commits of which the culprit, and all behind it, have the change.
type history struct {
	n, culprit int
	change     float64
	noise      []float64
	random     *rand.Rand
	dead       map[int]bool
	equal      map[int]bool // candidates whose program is that of the one before
}

// program is which program a candidate has.
func (h history) program(at int) int {
	for h.equal[at] {
		at--
	}
	return at
}

func (h history) round(at int) float64 {
	v := draw(h.noise, h.random)
	if at >= h.culprit {
		v += h.change
	}
	return v
}

// ends measures the last commit against the first until that is decided.
func (h history) ends() (Answer, []float64) {
	var rounds []float64
	for {
		switch a := Differ(rounds); a {
		case More:
			rounds = append(rounds, h.round(h.n))
		default:
			return a, rounds
		}
	}
}

// search goes on until the culprit is sure; it returns it, how many commits were measured, and how many rounds. That two programs
// are equal is known when both are built; one that equals an earlier one is not measured.
func (h history) search() (c Culprit, builds, rounds int, found bool) {
	answer, ends := h.ends()
	if answer != Different {
		return Culprit{}, 0, len(ends), false
	}
	s := New(h.n, ends)
	built := map[int]bool{0: true, h.n: true}
	for !s.Sure() {
		at, ok := s.Next()
		if !ok {
			break
		}
		if h.dead[at] {
			s.Skip(at)
			continue
		}
		twin := false
		for other := range built {
			if other != at && h.program(other) == h.program(at) {
				s.Equal(min(other, at), max(other, at))
				twin = twin || other < at
			}
		}
		if built[at] = true; twin {
			continue
		}
		if s.rounds[at] == 0 {
			builds++
		}
		rounds++
		s.Observe(at, h.round(at))
	}
	return s.Best(), builds + 2, rounds + len(ends), true // both ends were built
}

// TestSearches: 64 commits, half of which do not change the program, one of the others 5 % more costly, rounds as they were
// recorded: the right one in 95 of 100, with at most 12 programs measured. Either no file of the program is in them, so that 32
// are searched, or there is, and that their programs are equal is known only when they are built.
func TestSearches(t *testing.T) {
	for _, files := range []bool{false, true} {
		for name, noise := range recorded(t) {
			random := rand.New(rand.NewPCG(11, 4))
			right, unseen, searches, most, sum, claimed := 0, 0, 200, 0, 0, 0.0
			for range searches {
				h := history{n: 32, culprit: 1 + random.IntN(32), change: math.Log(1.05), noise: noise, random: random}
				if files {
					h.n, h.culprit, h.equal = 64, 2*h.culprit-1, map[int]bool{}
					for at := 2; at <= h.n; at += 2 {
						h.equal[at] = true
					}
				}
				c, builds, rounds, found := h.search()
				most, sum, claimed = max(most, builds), sum+rounds, claimed+c.Probability
				if !found {
					unseen++
				}
				if found && c.First == h.culprit && c.Last == h.culprit {
					right++
				}
			}
			t.Logf("%s, in files of the program %v: %d of %d right (%d not seen), claimed %.3f, at most %d builds, %d rounds in the mean", name, files, right, searches, unseen, claimed/float64(searches), most, sum/searches)
			if right < searches*95/100 || most > 12 {
				t.Errorf("%s, in files of the program %v: %d of %d searches right, at most %d builds; want 95 of 100 and 12", name, files, right, searches, most)
			}
		}
	}
}

// TestEqualEnds: histories without a change end with that, 99 of 100.
func TestEqualEnds(t *testing.T) {
	histories := 100
	if rota.Long(0, 7) {
		histories = 1000
	}
	all, different := 0, 0
	for name, noise := range recorded(t) {
		random := rand.New(rand.NewPCG(2, 8))
		wrong := 0
		for range histories {
			if a, _ := (history{n: 64, culprit: 65, noise: noise, random: random}).ends(); a != Same {
				wrong++
			}
		}
		all, different = all+histories, different+wrong
		t.Logf("%s: %d of %d", name, wrong, histories)
		if wrong > histories/100+3*int(math.Ceil(math.Sqrt(float64(histories)/100))) { // one in a hundred, and three standard deviations
			t.Errorf("%s: %d of %d histories without a change have one", name, wrong, histories)
		}
	}
	if histories == 1000 && different > all/100 {
		t.Errorf("%d of %d histories without a change have one", different, all)
	}
}

// TestCommitsThatDoNotRun: of those in a row that cannot be measured, and the next, it is said that one of them is it.
func TestCommitsThatDoNotRun(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	for _, test := range []struct {
		dead        map[int]bool
		first, last int
	}{
		{nil, 7, 7},
		{map[int]bool{3: true, 12: true}, 7, 7},
		{map[int]bool{6: true}, 6, 7},
		{map[int]bool{7: true, 8: true}, 7, 9},
	} {
		h := history{n: 16, culprit: 7, change: 0.1, noise: recorded(t)["controls cpu, 16 connections"], random: random, dead: test.dead}
		if c, _, _, _ := h.search(); c.First != test.first || c.Last != test.last || c.Probability < sure {
			t.Errorf("with %v dead it is %+v, want %d to %d", test.dead, c, test.first, test.last)
		}
	}
}

// TestADisturbedRoundDoesNotDecide: a round in which the machine stood still.
func TestADisturbedRoundDoesNotDecide(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	h := history{n: 16, culprit: 3, change: 0.1, noise: recorded(t)["controls cpu, 16 connections"], random: random}
	_, ends := h.ends()
	s := New(h.n, ends)
	s.Observe(8, 1.5)
	s.Observe(8, -1.5)
	if c := s.Best(); c.Probability > 0.5 {
		t.Errorf("two rounds that are far off make %+v", c)
	}
}

// TestBuildsAreSpared: where a build is dear, what is built is measured more often.
func TestBuildsAreSpared(t *testing.T) {
	builds := func(cost float64) int {
		random := rand.New(rand.NewPCG(5, 1))
		n := 0
		for range 40 {
			h := history{n: 64, culprit: 1 + random.IntN(64), change: 0.05, noise: recorded(t)["lookup, 400/s"], random: random}
			_, ends := h.ends()
			s := New(h.n, ends)
			s.Build, s.left = cost, h.n
			for !s.Sure() {
				at, ok := s.Next()
				if !ok {
					break
				}
				if s.rounds[at] == 0 {
					n++
				}
				s.Observe(at, h.round(at))
			}
		}
		return n
	}
	if cheap, dear := builds(0.1), builds(20); float64(cheap) < 1.2*float64(dear) {
		t.Errorf("%d builds where they cost next to nothing, %d where they are dear", cheap, dear)
	}
}

// TestNextEnds: a search in which nothing can be measured ends, and one with rounds that fit neither level.
func TestNextEnds(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	ends := make([]float64, 12)
	for i := range ends {
		ends[i] = 0.05 + 0.02*random.NormFloat64()
	}
	s := New(4, ends)
	for at := 1; at < 4; at++ {
		s.Skip(at)
	}
	if at, ok := s.Next(); ok {
		t.Errorf("asks for a round of %d, which does not run", at)
	}
	s = New(4, ends)
	n := 0
	for ; n <= 3*mostRounds; n++ {
		at, ok := s.Next()
		if !ok {
			break
		}
		s.Observe(at, 0.1*float64(n%2)-0.025)
	}
	if n > 3*mostRounds {
		t.Errorf("goes on after %d rounds", n)
	}
}

func TestOneCandidate(t *testing.T) {
	s := New(1, []float64{0.1, 0.11, 0.09, 0.1})
	if c := s.Best(); !s.Sure() || c.First != 1 || c.Last != 1 {
		t.Errorf("the only commit is %+v", c)
	}
	if at, ok := s.Next(); ok {
		t.Errorf("asks for a round of %d", at)
	}
}

func TestEffectOf(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 8))
	rounds := make([]float64, 400)
	for i := range rounds {
		rounds[i] = 0.05 + 0.03*random.NormFloat64()
	}
	e := EffectOf(rounds)
	if math.Abs(e.Ratio-0.05) > 0.005 || math.Abs(e.Noise-0.03) > 0.004 || e.Low > 0.05 || e.High < 0.05 {
		t.Errorf("5 %% with noise of 3 %% is %+v", e)
	}
}

// TestQuietRounds: of a metric that does not scatter one round of each commit decides.
func TestQuietRounds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	h := history{n: 64, culprit: 33, change: 0.02, noise: []float64{0}, random: random}
	if c, builds, rounds, _ := h.search(); c.First != 33 || builds > 9 || rounds > 12+7 {
		t.Errorf("%+v by %d builds and %d rounds", c, builds, rounds)
	}
}
