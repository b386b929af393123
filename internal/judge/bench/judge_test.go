package bench_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/bench"
)

// made are rounds of a benchmark of 1 µs and 64 bytes, as noisy as told; after is what the arm after is times that.
func made(random *rand.Rand, n int, noise float64, after map[string]float64) []bench.Pair {
	var out []bench.Pair
	for range n {
		arm := func(by map[string]float64) bench.Sample {
			values := map[string]float64{bench.Seconds: 1e-6 * math.Exp(noise*random.NormFloat64()), "B/op": 64, "allocs/op": 0, "hits/s": 100}
			for unit, v := range by {
				values[unit] *= v
			}
			return bench.Sample{Values: values}
		}
		out = append(out, bench.Pair{Before: arm(nil), After: arm(after)})
	}
	return out
}

// told prints what changed: "Fast s/op better".
func told(all []unpark.Benchmark) string {
	var out []string
	for _, b := range all {
		for _, e := range b.Effects {
			if e.Verdict != "same" {
				out = append(out, strings.Join([]string{b.Name, e.Metric, e.Verdict}, " "))
			}
		}
	}
	return strings.Join(out, ", ")
}

func TestJudge(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	id := func(name string) bench.ID { return bench.ID{Package: "example.com/p", Name: name} }
	rounds := map[bench.ID][]bench.Pair{
		id("Fast"): made(random, 20, 0.02, map[string]float64{bench.Seconds: 0.9}),
		id("Same"): made(random, 20, 0.02, nil), id("Tiny"): made(random, 20, 0, map[string]float64{bench.Seconds: 1.004}),
		id("Heap"): made(random, 20, 0.02, map[string]float64{"B/op": 1.25}), id("Hits"): made(random, 20, 0.02, map[string]float64{"hits/s": 0.5}),
	}
	got := bench.Judge(rounds, bench.Options{})
	if want := "Fast s/op better, Heap B/op worse, Hits hits/s worse"; told(got) != want {
		t.Errorf("%q, want %q", told(got), want)
	}
	e := got[0].Effects[0]
	if r := e.Ratio; r.Value.Or(0) < 0.88 || r.Value.Or(0) > 0.92 || r.Low.Or(1) > 0.9 || r.High.Or(0) < 0.9 || r.N != 20 {
		t.Errorf("ratio %+v", r)
	}
	if b := e.Before; math.Abs(b.Value.Or(0)/1e-6-1) > 0.02 || !b.Low.Known() || b.Unit != "s/op" {
		t.Errorf("before %+v", b)
	}
}

// TestFromNothing: an allocation where there was none has no ratio, and is worse; a round that is missing is none.
func TestFromNothing(t *testing.T) {
	pairs := made(rand.New(rand.NewPCG(1, 3)), 12, 0.02, nil)
	for i := range pairs {
		pairs[i].After.Values["allocs/op"] = 1
	}
	pairs[3] = bench.Pair{}
	got := bench.Judge(map[bench.ID][]bench.Pair{{Package: "p", Name: "New"}: pairs}, bench.Options{})
	if want := "New allocs/op worse"; told(got) != want {
		t.Errorf("%q, want %q", told(got), want)
	}
	if e := got[0].Effects[2]; e.Ratio.Known() || e.After.N != 11 {
		t.Errorf("%+v", e)
	}
	if got := bench.Judge(nil, bench.Options{}); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestIdenticalBenchmarks: of comparisons of forty identical benchmarks at most 1 % call a change of any.
func TestIdenticalBenchmarks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 4))
	const trials = 300
	alarms := 0
	for range trials {
		rounds := map[bench.ID][]bench.Pair{}
		for b := range 40 {
			rounds[bench.ID{Package: "p", Name: fmt.Sprint(b)}] = made(random, 12, 0.05, nil)
		}
		if told(bench.Judge(rounds, bench.Options{})) != "" {
			alarms++
		}
	}
	if alarms > trials/100+5 {
		t.Errorf("%d of %d call a change", alarms, trials)
	}
}

// TestTooFew: seven rounds can call nothing, eight can.
func TestTooFew(t *testing.T) {
	for n, want := range map[int]bool{7: true, 8: false} {
		if notice, few := bench.TooFew(n, bench.Options{}); few != want || few && (notice.Message == "" || notice.Cure == "") {
			t.Errorf("%d rounds: %v %+v", n, few, notice)
		}
		pairs := made(rand.New(rand.NewPCG(1, 5)), n, 0, map[string]float64{bench.Seconds: 2})
		if got := told(bench.Judge(map[bench.ID][]bench.Pair{{Package: "p", Name: "A"}: pairs}, bench.Options{})); (got == "") != want {
			t.Errorf("%d rounds: %q", n, got)
		}
	}
}
