package report

import (
	"bytes"
	"testing"

	"github.com/unpark-go/unpark"
)

func benchmarks() map[string]unpark.Benchmarks {
	figure := func(unit string, before, after, ratio, p float64, verdict string) unpark.Effect {
		return unpark.Effect{
			Metric: unit, Before: unpark.Between(before, 0.98*before, 1.02*before, unit, 20), After: unpark.Between(after, 0.98*after, 1.02*after, unit, 20),
			Ratio: unpark.Between(ratio, 0.99*ratio, 1.01*ratio, "ratio", 20), P: num(p), Verdict: verdict,
		}
	}
	fromNothing := figure("allocs/op", 0, 1, 0, 0.001, "worse")
	fromNothing.Ratio = unpark.Quantity{}
	rows := changedFunctions()[:2]
	for i := range rows {
		rows[i].Metric = "cpu_per_op"
		rows[i].Before.Unit, rows[i].After.Unit, rows[i].Change.Unit = "s/op", "s/op", "s/op"
	}
	return map[string]unpark.Benchmarks{
		"changed": {
			Before: "v1.4.0 (0123456789ab)", After: "the working tree", Rounds: 20, OnlyBefore: []string{"example.com/shop/codec.Old"}, OnlyAfter: []string{"example.com/shop/codec.New/large"},
			Results: []unpark.Benchmark{
				{
					Package: "example.com/shop/codec", Name: "Encode/large",
					Effects:   []unpark.Effect{figure("s/op", 173e-6, 181e-6, 1.046, 0.0002, "worse"), figure("B/op", 7096, 6144, 0.866, 0.0002, "better")},
					Functions: rows, FunctionsTested: &unpark.FunctionsTested{Functions: 9, Rounds: 12, Floor: num(0.005), Resolution: unpark.Measured(0.03, "ratio", 12)},
				},
				{Package: "example.com/shop/codec", Name: "Hash", Effects: []unpark.Effect{figure("s/op", 9.55e-9, 9.57e-9, 1.002, 0.8, "same"), fromNothing, figure("hits/s", 1200, 1500, 1.25, 0.001, "better")}},
			},
			Warnings: []unpark.Notice{{Code: "benchmark-failed", Message: "example.com/shop/codec.Decode fails in the arm after: exit status 1", Cure: "see go test -run '^$' -bench '^BenchmarkDecode$'"}},
		},
		"same":    {Before: "a", After: "b", Rounds: 20, Results: []unpark.Benchmark{{Package: "p", Name: "Hash", Effects: []unpark.Effect{figure("s/op", 1e-6, 1e-6, 1, 1, "same")}}}},
		"nothing": {},
		"hostile": {
			Before: "\x1b[31m", After: "<script>", OnlyAfter: []string{"\x1b[2J|`"},
			Results: []unpark.Benchmark{{Name: "\x1b[31m<b>" + repeat("n", 200), Effects: []unpark.Effect{{Metric: "\x1b[31m/op", Verdict: "`|\n", Before: unpark.Measured(1, "\x1b[31m/op", 1)}, {}}}},
		},
	}
}

func TestBenchmarks(t *testing.T) {
	schema := compile(t, "bench.schema.json")
	for name, b := range benchmarks() {
		var text bytes.Buffer
		if err := Text(&text, b); err != nil {
			t.Fatal(err)
		}
		golden(t, "bench-"+name+".txt", text.Bytes())
		checkLines(t, text.String())
		if err := schema.Validate(parse(t, render(t, JSON, b))); err != nil && name != "hostile" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
