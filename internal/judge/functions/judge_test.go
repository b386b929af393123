package functions_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/functions"
)

// shop is a service of made-up costs per request, in seconds: what each function costs itself, and its caller.
func shop() map[string]made {
	return map[string]made{
		"main.handle": {60e-6, ""}, "main.find": {100e-6, "main.handle"}, "main.rank": {40e-6, "main.find"},
		"main.encode": {180e-6, "main.handle"}, "main.sign": {20e-6, "main.encode"}, "runtime.gcBgMarkWorker": {100e-6, ""},
	}
}

type made struct {
	self   float64
	caller string
}

// costs turns them into a table, as noisy as profiles are that see so many samples of a service; 0: not at all.
func costs(random *rand.Rand, of map[string]made, samples float64) functions.Costs {
	self, all, total := map[string]float64{}, map[string]float64{}, 0.0
	for _, f := range slices.Sorted(maps.Keys(of)) {
		m := of[f]
		v := m.self
		if samples > 0 {
			v *= 1 + random.NormFloat64()/max(1, sqrt(samples*m.self/500e-6))
		}
		total += v
		self[f] = v
		for at := f; at != ""; at = of[at].caller {
			all[at] += v
		}
	}
	t := functions.Table{Each: total, By: map[string]functions.Cost{}}
	for f, m := range of {
		t.By[f] = functions.Cost{Self: self[f] / total, All: all[f] / total, Within: m.caller}
	}
	return functions.Costs{functions.CPU: t}
}

// rounds are pairs of two such services.
func rounds(before, after map[string]made, n int, samples float64) []functions.Pair {
	random := rand.New(rand.NewPCG(3, 5))
	var out []functions.Pair
	for range n {
		out = append(out, functions.Pair{Before: costs(random, before, samples), After: costs(random, after, samples)})
	}
	return out
}

