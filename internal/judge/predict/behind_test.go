package predict_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/predict"
)

// TestServesQueue: what is computed by the one goroutine that requests queue for is not worth nothing, however little of the CPU it is,
// and how much is not known. Beside it, where that one sleeps or is a request, and where CPU binds, something is said.
func TestServesQueue(t *testing.T) {
	for name, c := range map[string]struct {
		in      string
		did     unpark.WaitClass
		request bool
		limit   unpark.LimitKind
		said    bool // that it abstains, and why
	}{
		"on that goroutine": {"app.dispatch", unpark.Running, false, unpark.LimitChannel, true},
		"beside it":         {"app.render", unpark.Running, false, unpark.LimitChannel, false},
		"it sleeps":         {"app.dispatch", unpark.WaitSleep, false, unpark.LimitChannel, false},
		"a request":         {"app.dispatch", unpark.Running, true, unpark.LimitChannel, false},
		"CPU binds":         {"app.dispatch", unpark.Running, false, unpark.LimitCPU, false},
	} {
		ev, _ := closedEvidence(20, 2, 1000, 0, 0, 0.9e-3)
		ev.Locks = nil
		ask, dispatch := unpark.Site{Function: "app.ask", File: "/src/app.go", Line: 7}, unpark.Site{Function: "app.dispatch", File: "/src/app.go", Line: 9}
		ev.Waits = []facts.Wait{{
			Class: unpark.WaitChannel, Side: unpark.RequestPath, Waiter: ask, Delay: 150, Count: 10000, Source: "block.pb.gz", Samples: 16,
			Stack: []unpark.Site{{Function: "runtime.chansend1"}, ask, {Function: "net/http.(*conn).serve"}},
		}}
		e := unpark.Edge{Class: unpark.WaitChannel, Waiter: ask, Holder: dispatch, Delay: 15, Count: 900, HolderStack: []unpark.Site{dispatch}, Held: []unpark.Held{{Class: c.did, Share: 0.9}}}
		if c.request {
			e.HolderStack = append(e.HolderStack, unpark.Site{Function: "net/http.(*conn).serve"})
		}
		ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: 1000, Edges: []unpark.Edge{e}}
		f := cpuFinding(ev, unpark.ClassCPU, 0.4)
		f.Site.Function = c.in
		p := predict.Predict(model.New(ev), unpark.Limit{Kind: c.limit}, f)
		if strings.Contains(strings.Join(p.Assumptions, "; "), "requests queue for") != c.said {
			t.Errorf("%s: throughput %v; %v", name, p.Throughput, p.Assumptions)
		}
	}
}
