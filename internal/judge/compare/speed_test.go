package compare_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
)

// machine is a host whose speed wanders, and services on it. Deviations are of
// logarithms.
type machine struct {
	speed float64 // of the machine's speed
	keeps float64 // how much of it is left for the next measurement: 0 to 1
	own   float64 // of a measurement of a service, beside that
	blur  float64 // of a measurement of the yardstick, beside that
	slope float64 // what the services make of the speed; the yardstick is at 1
	// change is by how much the arm after differs, by metric, and moved by how much
	// its yardstick does.
	change compare.Sample
	moved  float64
}

// paced is a host like the one that this was made for: two virtual cores whose
// neighbours change by the second.
func paced() machine { return machine{speed: 0.055, keeps: 0.5, own: 0.022, blur: 0.01, slope: 1.1} }

// rounds returns n rounds, of which chance decides which arm comes first.
func (m machine) rounds(random *rand.Rand, n int) []compare.Pair {
	speed := m.speed * random.NormFloat64()
	measure := func(change compare.Sample, moved float64) compare.Sample {
		speed = m.keeps*speed + m.speed*math.Sqrt(1-m.keeps*m.keeps)*random.NormFloat64()
		out := compare.Sample{compare.Yardstick: 170e-6 * math.Exp(speed+m.blur*random.NormFloat64()+moved)}
		// In a fixed order: the draws of a seed must not depend on the map's.
		for _, at := range []struct {
			metric     string
			base, sign float64
		}{{"throughput", 480, -1}, {"p50", 0.004, 1}, {"p99", 0.02, 1}, {"cpu_per_request", 0.002, 1}, {"bytes_per_request", 20000, 0}} {
			by, ok := change[at.metric]
			if !ok {
				by = 1
			}
			out[at.metric] = at.base * by * math.Exp(at.sign*m.slope*speed+m.own*random.NormFloat64())
		}
		return out
	}
	out := make([]compare.Pair, n)
	for i := range out {
		if random.IntN(2) == 0 {
			out[i].Before = measure(nil, 0)
			out[i].After = measure(m.change, m.moved)
		} else {
			out[i].After = measure(m.change, m.moved)
			out[i].Before = measure(nil, 0)
		}
	}
	return out
}

// without returns the rounds as older experiments have them.
func without(pairs []compare.Pair) []compare.Pair {
	out := make([]compare.Pair, len(pairs))
	for i, p := range pairs {
		out[i] = compare.Pair{Before: maps.Clone(p.Before), After: maps.Clone(p.After)}
		delete(out[i].Before, compare.Yardstick)
		delete(out[i].After, compare.Yardstick)
	}
	return out
}

func effect(t testing.TB, c unpark.Comparison, metric string) unpark.Effect {
	t.Helper()
	i := slices.IndexFunc(c.Effects, func(e unpark.Effect) bool { return e.Metric == metric })
	if i < 0 {
		t.Fatalf("no %s among %v", metric, c.Effects)
	}
	return c.Effects[i]
}

func TestSpeed(t *testing.T) {
	// Whatever the ratio, the figures keep their middle.
	middle := func(e unpark.Effect) float64 { return e.Before.Value.Or(0) * e.After.Value.Or(0) }
	random := rand.New(rand.NewPCG(1, 17))
	m := paced()
	m.change = compare.Sample{"cpu_per_request": 1.05}
	pairs, identical := m.rounds(random, 20), paced().rounds(random, 4)
	c := judged(pairs, identical)
	if s := c.Speed; s == nil || !slices.Equal(s.Corrected, []string{"throughput", "p50", "p99", "cpu_per_request"}) || s.Why != "" ||
		math.Abs(s.Varied.Value.Or(0)-0.056) > 0.02 || s.Varied.N != 40 {
		t.Fatalf("speed %+v", c.Speed)
	}
	old := judged(without(pairs), without(identical))
	for _, e := range c.Effects {
		raw := effect(t, old, e.Metric)
		if e.Metric == "bytes_per_request" {
			if e.Raw.Known() || e.Slope.Known() || e.Ratio != raw.Ratio || e.P == raw.P && e.P.Or(0) < 0.01 {
				t.Errorf("bytes are corrected: %+v", e)
			}
			continue
		}
		sign := 1.0
		if e.Metric == "throughput" {
			sign = -1
		}
		if slope := sign * e.Slope.Or(0); e.Raw != raw.Ratio || slope < 0.8 || slope > 1.5 || math.Abs(middle(e)/middle(raw)-1) > 1e-9 {
			t.Errorf("%s: slope %v, raw %+v, want %+v", e.Metric, e.Slope, e.Raw, raw.Ratio)
		}
		if now, then := e.Ratio.High.Or(9)/e.Ratio.Low.Or(1)-1, raw.Ratio.High.Or(9)/raw.Ratio.Low.Or(1)-1; now > 0.8*then {
			t.Errorf("%s: the interval is %.3f wide, uncorrected %.3f", e.Metric, now, then)
		}
		if now, then := c.Floor[e.Metric].Value.Or(1), old.Floor[e.Metric].Value.Or(0); now > 0.8*then {
			t.Errorf("%s: the floor is %.3f, uncorrected %.3f", e.Metric, now, then)
		}
	}
	if e := effect(t, c, "cpu_per_request"); e.Verdict != "worse" || math.Abs(e.Ratio.Value.Or(0)-1.05) > 0.02 {
		t.Errorf("5 %%: %+v", e)
	}
}

