package check_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/check"
)

func TestRead(t *testing.T) {
	text, err := os.ReadFile("testdata/budget.yaml")
	if err != nil {
		t.Fatal(err)
	}
	got, err := check.Read("budget.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	want := []unpark.Bound{
		{Metric: "p99", Op: "<", Value: 0.05, Unit: "s", Text: "< 50ms", Line: 2},
		{Metric: "p99", Op: "<=", Value: 0.10, Unit: "s", Baseline: true, Text: "<= +10%", Line: 2},
		{Metric: "p999", Op: "<", Value: 1.5, Unit: "s", Text: "< 1.5 s", Line: 3},
		{Metric: "throughput", Op: ">=", Value: 400, Unit: "req/s", Text: "at least 400 req/s", Line: 5},
		{Metric: "throughput", Op: ">=", Value: -0.05, Unit: "req/s", Baseline: true, Text: ">= −5%", Line: 6},
		{Metric: "cpu_per_request", Op: "<=", Value: 0.05, Unit: "s/req", Baseline: true, Text: "≤ +5 %", Line: 7},
		{Metric: "bytes_per_request", Op: "<", Value: 65536, Unit: "B/req", Text: "below 64 KiB/req", Line: 8},
		{Metric: "mean_waiters", Op: "<", Value: 2, Unit: "waiters", Text: "< 2", Line: 9},
		{Metric: "errors", Op: "<", Value: 0.001, Unit: "ratio", Text: "< 0.1%", Line: 10},
		{Metric: "waiters", At: "store.(*DB).Get", Op: "<", Value: 2, Unit: "waiters", Text: "< 2 waiters", Line: 12},
		{Metric: "waiters", At: "*", Op: "<=", Value: 0.20, Unit: "waiters", Baseline: true, Text: "at most +20%", Line: 13},
		{Metric: "no_findings", Classes: []unpark.Class{unpark.ClassLeak}, Text: "leak", Line: 14},
		{Metric: "no_new_findings", Baseline: true, Text: "any", Line: 15},
	}
	if got.File != "budget.yaml" || len(got.Bounds) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, b := range got.Bounds {
		w := want[i]
		if d := b.Value - w.Value; d > 1e-12 || d < -1e-12 {
			t.Errorf("%s: value %g, want %g", w.Text, b.Value, w.Value)
		}
		b.Value = w.Value
		if !reflect.DeepEqual(b, w) {
			t.Errorf("got  %+v\nwant %+v", b, w)
		}
	}
}

