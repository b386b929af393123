package profile

import (
	"fmt"
	"math"
	"testing"

	"github.com/unpark-go/unpark"
)

// checkFlame reports what is wrong with the columns of a flame.
func checkFlame(t *testing.T, f unpark.Flame) {
	t.Helper()
	n := len(f.Name)
	if n == 0 || len(f.Depth) != n || len(f.Value) != n || len(f.Self) != n || len(f.Side) != n {
		t.Fatalf("columns of %d, %d, %d, %d, %d", n, len(f.Depth), len(f.Value), len(f.Self), len(f.Side))
	}
	if f.Depth[0] != 0 || f.Value[0] != f.Total {
		t.Errorf("root at depth %d with %v of %v", f.Depth[0], f.Value[0], f.Total)
	}
	var walk func(i int) int
	walk = func(i int) int {
		sum, last := f.Self[i], math.Inf(1)
		next := i + 1
		for next < n && f.Depth[next] == f.Depth[i]+1 {
			if f.Value[next] > last*(1+1e-9) {
				t.Errorf("node %d is larger than the one before it", next)
			}
			last = f.Value[next]
			sum += f.Value[next]
			next = walk(next)
		}
		if math.Abs(sum-f.Value[i]) > 1e-6*f.Value[i] {
			t.Errorf("node %d has %v, its parts %v", i, f.Value[i], sum)
		}
		return next
	}
	if end := walk(0); end != n {
		t.Errorf("walk ended at %d of %d", end, n)
	}
}

func TestFlame(t *testing.T) {
	p := mustDecode(t, build(t, []string{"samples/count", "cpu/nanoseconds"}, map[string]int64{
		"main.leaf main.handle net/http.serverHandler.ServeHTTP net/http.(*conn).serve":  3e9,
		"main.other main.handle net/http.serverHandler.ServeHTTP net/http.(*conn).serve": 5e9,
		"runtime.scanobject runtime.gcDrain runtime.gcBgMarkWorker":                      1e9,
		"net/http/pprof.Profile net/http.serverHandler.ServeHTTP net/http.(*conn).serve": 1e9,
	}), unpark.KindCPU)
	f := p.Flame(NewCatalogue(""))
	checkFlame(t, f)
	if f.Total != 10 || f.Unit != "s" || f.Kind != unpark.KindCPU {
		t.Errorf("total %v %s of %s", f.Total, f.Unit, f.Kind)
	}
	want := []string{
		"0 all 10 q", "1 net/http.(*conn).serve f.go:7 9 q", "2 net/http.serverHandler.ServeHTTP f.go:7 9 q",
		"3 main.handle f.go:7 8 q", "4 main.other f.go:7 5 q", "4 main.leaf f.go:7 3 q", "3 net/http/pprof.Profile f.go:7 1 o",
		"1 runtime.gcBgMarkWorker f.go:7 1 r", "2 runtime.gcDrain f.go:7 1 r", "3 runtime.scanobject f.go:7 1 r",
	}
	for i := range f.Name {
		name, place, _ := cutName(f.Names[f.Name[i]])
		got := fmt.Sprintf("%d %s", f.Depth[i], name)
		if place != "" {
			got += " " + place
		}
		got += fmt.Sprintf(" %v %c", f.Value[i], f.Side[i])
		if i >= len(want) || got != want[i] {
			t.Errorf("node %d is %q", i, got)
		}
	}
}

func cutName(s string) (name, place string, ok bool) {
	for i := range s {
		if s[i] == 0 {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

func TestFlameOfRealProfiles(t *testing.T) {
	c := NewCatalogue("")
	for kind, data := range realProfiles(t) {
		p := mustDecode(t, data, kind)
		f := p.Flame(c)
		checkFlame(t, f)
		if math.Abs(f.Total-p.Total()) > 1e-6*p.Total() {
			t.Errorf("%s: %v in the flame, %v in the profile", kind, f.Total, p.Total())
		}
	}
}

func TestFlameIsBounded(t *testing.T) {
	stacks := map[string]int64{}
	for i := range 500 {
		stacks[fmt.Sprintf("main.leaf%d main.mid%d main.top", i, i%50)] = int64(1+i) * 1e6
	}
	p := mustDecode(t, build(t, []string{"samples/count", "cpu/nanoseconds"}, stacks), unpark.KindCPU)
	for _, limit := range []struct{ tree, nodes int }{{10000, 100}, {300, 100}, {300, 1000}} {
		f := p.flame(NewCatalogue(""), limit.tree, limit.nodes)
		checkFlame(t, f)
		if math.Abs(f.Total-p.Total()) > 1e-6 {
			t.Errorf("%v: total %v, want %v", limit, f.Total, p.Total())
		}
		if len(f.Name) > limit.nodes {
			t.Errorf("%v: %d nodes", limit, len(f.Name))
		}
	}
	if f := new(Profile).Flame(NewCatalogue("")); len(f.Name) != 1 || f.Total != 0 {
		t.Errorf("an empty profile has %d nodes", len(f.Name))
	}
}
