package functions_test

import (
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/judge/functions"
	"github.com/unpark-go/unpark/internal/rota"
)

// recorded are real rounds of testdata/service: windows of 5 s with a CPU profile, fresh processes, 8 connections on two
// virtual cores shared with the generator (and, of the identical ones, now and then with other work), chance deciding which
// arm was first. Identical ones have 1000 samples for each second of CPU, by the kernel; those called by their rate, and those in
// which rank does more, 100 by net/http/pprof. A function's costs are its own and the inclusive one in 1e-5 of the CPU.
type recorded struct {
	Names  []string
	Within []string
	Rounds map[string][]struct{ Before, After arm }
}

type arm struct {
	Each      float64
	Yardstick float64
	Costs     []float64
}

func recording(t testing.TB) recorded {
	t.Helper()
	text, err := os.ReadFile("testdata/rounds.json")
	if err != nil {
		t.Fatal(err)
	}
	var out recorded
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// costs are an arm's, with so much more of the service's CPU in a function.
func (r recorded) costs(a arm, function string, more float64) functions.Costs {
	t := functions.Table{Each: a.Each * (1 + more), By: map[string]functions.Cost{}}
	holders := map[string]bool{}
	for f := function; f != ""; f = r.Within[slices.Index(r.Names, f)] {
		holders[f] = true
	}
	for i, name := range r.Names {
		c := functions.Cost{Self: a.Costs[2*i] * 1e-5, All: a.Costs[2*i+1] * 1e-5, Within: r.Within[i]}
		if name == function {
			c.Self += more
		}
		if holders[name] {
			c.All += more
		}
		c.Self, c.All = c.Self/(1+more), c.All/(1+more)
		t.By[name] = c
	}
	return functions.Costs{functions.CPU: t}
}

// draw returns n rounds of a kind in a random order, each as often as chance has it, at one speed of the machine; with
// more of the service's CPU in a function of the arm after. Identical arms may have been swapped before.
func (r recorded) draw(random *rand.Rand, kind string, n int, function string, more float64) []functions.Pair {
	from := r.Rounds[kind]
	out, samples := make([]functions.Pair, n), make([]compare.Pair, n)
	for i := range out {
		p := from[random.IntN(len(from))]
		if strings.HasPrefix(kind, identical) && random.IntN(2) == 0 {
			p.Before, p.After = p.After, p.Before
		}
		out[i] = functions.Pair{Before: r.costs(p.Before, "", 0), After: r.costs(p.After, function, more)}
		samples[i] = compare.Pair{Before: sample(p.Before), After: sample(p.After)}
	}
	values, slow := compare.AtOneSpeed(functions.CPU, samples)
	for i, v := range values {
		out[i].Before.At(functions.CPU, v[0])
		out[i].After.At(functions.CPU, v[1]*(1+more))
	}
	for i, v := range slow {
		out[i].Before.Beside(functions.CPU, v[0])
		out[i].After.Beside(functions.CPU, v[1])
	}
	return out
}

func sample(a arm) compare.Sample {
	return compare.Sample{functions.CPU: a.Each, compare.Yardstick: a.Yardstick}
}

const (
	identical = "identical"
	slowly    = "identical, 100 Hz"
)

// TestIdenticalFunctions: of comparisons of identical arms at most 1 % call any function, or what it holds.
func TestIdenticalFunctions(t *testing.T) {
	r, random := recording(t), rand.New(rand.NewPCG(1, 9))
	trials := 60
	if rota.Long(0, 2) {
		trials = 2000
	}
	called := map[string]int{}
	alarms := 0
	for range trials {
		changes, tested := functions.Judge(r.draw(random, identical, 20, "", 0), functions.Options{})
		if tested.Functions < 10 {
			t.Fatalf("%+v", tested)
		}
		for _, c := range changes {
			called[c.Function]++
		}
		alarms += min(1, len(changes))
	}
	t.Logf("%d of %d comparisons call a function: %v", alarms, trials, called)
	if most := trials/100 + int(3*math.Sqrt(float64(trials)/100)); alarms > most { // and what chance makes of so few
		t.Errorf("%d of %d comparisons of identical arms call a function, at most 1 %% may: %v", alarms, trials, called)
	}
}

// change is what is added to rounds of identical arms, and how often it has to be found.
type change struct {
	kind     string
	function string
	more     float64 // of the service's CPU
	rounds   int
	atLeast  float64
}

// found draws rounds with the change, judges them and counts.
func (c change) found(t *testing.T, r recorded, trials int) {
	t.Helper()
	random := rand.New(rand.NewPCG(2, 9))
	found, other := 0, map[string]int{}
	for range trials {
		changes, _ := functions.Judge(r.draw(random, c.kind, c.rounds, c.function, c.more), functions.Options{})
		for _, row := range changes {
			switch {
			case row.Function == c.function && row.Verdict == "worse":
				found++
			case !row.Inclusive || row.Function != "main.answer" && row.Function != "main.main.func1": // which hold it
				other[row.Function]++
			}
		}
	}
	power := float64(found) / float64(trials)
	t.Logf("%s: %+.1f %% of the service in %s, %d rounds: found %.0f %%; others %v", c.kind, 100*c.more, c.function, c.rounds, 100*power, other)
	if power < c.atLeast-6/float64(trials) {
		t.Errorf("%+.1f %% of the service in %s is found %.0f %% of the time in %d rounds, want %.0f %%", 100*c.more, c.function, 100*power, c.rounds, 100*c.atLeast)
	}
	for f, n := range other {
		if n > trials/20+1 {
			t.Errorf("%s is told %d times of %d", f, n, trials)
		}
	}
}

// TestPowerOfFunctions: 2 % of the service's CPU is found at least four times in five within the 20 rounds that an experiment
// makes by itself, in functions of 5, 10, 15 and 21 % of it; with 100 samples a second in those of 5 and 10 %, and within 30 in
// one of 15 %. Nothing else is told.
func TestPowerOfFunctions(t *testing.T) {
	r, trials := recording(t), 24
	all := []change{
		{identical, "main.rank", 0.02, 20, 0.80},
		{identical, "main.encode", 0.02, 20, 0.85},
		{identical, "main.sign", 0.02, 20, 0.90},
		{identical, "main.price", 0.02, 20, 0.85},
		{identical, "main.sign", 0.01, 20, 0.80},
		{slowly, "main.encode", 0.02, 20, 0.85},
		{slowly, "main.rank", 0.02, 30, 0.80},
		{slowly, "main.rank", 0.02, 20, 0.50},
	}
	if rota.Long(1, 2) {
		trials = 300
	} else {
		all = []change{all[1], all[3]}
	}
	for _, c := range all {
		c.found(t, r, trials)
	}
}

// TestRecordedChange: the function that does more in recorded rounds is the one that is told.
func TestRecordedChange(t *testing.T) {
	r := recording(t)
	var pairs []functions.Pair
	for _, p := range r.Rounds["rank does more"] {
		pairs = append(pairs, functions.Pair{Before: r.costs(p.Before, "", 0), After: r.costs(p.After, "", 0)})
	}
	changes, tested := functions.Judge(pairs, functions.Options{Alpha: 0.05})
	t.Logf("%s %+v", told(changes), tested)
	if got := told(changes); !strings.HasPrefix(got, "worse rank") {
		t.Errorf("%d rounds: %q", len(pairs), got)
	}
	if len(slices.Collect(maps.Keys(r.Rounds))) != 3 {
		t.Error("kinds of rounds")
	}
}

// untilKnown draws rounds as an experiment makes them: 20, and more for functions as long as Open says.
func (r recorded) untilKnown(random *rand.Rand, function string, more float64) []functions.Pair {
	const usual, most = 20, 60
	all := r.draw(random, identical, most, function, more)
	n := usual
	for _, open := functions.Open(all[:n]); open && n < most; n++ {
		_, open = functions.Open(all[:n+1])
	}
	return all[:n]
}

// TestStop: where rounds go on as long as Open says, 2 % of the service's CPU is found at least four times in five in the
// function that scatters most as well, and nothing in identical arms.
func TestStop(t *testing.T) {
	r, random := recording(t), rand.New(rand.NewPCG(4, 9))
	trials := 12
	if rota.Long(2, 3) {
		trials = 200
	}
	for _, function := range []string{"main.price", "main.rank"} {
		found, rounds := 0, 0
		for range trials {
			pairs := r.untilKnown(random, function, 0.02)
			rounds += len(pairs)
			changes, _ := functions.Judge(pairs, functions.Options{})
			if slices.ContainsFunc(changes, func(c unpark.FunctionChange) bool { return c.Function == function && c.Verdict == "worse" }) {
				found++
			}
		}
		t.Logf("%s: found %d of %d, after %.1f rounds on average", function, found, trials, float64(rounds)/float64(trials))
		if float64(found) < 0.8*float64(trials)-3*math.Sqrt(0.16*float64(trials)) {
			t.Errorf("%s: found %d of %d, want four in five", function, found, trials)
		}
	}
	alarms := 0
	for range 5 * trials {
		changes, _ := functions.Judge(r.untilKnown(random, "", 0), functions.Options{})
		alarms += min(1, len(changes))
	}
	t.Logf("identical arms: %d of %d call a function", alarms, 5*trials)
	if most := 0.05*float64(trials) + 3*math.Sqrt(0.05*float64(trials)); float64(alarms) > most {
		t.Errorf("%d of %d comparisons of identical arms call a function", alarms, 5*trials)
	}
}