// TestReadErrors: each says the file, the line, what is wrong and what to write.
func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "b.yaml: it is empty: write a line such as p99: < 50ms"},
		{"# nothing\n", "it is empty"},
		{"p99: < 50ms\np9: < 60ms\n", `b.yaml:2:1: unknown key "p9": did you mean "p90" or "p95" or "p99"?`},
		{"thruput: at least 4 req/s", `b.yaml:1:1: unknown key "thruput": did you mean "throughput"?`},
		{"colour: red", `unknown key "colour"`},
		{"{}", "it bounds nothing"},
		{"p99: < 50", `b.yaml:1:6: p99: "< 50" has no unit and p99 is a time: write < 50ms`},
		{"p99: 50ms", `"50ms" has no <, <=, > or >=`},
		{"p99: < 50 req/s", `"req/s" is not a unit of a time: write one of ms, ns, s, us, µs`},
		{"p99: < 50%", "a change against the baseline has a sign"},
		{"p99: < 0x1p-2s", "not a unit"},
		{"p99: < ms", "no number in it"},
		{"p99: < 1.2.3ms", "no number in it"},
		{"p99: < 1-2ms", "no number in it"},
		{"p99: < -50ms", "a figure with a sign is a change against the baseline, in percent"},
		{"p99: '> 50ms'", "bounds it on the side where it is better: write at most"},
		{"throughput: < 400 req/s", "bounds it on the side where it is better: write at least"},
		{"throughput: >= 400 req/s", `b.yaml:1: a limit that begins with > must be in quotes, or in words`},
		{"p99: < 1ms\nthroughput:\n  - > 4 req/s\n", `b.yaml:3: a limit that begins with >`},
		{"p95: <= +5%", "how identical runs differ in p95 was not measured"},
		{"p99: <= -100%", "no such change is possible"},
		{"p99: <= +100100%", "no such change is possible"},
		{"p99: < 1" + strings.Repeat("0", 400) + "s", "no number in it"},
		{"p99: {max: 3ms}", "p99 takes a limit: write < 50ms"},
		{"p99: []", "p99 has no limit"},
		{"p99: [[< 3ms]]", "p99 takes a limit"},
		{"p99: |\n  < 3ms\n", "p99 takes a limit"},
		{"p99: < 3ms\np99: < 4ms", "b.yaml:2:1: p99 is there already, on line 1: write several limits as a list"},
		{"p99: &a < 3ms\np50: *a", "b.yaml:2:6: p50 takes a limit"},
		{"a: &a {p99: < 3ms}\n<<: *a", `unknown key "<<"`},
		{"[p99]", "a budget is a list of lines KEY: LIMIT"},
		{"just text", "a budget is a list of lines KEY: LIMIT"},
		{"p99: < 3ms\n---\np50: < 1ms", "a second document"},
		{"p99: [< 3ms", "b.yaml:1: no YAML"},
		{"waiters: < 3", "waiters is a list of lines"},
		{"waiters: {'': < 3}", "waiters of which function?"},
		{"waiters: {a.b: < 3ms}", `"ms" is not a unit of a number of goroutines`},
		{"no_findings: locks", `"locks" is not a class of findings: did you mean "lock"?`},
		{"no_findings: []", "names no class"},
		{"no_findings: [any, lock]", "any is all classes"},
		{"no_new_findings: {lock: 1}", "is not a class of findings"},
		{"p50: [" + strings.Repeat("< 1s,", 201) + "]", "201 limits in one file, at most 200"},
		{"errors: < 5", `"< 5" has no unit and errors is a share`},
		{"errors: < 3ms", `"ms" is not a unit of a share: write one of %`},
		{"? [a, b]\n: 1", "a key is a word"},
		{strings.Repeat(" ", 2<<20), "larger than"},
	} {
		b, err := check.Read("b.yaml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: %v, %v, want %q", c.text, b, err, c.want)
		}
		if err != nil && !strings.Contains(err.Error(), "b.yaml") {
			t.Errorf("%.60q: no file in %v", c.text, err)
		}
	}
}

// TestReadAllErrors: a file's errors come together, but not without end.
func TestReadAllErrors(t *testing.T) {
	_, err := check.Read("b", []byte("p9: < 1ms\np50: < 3\nfoo: 1\n"))
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("want three errors, have %v", err)
	}
	_, err = check.Read("b", []byte(strings.Repeat("x", 1)+": 1\n"+lines(50)))
	if err == nil || strings.Count(err.Error(), "\n") != 9 {
		t.Errorf("want ten errors, have %v", err)
	}
}

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("key" + strings.Repeat("a", i) + ": 1\n")
	}
	return b.String()
}

// FuzzRead: no text makes it panic, and what it takes has bounds that can be judged.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("p99: [< 50ms, <= +10%]\nwaiters: {\"a*b\": < 2}\nno_findings: [lock, leak]"))
	f.Add([]byte("throughput: '≥ −5 %'\nerrors: at most 1%"))
	f.Add([]byte("a: &a [*a]\n<<: *a\n? {}\n: - - -"))
	f.Fuzz(func(t *testing.T, text []byte) {
		b, err := check.Read("f", text)
		if err != nil {
			if !strings.Contains(err.Error(), "f") || len(b.Bounds) > 0 {
				t.Errorf("%v, %v", b, err)
			}
			return
		}
		if len(b.Bounds) == 0 {
			t.Error("no bounds and no error")
		}
		for _, x := range b.Bounds {
			if x.Value != x.Value || x.Line < 1 {
				t.Errorf("%+v", x)
			}
		}
		c := check.Judge(check.Subject{Run: run(usual()), Baselines: []unpark.Run{run(usual())}}, b)
		if len(c.Bounds) != len(b.Bounds) {
			t.Errorf("%d of %d bounds judged", len(c.Bounds), len(b.Bounds))
		}
	})
}
