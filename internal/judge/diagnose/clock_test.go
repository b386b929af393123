package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// behindATimer is a closed loop whose requests wait on a channel for app.tick, which waits for a timer.
func behindATimer(more ...unpark.Edge) facts.Evidence {
	tick := unpark.Held{Class: unpark.WaitSelect, Site: fn("app.tick"), Share: 0.98}
	ev := chained(append([]unpark.Edge{edge(unpark.WaitChannel, "app.ask", "app.tick", tick)}, more...)...)
	ev.Plan.Mode, ev.Window.Load.Mode, ev.Plan.Connections = unpark.Closed, unpark.Closed, 10
	ev.CPU.Cores = unpark.Num(0.2)
	ev.Waits = []facts.Wait{waits(unpark.WaitChannel, 80, 10000, "block.pb.gz", "runtime.chanrecv1", "app.ask", "net/http.(*conn).serve")}
	ev.Tracing.Edges[0].Count, ev.Tracing.Edges[0].Delay = 1000, 8
	return ev
}

// TestPace: a goroutine that lets one of several requests go each time its timer fires is a rate, which more connections do not
// raise. One that lets all go, or that each request has for itself, holds up no other.
func TestPace(t *testing.T) {
	for _, c := range []struct {
		name   string
		again  int64   // of 1000 waits
		clocks float64 // goroutines that wait for a timer; 8 requests wait for these
		want   unpark.LimitKind
		says   string
	}{
		{"one at a time", 0, 1, unpark.LimitRateLimit, "Decide whether this rate"},
		{"all at once", 900, 1, unpark.LimitConnections, "Decide whether the timeout"},
		{"one for each request", 0, 8, unpark.LimitConnections, "Decide whether the timeout"},
		{"how many is not known", 0, 0, unpark.LimitConnections, "Decide whether the timeout"},
	} {
		ev := behindATimer()
		ev.Tracing.Edges[0].Again = c.again
		ev.Goroutines = []facts.GoroutineGroup{{Class: unpark.WaitSelect, Side: unpark.Background, Mean: c.clocks, Stack: stack("runtime.selectgo", "app.tick")}}
		limit, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassRateLimit, findings)
		if limit.Kind != c.want || len(f) != 1 || !strings.HasPrefix(f[0].Remedies[0].Title, c.says) {
			t.Errorf("%s: %s (%s), %+v", c.name, limit.Kind, limit.Why, findings)
		}
	}
}

// TestGathers: what requests hand something to, and waits for a timer, waits for more to come; that they end some of its waits
// says nothing of the long one, while nearly all of its time ended by them is a queue.
func TestGathers(t *testing.T) {
	handed := func(chained float64, by ...string) unpark.Edge {
		e := edge(unpark.WaitSelect, "app.tick", "app.ask", unpark.Held{Class: unpark.Running, Share: 1})
		e.Delay, e.Count, e.Chained, e.HolderStack = 0, 0, chained, stack(by...)
		return e
	}
	for _, c := range []struct {
		name  string
		edges []unpark.Edge
		want  unpark.Class
		says  string
	}{
		{"requests hand it something", []unpark.Edge{handed(0.2, "app.ask", "net/http.(*conn).serve")}, unpark.ClassRateLimit, "Shorten the time that app.tick waits"},
		{"a goroutine beside them does", []unpark.Edge{handed(0.2, "app.feed")}, unpark.ClassRateLimit, "Decide whether the timeout"},
		{"its waits last until they do", []unpark.Edge{handed(7, "app.ask", "net/http.(*conn).serve")}, unpark.ClassChannel, ""},
	} {
		ev := behindATimer(c.edges...)
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(c.want, findings)
		if len(f) != 1 || !strings.HasPrefix(f[0].Remedies[0].Title, c.says) {
			t.Errorf("%s: %+v, want one of %s", c.name, findings, c.want)
		}
	}
}
