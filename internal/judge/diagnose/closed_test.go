package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestClosedLoopIsAlwaysBound: where every connection asks again at once something holds
// it: the processors where they are busy most of the time, else how few connections there
// are. With a given rate there may be nothing.
func TestClosedLoopIsAlwaysBound(t *testing.T) {
	for _, c := range []struct {
		name  string
		mode  unpark.Mode
		cores float64 // of 3
		want  unpark.LimitKind
		says  string
	}{
		{"most of the cores are busy", unpark.Closed, 2.0, unpark.LimitCPU, "handing over"},
		{"just enough", unpark.Closed, 1.81, unpark.LimitCPU, "handing over"},
		{"not quite", unpark.Closed, 1.79, unpark.LimitConnections, "with more of them"},
		{"idle", unpark.Closed, 0.5, unpark.LimitConnections, "10 connections"},
		{"a given rate", unpark.Constant, 2.0, unpark.LimitNone, "nothing is wrong"},
	} {
		ev := calm()
		ev.Plan.Mode, ev.Window.Load.Mode, ev.Plan.Connections = c.mode, c.mode, 10
		ev.CPU.Cores = unpark.Num(c.cores)
		ev.Waits[0].Delay = 4 // 0.4 of a request's 1 ms, less than the half that would bind
		ev.Window.Load.Response.Mean, ev.Window.Load.Service.Mean = 1e-3, 1e-3
		limit, _, _ := diagnose.Verdict(ev, nil)
		if limit.Kind != c.want || !strings.Contains(limit.Why, c.says) {
			t.Errorf("%s: %s (%s), want %s", c.name, limit.Kind, limit.Why, c.want)
		}
	}
}

// TestTimersAreIntended: a select that a timer ends is no queue for another goroutine; one
// that goroutines end is.
func TestTimersAreIntended(t *testing.T) {
	for _, c := range []struct {
		name  string
		ended int64 // by goroutines, of 1000 traced waits
		want  unpark.Class
	}{
		{"no goroutine ends it", 0, unpark.ClassRateLimit},
		{"few do", 100, unpark.ClassRateLimit},
		{"most do", 900, unpark.ClassChannel},
	} {
		ev := chained(few(edge(unpark.WaitSelect, "app.ask", "app.answer")))
		ev.Waits = []facts.Wait{waits(unpark.WaitSelect, 80, 10000, "block.pb.gz", "runtime.selectgo", "app.ask", "net/http.(*conn).serve")}
		ev.Tracing.Requests, ev.Tracing.Edges[0].Count, ev.Tracing.Edges[0].Delay = 1000, c.ended, 8*float64(c.ended)/1000
		_, findings, _ := diagnose.Verdict(ev, nil)
		if len(of(c.want, findings)) != 1 {
			t.Errorf("%s: %+v, want one of %s", c.name, findings, c.want)
		}
	}
}

// TestLooksSeveralTimes: a timer that each request waits for twice and more is no timeout.
func TestLooksSeveralTimes(t *testing.T) {
	for each, want := range map[float64]string{1.9: "Decide whether the timeout", 2.1: "Be told when it is there"} {
		ev := chained(few(edge(unpark.WaitSelect, "app.ask", "app.answer")))
		ev.Waits = []facts.Wait{waits(unpark.WaitSelect, 80, each*ev.Requests.Or(0), "block.pb.gz", "runtime.selectgo", "app.ask", "net/http.(*conn).serve")}
		ev.Tracing.Requests, ev.Tracing.Edges[0].Count, ev.Tracing.Edges[0].Delay = 1000, 0, 0
		_, findings, _ := diagnose.Verdict(ev, nil)
		got := of(unpark.ClassRateLimit, findings)
		if len(got) != 1 || !strings.HasPrefix(got[0].Remedies[0].Title, want) {
			t.Errorf("%v a request: %+v, want %q", each, got, want)
		}
	}
}

