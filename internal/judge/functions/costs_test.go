package functions_test

import (
	"math"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/functions"
)

func sqrt(v float64) float64 { return math.Sqrt(v) }

// graph is a service whose handler encodes and whose collector works; the probe's own stack is no cost of it.
func graph(kind unpark.Kind) unpark.Flame {
	f := unpark.Flame{
		Kind: kind, Names: []string{
			"all\x00", "net/http.(*conn).serve\x00/go/src/net/http/server.go:1", "example.com/shop.(*Page[go.shape.int]).Show\x00page.go:3",
			"encoding/json.Marshal\x00/go/src/encoding/json/encode.go:1", "runtime.gcBgMarkWorker\x00/go/src/runtime/mgc.go:1", "runtime.scanobject\x00/go/src/runtime/mgc.go:2",
			"example.com/shop.item\x00page.go:9", "example.com/shop/unparkagent.serve\x00agent.go:1",
		},
	}
	for _, n := range []struct {
		name, depth int
		self        float64
		side        byte
	}{{0, 0, 0, 'q'}, {1, 1, 1, 'q'}, {2, 2, 2, 'q'}, {3, 3, 3, 'q'}, {6, 3, 2, 'q'}, {3, 4, 1, 'q'}, {4, 1, 0, 'b'}, {5, 2, 1, 'b'}, {7, 1, 50, 'o'}} {
		f.Name, f.Depth, f.Self, f.Side = append(f.Name, n.name), append(f.Depth, n.depth), append(f.Self, n.self), append(f.Side, n.side)
		f.Value = append(f.Value, n.self)
	}
	return f
}

func TestCosts(t *testing.T) {
	c := functions.FromFlames([]unpark.Flame{graph(unpark.KindCPU)}, 5, "example.com/shop")[functions.CPU]
	want := map[string]functions.Cost{
		"example.com/shop.(*Page[...]).Show": {Self: 0.5, All: 0.8},
		"example.com/shop.item":              {Self: 0.3, All: 0.3, Within: "example.com/shop.(*Page[...]).Show"},
		"net/http.(*conn).serve":             {Self: 0.1, All: 0.1},
		"runtime.gcBgMarkWorker":             {Self: 0.1, All: 0.1},
	}
	if c.Each != 2 || len(c.By) != len(want) {
		t.Fatalf("%+v", c)
	}
	for f, w := range want {
		if got := c.By[f]; got != w {
			t.Errorf("%s: %+v, want %+v", f, got, w)
		}
	}
	// What waits beside the path of requests is no wait of theirs.
	if got := functions.FromFlames([]unpark.Flame{graph(unpark.KindBlock)}, 1, "example.com/shop")[functions.Wait]; got.Each != 9 {
		t.Errorf("waits %v", got.Each)
	}
}

func TestCostsOfNothing(t *testing.T) {
	broken := graph(unpark.KindCPU)
	broken.Depth[1], broken.Name[2] = 7, 99
	for name, c := range map[string]functions.Costs{
		"no run": functions.Of(unpark.Run{}), "no requests": functions.FromFlames([]unpark.Flame{graph(unpark.KindCPU)}, 0, ""),
		"another kind": functions.FromFlames([]unpark.Flame{graph(unpark.KindHeap)}, 5, ""), "broken": functions.FromFlames([]unpark.Flame{broken}, 5, ""),
	} {
		if c != nil {
			t.Errorf("%s: %v", name, c)
		}
		if c.At(functions.CPU, 1) != nil {
			t.Errorf("%s: a table was made up", name)
		}
	}
}
