package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestAskOutside: what requests wait for while they keep a place of a pool is to be waited for without one. It is kept where the call is
// between the lines that take and give back, and what a database is asked needs its connection.
func TestAskOutside(t *testing.T) {
	at := func(line int, below ...string) []unpark.Site {
		var out []unpark.Site
		for _, f := range below {
			out = append(out, unpark.Site{Function: f})
		}
		return append(out, unpark.Site{Function: "app.order", Line: line}, unpark.Site{Function: "net/http.(*conn).serve"})
	}
	conn, slot := at(10, "runtime.selectgo", "database/sql.(*DB).conn"), at(10, "runtime.chansend1")
	for name, c := range map[string]struct {
		takes []unpark.Site
		asks  []unpark.Site
		share float64
		want  bool
	}{
		"between the two":       {conn, at(15, "app.charge"), 0.4, true},
		"before it is taken":    {conn, at(5, "app.charge"), 0.4, false},
		"after it is back":      {conn, at(25, "app.charge"), 0.4, false},
		"too little of it":      {conn, at(15, "app.charge"), 0.2, false},
		"it asks the database":  {conn, at(15, "app.charge", "database/sql.(*Tx).QueryContext"), 0.4, false},
		"in another function's": {conn, []unpark.Site{{Function: "app.charge"}, {Function: "app.other", Line: 15}}, 0.4, false},
		"what a slot is for":    {slot, at(15, "app.charge"), 0.4, false},
	} {
		pool := model.Wait{Heaviest: facts.Wait{Class: unpark.WaitPool, Waiter: unpark.Site{Function: "app.order"}, Stack: c.takes}}
		ev := facts.Evidence{Tracing: &unpark.Tracing{Edges: []unpark.Edge{{
			Class: unpark.WaitPool, Waiter: unpark.Site{Function: "app.order"}, Delay: 5, Count: 50,
			HolderStack: at(20, "runtime.chansend1", "database/sql.(*DB).putConnDBLocked", "database/sql.(*Tx).Commit"),
			Held: []unpark.Held{
				{Class: unpark.WaitPool, Site: unpark.Site{Function: "app.order"}, Share: 0.2}, // has no place yet
				{Class: unpark.WaitDownstream, Site: unpark.Site{Function: "app.charge"}, Share: c.share},
				{Class: unpark.Running, Share: 0.8 - c.share},
			},
		}}}}
		m := model.New(ev)
		m.Answers = []model.Wait{{Delay: 5, Heaviest: facts.Wait{Class: unpark.WaitDownstream, Waiter: unpark.Site{Function: "app.charge"}, Stack: c.asks}}}
		got := askOutside(m, pool)
		if (len(got) == 1) != c.want || c.want && !strings.Contains(got[0].Title, "Call app.charge before the connection is taken, or after it is given back: it waits for another service for 50 %") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
