package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestPoolOfACondition: places that are given back by waking all that wait, most of which wait again, are a pool's, and one is to be
// woken; not where each waits once, as for what one makes for all, nor where it is no request that wakes them.
func TestPoolOfACondition(t *testing.T) {
	request := stack("sync.(*Cond).Broadcast", "app.(*pool).put", "net/http.(*conn).serve")
	for name, c := range map[string]struct {
		count  int64
		holder []unpark.Site
		class  unpark.Class
	}{
		"most wait again":  {16000, request, unpark.ClassPool},
		"each waits once":  {1100, request, unpark.ClassChannel},
		"a worker of many": {16000, stack("sync.(*Cond).Broadcast", "app.work"), unpark.ClassChannel},
	} {
		e := edge(unpark.WaitCond, "app.(*pool).get", "app.(*pool).put", unpark.Held{Class: unpark.WaitSleep, Site: fn("app.query"), Share: 0.99})
		e.Count, e.Again, e.HolderStack = c.count, c.count-500, c.holder
		ev := calm()
		ev.Waits = []facts.Wait{waits(unpark.WaitCond, 80, 10000, "block.pb.gz", "sync.(*Cond).Wait", "app.(*pool).get", "net/http.(*conn).serve")}
		ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: 1000, Edges: []unpark.Edge{e}}
		_, findings, _ := diagnose.Verdict(ev, nil)
		if len(findings) == 0 || findings[0].Class != c.class {
			t.Errorf("%s: findings %+v", name, findings)
			continue
		}
		var titles []string
		for _, r := range findings[0].Remedies {
			titles = append(titles, r.Title)
		}
		if one := strings.Contains(strings.Join(titles, "\n"), "Wake one goroutine by Cond.Signal"); one != (c.class == unpark.ClassPool) {
			t.Errorf("%s: %q", name, titles)
		}
	}
}
