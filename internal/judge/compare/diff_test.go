package compare_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
)

// flame builds a graph from lines "depth function line value self".
func flame(t testing.TB, kind unpark.Kind, lines ...string) unpark.Flame {
	t.Helper()
	f := unpark.Flame{Kind: kind, Unit: kind.Unit()}
	for i, l := range lines {
		var depth, line int
		var function string
		var value, self float64
		if _, err := fmt.Sscan(l, &depth, &function, &line, &value, &self); err != nil {
			t.Fatalf("%q: %v", l, err)
		}
		f.Names = append(f.Names, fmt.Sprintf("%s\x00a.go:%d", function, line))
		f.Name, f.Depth, f.Side = append(f.Name, i), append(f.Depth, depth), append(f.Side, 'q')
		f.Value, f.Self = append(f.Value, value), append(f.Self, self)
		if depth == 0 {
			f.Total += value
		}
	}
	return f
}

func lines(f unpark.Flame) string {
	var b strings.Builder
	for i := range f.Name {
		function, place, _ := strings.Cut(f.Names[f.Name[i]], "\x00")
		fmt.Fprintf(&b, "%s%s %s %.3g → %.3g self %.3g → %.3g\n", strings.Repeat(" ", f.Depth[i]), function, place, f.Before[i], f.Value[i], f.BeforeSelf[i], f.Self[i])
	}
	return b.String()
}

func withFlames(requests int64, flames ...unpark.Flame) unpark.Run {
	start := time.Unix(100, 0)
	r := unpark.Run{Flames: flames, Windows: []unpark.Window{{Start: start, End: start.Add(10 * time.Second)}}}
	if requests > 0 {
		r.Windows[0].Load = &unpark.Load{Requests: requests}
	}
	return r
}

func TestDiff(t *testing.T) {
	before := flame(t, unpark.KindCPU,
		"0 main 1 10 0", "1 serve 2 9 1", "2 lookup 3 8 8", "1 gc 4 1 1")
	after := flame(t, unpark.KindCPU,
		// serve is called from two lines now, and both are one frame.
		"0 main 1 12 0", "1 serve 7 4 1", "2 encode 8 3 3", "1 serve 9 6 2", "2 encode 8 4 4", "1 gc 4 2 2")
	got := compare.Diff(withFlames(10, before), withFlames(20, after))
	if len(got) != 1 {
		t.Fatalf("%d graphs", len(got))
	}
	want := `main a.go:1 1 → 0.6 self 0 → 0
 serve a.go:9 0.9 → 0.5 self 0.1 → 0.15
  lookup a.go:3 0.8 → 0 self 0.8 → 0
  encode a.go:8 0 → 0.35 self 0 → 0.35
 gc a.go:4 0.1 → 0.1 self 0.1 → 0.1
`
	if text := lines(got[0]); text != want {
		t.Errorf("got\n%swant\n%s", text, want)
	}
	if f := got[0]; f.Per != "request" || f.Total != 0.6 || f.BeforeTotal != 1 || f.Unit != "s" || len(f.Side) != 5 || f.Side[0] != 'q' {
		t.Errorf("%+v", f)
	}
}

func TestDiffNormalises(t *testing.T) {
	cpu, heap := flame(t, unpark.KindCPU, "0 main 1 10 10"), flame(t, unpark.KindHeap, "0 main 1 10 10")
	for _, c := range []struct {
		name          string
		before, after unpark.Run
		per           []string
		value         []float64
	}{
		{"by request", withFlames(5, cpu, heap), withFlames(5, cpu, heap), []string{"request", ""}, []float64{2, 10}},
		{"by second", withFlames(0, cpu, heap), withFlames(5, cpu, heap), []string{"second", ""}, []float64{1, 10}},
		{"no window", unpark.Run{Flames: []unpark.Flame{cpu, heap}}, withFlames(5, cpu, heap), []string{""}, []float64{10}},
		{"one kind of both", withFlames(5, heap), withFlames(5, cpu, heap), []string{""}, []float64{10}},
		{"none", withFlames(5), withFlames(5, cpu), nil, nil},
	} {
		got := compare.Diff(c.before, c.after)
		if len(got) != len(c.per) {
			t.Errorf("%s: %d graphs, want %d", c.name, len(got), len(c.per))
			continue
		}
		for i, f := range got {
			if f.Per != c.per[i] || f.Value[0] != c.value[i] || f.Before[0] != c.value[i] {
				t.Errorf("%s: %+v", c.name, f)
			}
		}
	}
}

// FuzzDiff gives columns that do not fit each other: the joined graph is a tree all
// the same, and a run against itself has no difference.
func FuzzDiff(f *testing.F) {
	f.Add(`{"names":["a","b"],"name":[0,1],"depth":[0,1],"value":[2,1],"self":[1,1],"side":"cQ=="}`)
	f.Add(`{"names":["a"],"name":[0,5],"depth":[0,1],"value":[2,1],"self":[1]}`)
	f.Add(`{"names":["a"],"name":[0,0],"depth":[0,7],"value":[2,1],"self":[1,0]}`)
	f.Add(`{"names":["a"],"name":[0,0],"depth":[0,-1],"value":[2,1],"self":[1,0]}`)
	f.Add(`{"names":[""],"name":[0,0,0],"depth":[0,0,0],"value":[1,1,1],"self":[1,1,1]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var g unpark.Flame
		if json.Unmarshal([]byte(text), &g) != nil {
			return
		}
		g.Kind = unpark.KindCPU
		got := compare.Diff(withFlames(3, g), withFlames(3, g))[0]
		n := len(got.Name)
		if len(got.Depth) != n || len(got.Value) != n || len(got.Self) != n || len(got.Side) != n || len(got.Before) != n || len(got.BeforeSelf) != n {
			t.Fatalf("columns of different lengths: %+v", got)
		}
		for i := range n {
			if got.Depth[i] < 0 || i == 0 && got.Depth[i] != 0 || i > 0 && got.Depth[i] > got.Depth[i-1]+1 || got.Name[i] >= len(got.Names) {
				t.Fatalf("node %d does not fit: %+v", i, got)
			}
			if got.Before[i] != got.Value[i] && !math.IsNaN(got.Value[i]) {
				t.Fatalf("node %d of a graph and itself: %v and %v", i, got.Before[i], got.Value[i])
			}
		}
	})
}
