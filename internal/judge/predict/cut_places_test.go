package predict

import (
	"math"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestFreePlaces: a wait that keeps a place of the pool which binds is worth what others wait for the place less, too: without half of
// a hold the queue is half as long. It is not where something else binds, or where the place is not kept meanwhile.
func TestFreePlaces(t *testing.T) {
	at := func(line int, below ...string) []unpark.Site {
		var out []unpark.Site
		for _, f := range below {
			out = append(out, unpark.Site{Function: f})
		}
		return append(out, unpark.Site{Function: "app.order", Line: line}, unpark.Site{Function: "net/http.(*conn).serve"})
	}
	for name, c := range map[string]struct {
		line  int
		limit unpark.LimitKind
		want  float64 // of the pool's wait
	}{
		"the pool binds":      {15, unpark.LimitPool, 0.5},
		"before it is taken":  {5, unpark.LimitPool, 0},
		"another thing binds": {15, unpark.LimitDownstream, 0},
	} {
		s := full2(func(ev *facts.Evidence) {
			ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: 100, Edges: []unpark.Edge{{
				Class: unpark.WaitPool, Waiter: unpark.Site{Function: "app.order"}, Delay: 5, Count: 50,
				HolderStack: at(20, "runtime.chansend1", "database/sql.(*DB).putConnDBLocked"),
				Held:        []unpark.Held{{Class: unpark.WaitDownstream, Site: unpark.Site{Function: "app.charge"}, Share: 0.5}, {Class: unpark.Running, Share: 0.5}},
			}}}
		})
		each := 0.8 * s.mean
		s.limit = c.limit
		s.m.Pool = []model.Wait{{Delay: each * s.m.Requests, Heaviest: facts.Wait{Class: unpark.WaitPool, Waiter: unpark.Site{Function: "app.order"}, Stack: at(10, "runtime.selectgo", "database/sql.(*DB).conn")}}}
		s.m.Answers = []model.Wait{{Delay: s.m.Requests * s.mean / 10, Heaviest: facts.Wait{Class: unpark.WaitDownstream, Waiter: unpark.Site{Function: "app.charge"}, Stack: at(c.line, "app.charge")}}}
		w := s.mean / 10
		f := unpark.Finding{Class: unpark.ClassDownstream, Site: unpark.Site{Function: "app.charge"}, Waiter: &unpark.Site{Function: "app.charge"}}
		f.Cost.WaitPerRequest = unpark.Between(w, w, w, "s/req", 1000)
		got := cutOf(s, f)
		if want := w + c.want*each; math.Abs(got.wait.value-want) > 1e-9 || got.wait.high < want-1e-9 || got.wait.high > want+w || got.wait.low > w || got.binds != (c.limit == unpark.LimitDownstream || c.want > 0) {
			t.Errorf("%s: %+v, want %v", name, got.wait, want)
		}
	}
}