// TestSpeedUnknown: nothing is corrected without a yardstick beside every round, or
// with too few rounds, and the comparison says why.
func TestSpeedUnknown(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 17))
	pairs, identical := paced().rounds(random, 14), paced().rounds(random, 3)
	gap := slices.Clone(pairs)
	gap[5] = without(pairs[5:6])[0]
	void := slices.Clone(pairs)
	void[5].After = nil
	bytes := make([]compare.Pair, len(pairs))
	for i, p := range pairs {
		keep := func(s compare.Sample) compare.Sample {
			return compare.Sample{"bytes_per_request": s["bytes_per_request"], compare.Yardstick: s[compare.Yardstick]}
		}
		bytes[i] = compare.Pair{Before: keep(p.Before), After: keep(p.After)}
	}
	for _, c := range []struct {
		name             string
		pairs, identical []compare.Pair
		why              string
	}{
		{"older rounds", without(pairs), without(identical), "not measured beside every round"},
		{"a gap", gap, identical, "not measured beside every round"},
		{"a gap in the floor", pairs, without(identical), "not measured beside every round"},
		{"seven rounds", pairs[:7], identical, "it takes 8 rounds"},
		{"nothing that follows it", bytes, nil, "no figure follows it"},
		{"a round that is left out", void, identical, ""},
		{"whole", pairs, identical, ""},
	} {
		got := judged(c.pairs, c.identical)
		if s := got.Speed; s == nil || !strings.Contains(s.Why, c.why) || (s.Why == "") != (c.why == "") || (len(s.Corrected) == 0) != (c.why != "") {
			t.Errorf("%s: %+v, want %q", c.name, s, c.why)
		}
		for _, e := range got.Effects {
			if c.why != "" && (e.Raw.Known() || e.Slope.Known()) {
				t.Errorf("%s: %s is corrected", c.name, e.Metric)
			}
		}
	}
	if s := judged(nil, nil).Speed; s != nil {
		t.Errorf("no rounds: %+v", s)
	}
}

// TestSpeedIsNoLoss: on a quiet machine the yardstick shows its own noise alone, and
// taking that out must not add it.
func TestSpeedIsNoLoss(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 17))
	quiet := machine{speed: 0, own: 0.01, blur: 0.01, slope: 1}
	var now, then float64
	const trials = 60
	for range trials {
		pairs := quiet.rounds(random, 14)
		now += spreadOf(effect(t, judged(pairs, nil), "cpu_per_request").Ratio) / trials
		then += spreadOf(effect(t, judged(without(pairs), nil), "cpu_per_request").Ratio) / trials
	}
	if now > 1.05*then {
		t.Errorf("the interval is ±%.2f %% wide on average, uncorrected ±%.2f %%", 100*now, 100*then)
	}
}

func spreadOf(q unpark.Quantity) float64 { return math.Log(q.High.Or(9)/q.Low.Or(1)) / 2 }

// TestSpeedSwapped: had the arms of any round been swapped, the slopes and the
// decision to stop would be the same. The test rests on that.
func TestSpeedSwapped(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 17))
	m := paced()
	m.change = compare.Sample{"p99": 1.3, "throughput": 0.98}
	for range 20 {
		pairs := m.rounds(random, 14+random.IntN(6))
		swapped := slices.Clone(pairs)
		for i, p := range pairs {
			if random.IntN(2) == 0 {
				swapped[i] = compare.Pair{Before: p.After, After: p.Before}
			}
		}
		done, why := compare.Enough(pairs, compare.Options{})
		if again, because := compare.Enough(swapped, compare.Options{}); again != done || because != why {
			t.Fatalf("stopping: %v %q, swapped %v %q", done, why, again, because)
		}
		a, b := judged(pairs, nil), judged(swapped, nil)
		if len(a.Speed.Corrected) != len(b.Speed.Corrected) {
			continue // the guard tells the arms apart; it is part of the test for that
		}
		for i, e := range a.Effects {
			if x, y := e.Slope.Or(0), b.Effects[i].Slope.Or(0); math.Abs(x-y) > 1e-9 {
				t.Fatalf("%s: slope %v, swapped %v", e.Metric, x, y)
			}
		}
	}
}

// TestSpeedLargeEffects: a change that empties or fills the machine moves the yardstick
// too. That is part of the change, and is not taken out of it.
func TestSpeedLargeEffects(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 17))
	for _, by := range []float64{0.2, 0.8, 1.25, 5} {
		for _, moved := range []float64{-0.3, -0.1, 0, 0.1, 0.3} {
			var sum float64
			const trials = 10
			for range trials {
				m := paced()
				m.moved = moved
				m.change = compare.Sample{"cpu_per_request": by, "throughput": 1 / by, "p50": by}
				c := judged(m.rounds(random, 16), nil)
				e := effect(t, c, "cpu_per_request")
				sum += math.Log(e.Ratio.Value.Or(0) / by)
				if want := map[bool]string{true: "worse", false: "better"}[by > 1]; e.Verdict != want {
					t.Errorf("×%v, yardstick moved by %+.0f %%: %s", by, 100*moved, e.Verdict)
				}
				if math.Abs(moved) > 0.2 && (len(c.Speed.Corrected) > 0 || !strings.Contains(c.Speed.Why, "the arms' doing")) {
					t.Errorf("×%v, yardstick moved by %+.0f %%: %+v", by, 100*moved, c.Speed)
				}
			}
			if off := sum / trials; math.Abs(off) > 0.03 {
				t.Errorf("×%v, yardstick moved by %+.0f %%: the ratio is off by %+.1f %% on average", by, 100*moved, 100*off)
			}
		}
	}
}