// TestTicksAreIntended: a wait for a goroutine that waits for a timer is for the clock; one
// for a goroutine that others keep waiting, or that works, is a queue.
func TestTicksAreIntended(t *testing.T) {
	held := func(class unpark.WaitClass, share float64) unpark.Held {
		return unpark.Held{Class: class, Site: fn("app.writer"), Share: share}
	}
	for _, c := range []struct {
		name  string
		held  unpark.Held
		ender []unpark.Edge
		want  unpark.Class
	}{
		{"the other waits for a tick", held(unpark.WaitChannel, 0.99), nil, unpark.ClassRateLimit},
		{"the other waits for a third", held(unpark.WaitChannel, 0.99), []unpark.Edge{edge(unpark.WaitChannel, "app.writer", "app.feed")}, unpark.ClassChannel},
		{"the other computes", held(unpark.Running, 0.99), nil, unpark.ClassChannel},
		{"half a tick", held(unpark.WaitChannel, 0.5), nil, unpark.ClassChannel},
	} {
		ev := chained(append([]unpark.Edge{edge(unpark.WaitSelect, "app.ask", "app.writer", c.held)}, c.ender...)...)
		ev.Waits = []facts.Wait{waits(unpark.WaitSelect, 80, 10000, "block.pb.gz", "runtime.selectgo", "app.ask", "net/http.(*conn).serve")}
		ev.Tracing.Requests, ev.Tracing.Edges[0].Count, ev.Tracing.Edges[0].Delay = 1000, 1000, 8
		_, findings, _ := diagnose.Verdict(ev, nil)
		if len(of(c.want, findings)) == 0 {
			t.Errorf("%s: %+v, want one of %s", c.name, findings, c.want)
		}
	}
}

// TestWokenAgain: many short waits cost most in being woken, which the block profile does
// not see. Where processors are short it says nothing of the wait.
func TestWokenAgain(t *testing.T) {
	for _, c := range []struct {
		name  string
		cores float64
		want  unpark.LimitKind
	}{
		{"processors are free", 0.5, unpark.LimitChannel},
		{"processors are full", 2.95, unpark.LimitCPU},
	} {
		ev := chained(edge(unpark.WaitChannel, "app.notify", "app.loop"))
		ev.CPU.Cores = unpark.Num(c.cores)
		// 30 waits a request take 1 ms of its 10 ms, and to run again after them 6 ms.
		ev.Waits = []facts.Wait{waits(unpark.WaitChannel, 10, 300_000, "block.pb.gz", "runtime.chansend1", "lib.Set", "app.notify", "net/http.(*conn).serve")}
		ev.Tracing.Requests, ev.Tracing.Edges[0].Count, ev.Tracing.Edges[0].Delay = 1000, 30_000, 1
		ev.Tracing.States = []unpark.StateTime{{Class: unpark.WaitScheduler, All: 6e-3}}
		limit, findings, _ := diagnose.Verdict(ev, nil)
		if limit.Kind != c.want {
			t.Errorf("%s: %s (%s), want %s", c.name, limit.Kind, limit.Why, c.want)
		}
		if c.want != unpark.LimitChannel {
			continue
		}
		f := of(unpark.ClassChannel, findings)
		if len(f) != 1 || f[0].Cost.WaitPerRequest.Value.Or(0) < 6e-3 || f[0].Culprit == nil || f[0].Culprit.Function != "lib.Set" {
			t.Errorf("%s: %+v", c.name, findings)
		}
	}
}

// TestPartsOfAnAnswer: where each tick is followed by a write to the client, the pace is the answer's own; where few are, it looks for something.
func TestPartsOfAnAnswer(t *testing.T) {
	for wrote, want := range map[float64]string{0.9: "Leave it as it is", 0.1: "Be told when it is there"} {
		ev := chained(few(edge(unpark.WaitSelect, "app.events", "app.answer")))
		w := waits(unpark.WaitSelect, 80, 10*ev.Requests.Or(0), "block.pb.gz", "runtime.selectgo", "app.events", "net/http.(*conn).serve")
		w.Wrote = unpark.Num(wrote)
		ev.Waits = []facts.Wait{w}
		ev.Tracing.Requests, ev.Tracing.Edges[0].Count, ev.Tracing.Edges[0].Delay = 1000, 0, 0
		_, findings, _ := diagnose.Verdict(ev, nil)
		got := of(unpark.ClassRateLimit, findings)
		if len(got) != 1 || !strings.HasPrefix(got[0].Remedies[0].Title, want) || strings.Contains(got[0].Title, "sends its answers in parts") != (wrote > 0.5) {
			t.Errorf("%v writes a wait: %+v, want %q", wrote, got, want)
		}
	}
}