// told prints rows: "worse main.rank", "moved main.a>main.b".
func told(changes []unpark.FunctionChange) string {
	var out []string
	for _, c := range changes {
		text := c.Verdict + " " + strings.TrimPrefix(c.Function, "main.")
		if c.Inclusive {
			text += "+"
		}
		if c.Moved != "" {
			text += ">" + strings.TrimPrefix(c.Moved, "main.")
		}
		out = append(out, strings.TrimSpace(text+" "+c.Only))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

func with(f string, m made) map[string]made {
	out := shop()
	out[f] = m
	return out
}

func without(f string, other map[string]made) map[string]made {
	delete(other, f)
	return other
}

// TestRows: each change is told once, where it is.
func TestRows(t *testing.T) {
	renamed := without("main.rank", with("main.order", made{40e-6, "main.find"}))
	inlined := without("main.rank", with("main.find", made{140e-6, "main.handle"}))
	inlinedAndWorse := without("main.rank", with("main.find", made{170e-6, "main.handle"}))
	spread := shop()
	for _, f := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		spread["main."+f] = made{4e-6, "main.find"}
	}
	grown := shop()
	for f, m := range spread {
		if m.self == 4e-6 {
			m.self = 6e-6
		}
		grown[f] = m
	}
	for name, c := range map[string]struct {
		before, after map[string]made
		n             int
		want          string
	}{
		"nothing":           {shop(), shop(), 20, ""},
		"one function":      {shop(), with("main.rank", made{60e-6, "main.find"}), 20, "worse rank"},
		"less":              {with("main.rank", made{60e-6, "main.find"}), shop(), 20, "better rank"},
		"below the floor":   {shop(), with("main.rank", made{42e-6, "main.find"}), 20, ""},
		"renamed":           {shop(), renamed, 20, "moved order>rank after, moved rank>order before"},
		"inlined":           {shop(), inlined, 20, "moved find>rank, moved rank>find before"},
		"inlined and worse": {shop(), inlinedAndWorse, 20, "better rank before, worse find"},
		"new":               {shop(), with("main.log", made{30e-6, "main.handle"}), 20, "worse log after"},
		"spread":            {spread, grown, 20, "worse find+"},
		"too few rounds":    {shop(), with("main.rank", made{60e-6, "main.find"}), 7, ""},
	} {
		changes, _ := functions.Judge(rounds(c.before, c.after, c.n, 30000), functions.Options{})
		if got := told(changes); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestChangeHasInterval: figures are per request, and the interval holds the change.
func TestChangeHasInterval(t *testing.T) {
	changes, tested := functions.Judge(rounds(shop(), with("main.rank", made{60e-6, "main.find"}), 20, 3000), functions.Options{})
	if len(changes) != 1 {
		t.Fatal(told(changes))
	}
	c := changes[0]
	within := func(q unpark.Quantity, low, v, high float64) {
		t.Helper()
		if q.Value.Or(0) < low || q.Value.Or(0) > high || q.Low.Or(high) > v || q.High.Or(low) < v || q.N != 20 {
			t.Errorf("%+v, want %g", q, v)
		}
	}
	within(c.Change, 15e-6, 20e-6, 25e-6)
	within(c.Share, 0.03, 20.0/510, 0.05)
	if c.Before.Value.Or(0) < 38e-6 || c.Before.Value.Or(0) > 42e-6 || c.P.Or(1) > 0.01 {
		t.Errorf("before %v, p %v", c.Before, c.P)
	}
	if tested.Functions != 6 || tested.Rounds != 20 || !tested.Resolution.Known() {
		t.Errorf("%+v", tested)
	}
}

// TestFloorOfCost: small functions are not looked at, nor waits that are none.
func TestFloorOfCost(t *testing.T) {
	small := with("main.small", made{2e-6, "main.handle"})
	if _, tested := functions.Judge(rounds(small, shop(), 20, 0), functions.Options{}); tested.Functions != 6 {
		t.Errorf("%+v", tested)
	}
	pairs := rounds(shop(), with("main.rank", made{60e-6, "main.find"}), 20, 0)
	for i, p := range pairs {
		pairs[i].Before[functions.Wait] = functions.Table{Each: 1e-6, By: map[string]functions.Cost{"main.lock": {Self: 1, All: 1}}}
		pairs[i].After[functions.Wait] = functions.Table{Each: 2e-6, By: p.Before[functions.Wait].By}
	}
	if changes, _ := functions.Judge(pairs, functions.Options{}); told(changes) != "worse rank" {
		t.Error(told(changes))
	}
}

// TestNothingMeasured: without profiles it says so.
func TestNothingMeasured(t *testing.T) {
	for name, pairs := range map[string][]functions.Pair{"none": nil, "blind": make([]functions.Pair, 20), "few": rounds(shop(), shop(), 7, 0)} {
		if changes, tested := functions.Judge(pairs, functions.Options{}); len(changes) > 0 || tested.Why == "" {
			t.Errorf("%s: %v %+v", name, changes, tested)
		}
	}
	half := rounds(shop(), with("main.rank", made{60e-6, "main.find"}), 20, 0)
	for i := range 8 {
		half[i].After = nil
	}
	if changes, tested := functions.Judge(half, functions.Options{}); told(changes) != "worse rank" || tested.Rounds != 12 {
		t.Errorf("%s %+v", told(changes), tested)
	}
}

// TestShareOfBefore: what is gone is at most all of what the service cost before.
func TestShareOfBefore(t *testing.T) {
	changes, _ := functions.Judge(rounds(shop(), with("main.encode", made{1e-6, "main.handle"}), 20, 0), functions.Options{})
	if len(changes) != 1 || changes[0].Share.Value.Or(0) > -0.357 || changes[0].Share.Value.Or(0) < -0.359 {
		t.Errorf("%s %+v, want 179 of 500", told(changes), changes)
	}
}

// TestSampledAlike: profiles of two samplers are not compared.
func TestSampledAlike(t *testing.T) {
	pairs := rounds(shop(), with("main.rank", made{60e-6, "main.find"}), 20, 0)
	for i, p := range pairs {
		a, b := p.Before[functions.CPU], p.After[functions.CPU]
		a.Rate, b.Rate = 1000, 1000
		if i < 4 {
			b.Rate = 100
		}
		p.Before[functions.CPU], p.After[functions.CPU] = a, b
	}
	if changes, tested := functions.Judge(pairs, functions.Options{}); told(changes) != "worse rank" || tested.Rounds != 16 {
		t.Errorf("%s %+v", told(changes), tested)
	}
}

// TestOpen: rounds go on while a function could change by 2 % of the service unseen, whichever arm is called the one after.
func TestOpen(t *testing.T) {
	noisy := rounds(shop(), with("main.rank", made{60e-6, "main.find"}), 14, 300)
	wide, open := functions.Open(noisy)
	for i, p := range noisy {
		if i%3 == 0 {
			noisy[i] = functions.Pair{Before: p.After, After: p.Before}
		}
	}
	if swapped, _ := functions.Open(noisy); !open || wide < 0.02 || swapped < 0.999*wide || swapped > 1.001*wide {
		t.Errorf("%v %v, swapped %v", wide, open, swapped)
	}
	for name, quiet := range map[string][]functions.Pair{"quiet": rounds(shop(), shop(), 14, 1e6), "none": nil, "blind": make([]functions.Pair, 14)} {
		if wide, open := functions.Open(quiet); open {
			t.Errorf("%s: %v", name, wide)
		}
	}
}
