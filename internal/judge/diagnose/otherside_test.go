package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestOtherSide: a goroutine of the application that requests queue for has a name in what is to be done, with what it does: also
// where it is not the next one. Not one of two that end as much each, not a request, not what a request has set to work.
func TestOtherSide(t *testing.T) {
	computes, sleeps := unpark.Held{Class: unpark.Running, Share: 0.9}, unpark.Held{Class: unpark.WaitSleep, Site: fn("app.enrich"), Call: fn("time.Sleep"), Share: 0.95}
	queues := unpark.Held{Class: unpark.WaitChannel, Site: fn("app.normalise"), Share: 0.95}
	parse := edge(unpark.WaitChannel, "app.ask", "app.dispatch", computes)
	set := parse
	set.Served = 0.6 * set.Delay
	request := parse
	request.HolderStack = stack("runtime.chanrecv1", "app.dispatch", "net/http.(*conn).serve")
	library := parse
	library.Holder = unpark.Site{Function: "example.org/rpc.(*Conn).read", File: "example.org/rpc@v1.0.0/conn.go", Line: 9}
	news := edge(unpark.WaitChannel, "app.ask", "app.enrich", sleeps)
	turns := news
	news.Again = news.Count - 10
	locked := unpark.Held{Class: unpark.WaitLock, Site: fn("app.normalise"), Share: 0.95}
	shorter := []string{"Hold the lock for less in app.dispatch: move json.Unmarshal out of it", "waits for that lock itself"}
	computed, behind := []string{"Do less per item in app.dispatch: leave json.Unmarshal", "json.Unmarshal is 95 % of what it computes", "Let several goroutines run app.dispatch"}, []string{"Let several goroutines run app.enrich\none goroutine runs it", "Do less per item in app.enrich, or several", "asleep"}
	for name, c := range map[string]struct {
		edges  []unpark.Edge
		count  float64
		holder string
		says   []string
	}{
		"one that computes":    {[]unpark.Edge{parse}, 1, "app.dispatch", append(computed, "one goroutine runs it")},
		"several":              {[]unpark.Edge{parse}, 8, "app.dispatch", append(computed, "n servers")},
		"one behind another":   {[]unpark.Edge{edge(unpark.WaitChannel, "app.ask", "app.normalise", queues), edge(unpark.WaitChannel, "app.normalise", "app.enrich", sleeps)}, 1, "app.enrich", behind},
		"behind a lock":        {[]unpark.Edge{edge(unpark.WaitChannel, "app.ask", "app.normalise", locked), edge(unpark.WaitLock, "app.normalise", "app.dispatch", computes)}, 1, "app.dispatch", shorter},
		"one that lets all go": {[]unpark.Edge{news}, 1, "app.enrich", []string{"Let app.enrich come sooner", "it is no queue"}},
		"one at a time":        {[]unpark.Edge{turns}, 1, "app.enrich", []string{"Let several goroutines run app.enrich"}},
		"three alike":          {[]unpark.Edge{parse, edge(unpark.WaitChannel, "app.ask", "app.other", computes), edge(unpark.WaitChannel, "app.ask", "app.third", computes)}, 1, "", []string{"on the other side"}},
		"a request":            {[]unpark.Edge{request}, 1, "", nil},
		"set to work":          {[]unpark.Edge{set}, 1, "", []string{"on the other side"}},
		"a library's":          {[]unpark.Edge{library}, 1, "", []string{"on the other side"}},
	} {
		for i := range c.edges {
			if c.edges[i].HolderStack == nil {
				c.edges[i].HolderStack = []unpark.Site{fn("runtime.chanrecv2"), c.edges[i].Holder}
			}
		}
		ev := calm()
		ev.Waits = []facts.Wait{waits(unpark.WaitChannel, 80, 10000, "block.pb.gz", "runtime.chansend1", "app.ask", "net/http.(*conn).serve")}
		ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: 1000, Edges: c.edges}
		for _, at := range []string{"app.dispatch", "app.enrich"} {
			ev.Goroutines = append(ev.Goroutines, facts.GoroutineGroup{Created: fn(at), Site: fn(at), Mean: c.count, Snapshots: 16})
		}
		ev.CPU.Tree = facts.Tree{Total: 5, Roots: []*facts.Node{{Site: fn("app.dispatch"), Value: 4, App: true, Calls: []*facts.Node{{Site: fn("encoding/json.Unmarshal"), Value: 3.8}}}}}
		_, findings, _ := diagnose.Verdict(ev, nil)
		holder, said := "", ""
		for _, f := range findings {
			if f.Holder != nil {
				holder = f.Holder.Function
			}
			for _, r := range f.Remedies[:min(2, len(f.Remedies))] {
				said += r.Title + "\n" + r.Why + "\n"
			}
		}
		for _, want := range c.says {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is not in\n%s", name, want, said)
			}
		}
		if name == "one that lets all go" && strings.Contains(said, "Let more goroutines") {
			t.Errorf("%s: more of it\n%s", name, said)
		}
		if holder != c.holder || c.holder == "" && strings.Contains(said, " app.dispatch") {
			t.Errorf("%s: holder %q, want %q; said\n%s", name, holder, c.holder, said)
		}
	}
}
