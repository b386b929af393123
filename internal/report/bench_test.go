package report

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
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
		md := render(t, Markdown, b)
		golden(t, "bench-"+name+".md", []byte(md))
		checkMarkdown(t, md)
		if err := schema.Validate(parse(t, render(t, JSON, b))); err != nil && name != "hostile" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// benchmarkRounds are twenty of each benchmark, about the figures of its document.
func benchmarkRounds(b unpark.Benchmarks) map[string][]Round {
	out := map[string][]Round{}
	for _, r := range b.Results {
		for i := range 20 {
			round := Round{Number: i + 1, Before: map[string]float64{}, After: map[string]float64{}}
			for _, e := range r.Effects {
				noise := 1 + 0.02*math.Sin(float64(7*i))
				round.Before[e.Metric], round.After[e.Metric] = e.Before.Value.Or(1)*noise, e.After.Value.Or(1)*(2-noise)
			}
			out[r.Package+"."+r.Name] = append(out[r.Package+"."+r.Name], round)
		}
	}
	return out
}

func benchmarksHTML(t *testing.T, b unpark.Benchmarks) string {
	t.Helper()
	var out bytes.Buffer
	if err := BenchmarksHTML(&out, b, benchmarkRounds(b)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestBenchmarksHTML: every figure is on the page, drawn are those that changed, and names stay names.
func TestBenchmarksHTML(t *testing.T) {
	text := benchmarksHTML(t, benchmarks()["changed"])
	for _, want := range []string{
		">MIXED<", "v1.4.0 (0123456789ab) → the working tree", ">Time<", ">Allocations<", "Functions of Encode/large", "codec.New/large",
		`"name":"Encode/large, s/op"`, `"name":"Hash, hits/s"`, "&#43;4.6 % (&#43;3.6 to &#43;5.6)", "Decode fails in the arm after",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if strings.Contains(text, `"name":"Hash, s/op"`) {
		t.Error("what did not change is drawn")
	}
	for name, b := range benchmarks() {
		text := benchmarksHTML(t, b)
		for _, bad := range []string{"\x1b", "<script>\"", "<b>n", "NaN"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: the page has %q", name, bad)
			}
		}
		if drawn := strings.Contains(text, `id="dots"`); drawn != (name == "changed") || !strings.Contains(text, "</html>") {
			t.Errorf("%s: drawn %v", name, drawn)
		}
	}
}

// TestBenchmarksInBrowser: the page is drawn without an error, and nothing is wider than a phone.
func TestBenchmarksInBrowser(t *testing.T) {
	b := newBrowser(t)
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(benchmarksHTML(t, benchmarks()["changed"])), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{1280, 390} {
		b.Visit(t, "file://"+file, width, 900)
		b.Until(t, `document.querySelector('#dots svg') !== null`)
		if n := b.Eval(t, `document.querySelectorAll('#dots figure').length`).(float64); n != 4 {
			t.Errorf("%d px: %v figures", width, n)
		}
		if n := b.Eval(t, `document.querySelector('#dots figure').querySelectorAll('circle').length`).(float64); n != 20*3+1 {
			t.Errorf("%d px: %v dots", width, n)
		}
		if w := b.Eval(t, `document.documentElement.scrollWidth`).(float64); int(w) > width {
			t.Errorf("the page is %v px wide on %d", w, width)
		}
		b.shoot(t, fmt.Sprintf("bench-%d", width))
	}
}

// shoot keeps a picture of the whole page in the directory that UNPARK_SHOTS names, if it names one.
func (b *browser) shoot(t *testing.T, name string) {
	t.Helper()
	dir := os.Getenv("UNPARK_SHOTS")
	if dir == "" {
		return
	}
	var picture struct {
		Data []byte `json:"data"`
	}
	b.Must(t, "Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": true}, &picture)
	if err := os.WriteFile(filepath.Join(dir, name+".png"), picture.Data, 0o600); err != nil {
		t.Fatal(err)
	}
}
