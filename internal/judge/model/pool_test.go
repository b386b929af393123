package model

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestPoolsJoin: waits of two functions for a library's pool are one; those for another library's
// pool, and for a channel of the program's own, are not.
func TestPoolsJoin(t *testing.T) {
	wait := func(delay float64, waiter string, by ...string) Wait {
		stack := []unpark.Site{{Function: "runtime.selectgo"}}
		for _, f := range append(by, waiter) {
			stack = append(stack, unpark.Site{Function: f})
		}
		return Wait{
			Heaviest: facts.Wait{Class: unpark.WaitPool, Waiter: unpark.Site{Function: waiter}, Stack: stack},
			Delay:    delay, Sources: map[string]float64{"block.pb.gz": delay},
		}
	}
	const conn = "database/sql.(*DB).conn"
	for _, c := range []struct {
		name string
		all  []Wait
		want []float64
	}{
		{"one pool", []Wait{wait(3, "main.list", conn), wait(2, "main.find", conn)}, []float64{5}},
		{"two libraries", []Wait{wait(3, "main.list", conn), wait(2, "main.ask", "github.com/panjf2000/ants.(*Pool).Submit")}, []float64{3, 2}},
		{"of one's own", []Wait{wait(3, "main.enter"), wait(2, "main.join")}, []float64{3, 2}},
	} {
		got := pools(c.all)
		if len(got) != len(c.want) {
			t.Errorf("%s: %d waits, want %d", c.name, len(got), len(c.want))
			continue
		}
		for i, w := range got {
			if w.Delay != c.want[i] || w.Sources["block.pb.gz"] != c.want[i] {
				t.Errorf("%s: %v of %v, want %v", c.name, w.Delay, w.Sources, c.want[i])
			}
		}
	}
}
