package compare_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/unpark-go/unpark/internal/judge/compare"
	"github.com/unpark-go/unpark/internal/rota"
)

// TestIdenticalArmsWithSpeed: correction calls identical arms different no more often
// than 1 %, whatever the machine does and whatever services make of it.
func TestIdenticalArmsWithSpeed(t *testing.T) {
	trials := 100
	if rota.Long(3, 4) {
		trials = 500
	}
	with := func(change func(*machine)) machine {
		m := paced()
		change(&m)
		return m
	}
	random := rand.New(rand.NewPCG(6, 17))
	for _, c := range []struct {
		name string
		m    machine
	}{
		{"a noisy machine", paced()},
		{"speed that lasts", with(func(m *machine) { m.keeps = 0.95 })},
		{"speed that does not", with(func(m *machine) { m.keeps = 0 })},
		{"services that hardly feel it", with(func(m *machine) { m.slope = 0.2 })},
		{"services that feel it more", with(func(m *machine) { m.slope = 2.5 })},
		{"a bad yardstick", with(func(m *machine) { m.blur = 0.06 })},
		{"a quiet machine", machine{speed: 0.002, own: 0.01, blur: 0.01, slope: 1}},
	} {
		alarms := 0
		for range trials {
			pairs := stopped(c.m.rounds(random, 20), compare.Options{})
			for _, v := range verdicts(judged(pairs, c.m.rounds(random, 3))) {
				if v != "same" {
					alarms++
					break
				}
			}
		}
		rate := float64(alarms) / float64(trials)
		t.Logf("%s: %.2f %% of comparisons of identical arms called a change", c.name, 100*rate)
		if rate > 0.01+3*math.Sqrt(0.01*0.99/float64(trials)) {
			t.Errorf("%s: %.2f %% of comparisons of identical arms called a change, want at most 1 %%", c.name, 100*rate)
		}
	}
}

// TestPowerWithSpeed: a change of 5 % is found on a machine whose speed varies by
// 5.5 %, where it is hardly ever found without a yardstick.
func TestPowerWithSpeed(t *testing.T) {
	trials := 300
	if testing.Short() {
		trials = 40
	}
	random := rand.New(rand.NewPCG(7, 17))
	m := paced()
	m.change = compare.Sample{"cpu_per_request": 1.05}
	now, then := 0, 0
	for range trials {
		pairs, identical := m.rounds(random, 20), paced().rounds(random, 3)
		if verdicts(judged(stopped(pairs, compare.Options{}), identical))["cpu_per_request"] == "worse" {
			now++
		}
		old := without(pairs)
		if verdicts(judged(stopped(old, compare.Options{}), without(identical)))["cpu_per_request"] == "worse" {
			then++
		}
	}
	a, b := float64(now)/float64(trials), float64(then)/float64(trials)
	t.Logf("+5 %% found in %.3f with a yardstick, in %.3f without", a, b)
	if a < 0.85 || b > 0.6 {
		t.Errorf("+5 %% found in %.3f with a yardstick (want 0.85), in %.3f without", a, b)
	}
}

// TestIntervalsCoverWithSpeed: the corrected 90 % interval holds the true ratio nine
// times in ten, with a change and without.
func TestIntervalsCoverWithSpeed(t *testing.T) {
	trials := 600
	if testing.Short() {
		trials = 60
	}
	random := rand.New(rand.NewPCG(8, 17))
	truth := map[string]float64{"throughput": 0.7, "p50": 1, "p99": 1.5, "cpu_per_request": 1.05}
	m := paced()
	m.change = compare.Sample(truth)
	covers(t, truth, trials, 0.88, func(int) []compare.Pair { return m.rounds(random, 20) })
}
