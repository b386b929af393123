package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestClockBehindOthers: a timer that is several goroutines away is named, and those between feel
// the same wait; where a goroutine ends what the last one waits for, it is a queue.
func TestClockBehindOthers(t *testing.T) {
	held := func(class unpark.WaitClass, site string) unpark.Held {
		return unpark.Held{Class: class, Site: fn(site), Share: 0.95}
	}
	for _, c := range []struct {
		name string
		last []unpark.Edge
		want unpark.Class
	}{
		{"the last waits for a timer", nil, unpark.ClassRateLimit},
		{"the last waits for a fourth", []unpark.Edge{edge(unpark.WaitSelect, "app.gather", "app.feed", held(unpark.Running, "app.feed"))}, unpark.ClassChannel},
	} {
		ev := chained(append([]unpark.Edge{
			edge(unpark.WaitChannel, "app.ask", "app.batch", held(unpark.WaitChannel, "app.batch")),
			edge(unpark.WaitChannel, "app.batch", "app.gather", held(unpark.WaitSelect, "app.gather")),
		}, c.last...)...)
		ev.Waits = []facts.Wait{
			waits(unpark.WaitChannel, 80, 10000, "block.pb.gz", "runtime.chanrecv1", "app.ask", "net/http.(*conn).serve"),
			waits(unpark.WaitChannel, 80, 10000, "block.pb.gz", "runtime.chanrecv1", "app.batch", "app.batch.func1"),
		}
		ev.Tracing.Requests = 1000
		for i := range ev.Tracing.Edges {
			ev.Tracing.Edges[i].Count, ev.Tracing.Edges[i].Delay = 1000, 8
		}
		_, findings, _ := diagnose.Verdict(ev, nil)
		got := of(c.want, findings)
		if len(got) == 0 {
			t.Errorf("%s: %+v, want one of %s", c.name, findings, c.want)
			continue
		}
		if c.want == unpark.ClassRateLimit && (len(findings) != 1 || got[0].Culprit == nil || got[0].Culprit.Function != "app.gather" || !strings.Contains(got[0].Remedies[0].Title, "Shorten")) {
			t.Errorf("%s: %d findings, %+v", c.name, len(findings), got[0])
		}
	}
}

// TestLooksAgain: a module's goroutine that sleeps looks again later, and is named as the clock, next to a request as well; one of the
// application may take so long for an item, and is a queue.
func TestLooksAgain(t *testing.T) {
	for file, want := range map[string]unpark.Class{"example.org/tail@v1.2.3/poll.go": unpark.ClassRateLimit, "poll.go": unpark.ClassChannel} {
		poll := unpark.Site{Function: "example.org/tail.(*Watcher).poll", File: file, Line: 9}
		ev := chained(edge(unpark.WaitChannel, "app.ask", poll.Function, unpark.Held{Class: unpark.WaitSleep, Site: poll, Share: 0.95}))
		ev.Waits = []facts.Wait{waits(unpark.WaitChannel, 80, 10000, "block.pb.gz", "runtime.chanrecv1", "app.ask", "net/http.(*conn).serve")}
		ev.Tracing.Requests, ev.Tracing.Edges[0].Count, ev.Tracing.Edges[0].Delay = 1000, 1000, 8
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(want, findings)
		if len(f) != 1 || want == unpark.ClassRateLimit && (f[0].Culprit == nil || f[0].Culprit.Function != poll.Function) {
			t.Errorf("%s: %+v, want one of %s", file, findings, want)
		}
	}
}

// TestMoreWhereHoldersWait: where those that keep requests waiting wait outside themselves, more of
// them come first; not where they compute, nor where processors are full.
func TestMoreWhereHoldersWait(t *testing.T) {
	for _, c := range []struct {
		name  string
		class unpark.WaitClass
		cores float64
		want  string
	}{
		{"they ask another service", unpark.WaitDownstream, 0.5, "Let more goroutines"},
		{"they compute", unpark.Running, 0.5, "Do less per item"},
		{"processors are full", unpark.WaitDownstream, 2.95, "Do less per item"},
	} {
		ev := chained(edge(unpark.WaitChannel, "app.ask", "app.worker", unpark.Held{Class: c.class, Site: fn("app.worker"), Share: 0.95}))
		ev.CPU.Cores = unpark.Num(c.cores)
		ev.Waits = []facts.Wait{waits(unpark.WaitChannel, 80, 10000, "block.pb.gz", "runtime.chanrecv1", "app.ask", "net/http.(*conn).serve")}
		ev.Tracing.Requests, ev.Tracing.Edges[0].Count, ev.Tracing.Edges[0].Delay = 1000, 1000, 8
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassChannel, findings)
		if len(f) != 1 || !strings.HasPrefix(f[0].Remedies[0].Title, c.want) {
			t.Errorf("%s: %+v, want %q", c.name, findings, c.want)
		}
	}
}

// TestOneLockOfTwoFunctions: locks whose holders let in each other's waiters are one; those whose
// holders let in their own alone are two.
func TestOneLockOfTwoFunctions(t *testing.T) {
	lock := func(name string) facts.Lock {
		l := contended(30, 0.45)
		l.Waiter, l.Holder = fn(name), fn(name)
		l.WaiterAll = stack("sync.(*Mutex).Lock", name, "net/http.(*conn).serve")
		l.HolderAll = stack("sync.(*Mutex).Unlock", name, "net/http.(*conn).serve")
		return l
	}
	add, remove := lock("app.(*List).Add"), lock("app.(*List).Remove")
	remove.Waiter.Line, remove.Holder.Line = 20, 20
	crossed := func(from, to facts.Lock) unpark.Edge {
		e := edge(unpark.WaitLock, "", "")
		e.Waiter, e.Holder = from.Waiter, to.Holder
		return e
	}
	for _, c := range []struct {
		name  string
		edges []unpark.Edge
		want  int
	}{
		{"each lets the other in", []unpark.Edge{crossed(add, remove), crossed(remove, add)}, 1},
		{"one lets the other in", []unpark.Edge{crossed(add, remove)}, 2},
		{"each lets its own in", []unpark.Edge{crossed(add, add), crossed(remove, remove)}, 2},
	} {
		ev := chained(c.edges...)
		ev.Locks, ev.Waits = []facts.Lock{add, remove}, nil
		_, findings, _ := diagnose.Verdict(ev, nil)
		if f := of(unpark.ClassLock, findings); len(f) != c.want {
			t.Errorf("%s: %d locks: %+v, want %d", c.name, len(f), f, c.want)
		}
	}
}
