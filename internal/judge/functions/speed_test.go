package functions_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/unpark-go/unpark/internal/judge/functions"
)

// paced are rounds on a machine whose speed varies, with costs as they would be on one of one speed if all felt it as the
// service does: sums feels nothing of it, reads more than the others.
func paced(n int, more float64, known bool) []functions.Pair {
	random := rand.New(rand.NewPCG(5, 9))
	arm := func(sums float64) functions.Costs {
		slow := 0.15 * random.NormFloat64()
		feels := map[string]float64{"main.sums": -1, "main.reads": 0.5}
		of := shop()
		of["main.sums"], of["main.reads"] = made{sums, "main.handle"}, made{200e-6, "main.handle"}
		for f, m := range of {
			m.self *= math.Exp(feels[f] * slow)
			of[f] = m
		}
		c := costs(random, of, 1e5)
		if known {
			c.Beside(functions.CPU, slow)
		}
		return c
	}
	var out []functions.Pair
	for range n {
		before := arm(200e-6)
		out = append(out, functions.Pair{Before: before, After: arm(200e-6 * (1 + more))})
	}
	return out
}

// TestOwnSpeed: what a function feels of the machine's speed is its own.
func TestOwnSpeed(t *testing.T) {
	for name, c := range map[string]struct {
		more  float64
		known bool
		want  string
	}{
		"8 % of it, 2 % of the service": {0.08, true, "worse sums"},
		"the speed is not known":        {0.08, false, "worse handle+"}, // in the sum, what both feel evens out
		"nothing changed":               {0, true, ""},
	} {
		changes, _ := functions.Judge(paced(20, c.more, c.known), functions.Options{})
		if got := told(changes); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestOwnSpeedKnowsNoArm: swapping the arms of rounds turns the figures round, and changes nothing else.
func TestOwnSpeedKnowsNoArm(t *testing.T) {
	pairs := paced(20, 0.08, true)
	changes, _ := functions.Judge(pairs, functions.Options{})
	for i, p := range pairs {
		pairs[i] = functions.Pair{Before: p.After, After: p.Before}
	}
	swapped, _ := functions.Judge(pairs, functions.Options{})
	if told(swapped) != "better sums" || len(changes) != 1 || math.Abs(changes[0].Change.Value.Or(0)+swapped[0].Change.Value.Or(1)) > 1e-12 || changes[0].P != swapped[0].P {
		t.Errorf("%+v, swapped %+v", changes, swapped)
	}
}
