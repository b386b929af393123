package bench

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/unpark-go/unpark/internal/judge/bench"
)

func TestSplitPattern(t *testing.T) {
	for pattern, want := range map[string][2]string{
		".": {".", ""}, "Encode/large": {"Encode", "large"}, "A[/]B/c/d": {"A[/]B", "c/d"}, "(A/|B)/c": {"(A/|B)", "c"}, `A\/b/c`: {`A\/b`, "c"}, "/x": {"", "x"},
	} {
		if top, rest := splitPattern(pattern); top != want[0] || rest != want[1] {
			t.Errorf("%s: %q %q, want %q", pattern, top, rest, want)
		}
	}
}

func TestExactly(t *testing.T) {
	for name, want := range map[string]string{"Words": "^BenchmarkWords$", "Count/n=1.5/a+b": `^BenchmarkCount$/^n=1\.5$/^a\+b$`} {
		if got := exactly(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestRead: figures by name and unit, logs between them are nothing, and what is kept is for benchstat.
func TestRead(t *testing.T) {
	const printed = `goos: linux
pkg: example.com/words
BenchmarkCount/long-2         	  100000	        82.45 ns/op	       0 B/op	       0 allocs/op	       7.5 hits/s
a log of the service
BenchmarkCount/short-fast-2         	  100000	        9 ns/op
PASS
`
	out, err := newFolder(filepath.Join(t.TempDir(), "runs"))
	if err != nil {
		t.Fatal(err)
	}
	e := &experiment{arms: [2]*arm{{name: "before"}, {name: "after"}}, out: out}
	got, err := e.read([]byte(printed), 0, 1e-4)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bench.Sample{
		"Count/long":       {Values: map[string]float64{"s/op": 82.45e-9, "B/op": 0, "allocs/op": 0, "hits/s": 7.5}, Yardstick: 1e-4},
		"Count/short-fast": {Values: map[string]float64{"s/op": 9e-9}, Yardstick: 1e-4},
	}
	for name, w := range want {
		for unit, v := range w.Values {
			if d := got[name].Values[unit] - v; d > 1e-18 || d < -1e-18 {
				t.Errorf("%s: %g %s, want %g", name, got[name].Values[unit], unit, v)
			}
		}
	}
	if len(got) != len(want) || !reflect.DeepEqual(valuesOf([]byte(printed), "Count/short-fast"), got["Count/short-fast"].Values) {
		t.Errorf("%+v", got)
	}
	kept, err := os.ReadFile(filepath.Join(out.dir, "before.txt"))
	if err != nil || string(kept) != `goos: linux
pkg: example.com/words

BenchmarkCount/long-2 100000 82.45 ns/op 0 B/op 0 allocs/op 7.5 hits/s
BenchmarkCount/short-fast-2 100000 9 ns/op
` {
		t.Errorf("%s%v", kept, err)
	}
	if _, err := newFolder(out.dir); err == nil {
		t.Error("a folder that exists was taken")
	}
}
