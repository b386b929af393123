package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestEnded: a wait that the deadline of its context ends is to end sooner, and of one behind a library's loop that runs a function of the
// application meanwhile that is to be done elsewhere; not where something else ends most of it, where the loop is the
// application's, nor where it computes.
func TestEnded(t *testing.T) {
	late := unpark.Edge{Holder: fn("context.(*cancelCtx).cancel"), HolderStack: []unpark.Site{fn("context.(*cancelCtx).cancel"), fn("context.(*timerCtx).cancel")}}
	loop := unpark.Site{Function: "example.org/rpc.(*Conn).read", File: "example.org/rpc@v1.0.0/conn.go", Line: 9}
	runs := func(loop unpark.Site, class unpark.WaitClass, function string) unpark.Edge {
		return unpark.Edge{Holder: loop, HolderStack: []unpark.Site{loop}, Held: []unpark.Held{{Class: class, Site: fn(function), Share: 1}}}
	}
	answers := func(loop unpark.Site, class unpark.WaitClass) unpark.Edge { return runs(loop, class, "app.archive") }
	for name, c := range map[string]struct {
		edges []unpark.Edge
		want  string
	}{
		"its time is up":              {[]unpark.Edge{late}, "End the wait in app.ask"},
		"it seldom is":                {[]unpark.Edge{late, answers(fn("app.loop"), unpark.WaitSleep), answers(fn("app.loop"), unpark.WaitSleep)}, ""},
		"a library's loop":            {[]unpark.Edge{answers(loop, unpark.WaitDownstream)}, "Do what the callback app.archive does on a goroutine of its own"},
		"two, half each":              {[]unpark.Edge{runs(loop, unpark.WaitDownstream, "app.zip"), answers(loop, unpark.WaitDownstream)}, "Do what the callback app.archive does"},
		"a loop of the application":   {[]unpark.Edge{answers(fn("app.loop"), unpark.WaitDownstream)}, ""},
		"a library's, which computes": {[]unpark.Edge{answers(loop, unpark.Running)}, ""},
	} {
		for i := range c.edges {
			c.edges[i].Class, c.edges[i].Waiter, c.edges[i].Delay, c.edges[i].Count = unpark.WaitSelect, fn("app.ask"), 5, 900
		}
		ev := calm()
		ev.Waits = []facts.Wait{waits(unpark.WaitSelect, 80, 10000, "block.pb.gz", "runtime.selectgo", "app.ask", "net/http.(*conn).serve")}
		ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: 1000, Edges: c.edges}
		_, findings, _ := diagnose.Verdict(ev, nil)
		if len(findings) == 0 {
			t.Errorf("%s: no finding", name)
			continue
		}
		first := findings[0].Remedies[0].Title
		if got := strings.HasPrefix(first, "End the wait") || strings.HasPrefix(first, "Do what"); got != (c.want != "") || !strings.HasPrefix(first, c.want) {
			t.Errorf("%s: first of all %q", name, first)
		}
	}
}

// TestDeadlineHasALine: the line on the way that gives the context its time is named, and no line elsewhere, nor what allocates for
// something else.
func TestDeadlineHasALine(t *testing.T) {
	for name, c := range map[string]struct {
		in, calls string
		want      bool
	}{
		"on the way":     {"app.serve", "context.WithTimeout", true},
		"elsewhere":      {"app.other", "context.WithTimeout", false},
		"something else": {"app.serve", "context.WithCancel", false},
	} {
		e := edge(unpark.WaitSelect, "app.ask", "context.(*cancelCtx).cancel")
		e.HolderStack = []unpark.Site{fn("context.(*cancelCtx).cancel"), fn("context.(*timerCtx).cancel")}
		ev := calm()
		ev.Waits = []facts.Wait{waits(unpark.WaitSelect, 80, 10000, "block.pb.gz", "runtime.selectgo", "app.ask", "app.serve", "net/http.(*conn).serve")}
		ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: 1000, Edges: []unpark.Edge{e}}
		ev.Allocs = []facts.AllocSite{{Site: fn(c.in), Bytes: 5000, Callees: []facts.SiteSum{{Site: fn(c.calls), Value: 5000}}}}
		_, findings, _ := diagnose.Verdict(ev, nil)
		if len(findings) == 0 || strings.Contains(findings[0].Remedies[0].Title, "time is up, which app.serve sets (app.go:10)") != c.want {
			t.Errorf("%s: %+v", name, findings)
		}
	}
}
