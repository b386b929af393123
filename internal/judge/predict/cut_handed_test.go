package predict

import (
	"math"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestOtherEnd: what a goroutine computes that takes up what requests hand over may go with the channel, and what handing over costs with
// it; not what works for the request that waits, or is another request, nor what ends no wait.
func TestOtherEnd(t *testing.T) {
	at := func(f string) unpark.Site { return unpark.Site{Function: f} }
	loop, serve := []unpark.Site{at("runtime.selectgo"), at("lib.(*Cache).expire")}, []unpark.Site{at("runtime.chansend1"), at("lib.(*Cache).expire"), at("net/http.(*conn).serve")}
	for name, c := range map[string]struct {
		class  unpark.Class
		ends   []unpark.Site
		served float64
		want   float64 // at most, of the CPU
	}{
		"a loop takes it":         {unpark.ClassChannel, loop, 0.1, 0.4},
		"it works for the waiter": {unpark.ClassChannel, loop, 0.9, 0},
		"another request":         {unpark.ClassChannel, serve, 0, 0},
		"no trace":                {unpark.ClassChannel, nil, 0, 0},
		"a pool":                  {unpark.ClassPool, loop, 0, 0},
	} {
		s := full2(func(ev *facts.Evidence) {
			ev.CPU.Tree = facts.Tree{Total: 30, Roots: []*facts.Node{{Site: at("lib.(*Cache).expire"), Value: 9}, {Site: at("lib.(*Cache).Set"), Value: 6}}}
			ev.CPU.Tree.Roots[1].Runtime = map[string]float64{"runtime.chansend1": 3}
			if c.ends != nil {
				ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: 100, Edges: []unpark.Edge{{Class: unpark.WaitChannel, Waiter: at("app.save"), Holder: at("lib.(*Cache).expire"), HolderStack: c.ends, Delay: 1, Served: c.served, Count: 50}}}
			}
		})
		f := unpark.Finding{Class: c.class, Site: at("app.save"), Waiter: &unpark.Site{Function: "app.save"}, Path: []unpark.Site{at("runtime.chansend1"), at("lib.(*Cache).Set"), at("app.save")}}
		got := cutOf(s, f).sync
		if math.Abs(got.high-c.want) > 1e-9 || math.Abs(got.value-c.want/2) > 1e-9 || got.low != 0 {
			t.Errorf("%s: %+v, want %v at most", name, got, c.want)
		}
	}
}
