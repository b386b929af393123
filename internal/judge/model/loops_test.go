package model

import (
	"math"
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestLoops: two goroutines that serve sixteen connections, one request after another.
func TestLoops(t *testing.T) {
	loop := []unpark.Site{{Function: "net/http.(*persistConn).roundTrip"}, {Function: "main.answer"}, {Function: "gnet.(*eventloop).orbit-fm"}, {Function: "golang.org/x/sync/errgroup.(*Group).Go.func1"}}
	idle := []unpark.Site{{Function: "unix.EpollWait"}, {Function: "gnet.(*eventloop).orbit"}, {Function: "golang.org/x/sync/errgroup.(*Group).Go.func1"}}
	for _, c := range []struct {
		name   string
		change func(*facts.Evidence)
		want   float64 // s behind the loops, of 10 s of 16 requests under way
	}{
		{"two loops", func(*facts.Evidence) {}, 140},
		{"as many as requests", func(ev *facts.Evidence) { ev.Goroutines[0].Series = []float64{16, 16, 16, 16} }, 0},
		{"their number changes", func(ev *facts.Evidence) { ev.Goroutines[0].Series[2] = 4 }, 0},
		{"they are idle half of the time", func(ev *facts.Evidence) { ev.Waits[0].Delay = 10 }, 0},
		{"what they wait for never ends", func(ev *facts.Evidence) { ev.Waits[0].Count = 0 }, 0},
		{"requests wait elsewhere", func(ev *facts.Evidence) {
			ev.Waits = append(ev.Waits, facts.Wait{Class: unpark.WaitLock, Side: unpark.RequestPath, Delay: 120, Stack: []unpark.Site{{Function: "main.lock"}}})
		}, 0},
		{"dumps met them idle", func(ev *facts.Evidence) { ev.Goroutines[0].Idle = true }, 0},
		{"the accepting goroutine has their name", func(ev *facts.Evidence) {
			ev.Waits[0].Stack = []unpark.Site{{Function: "main.answer"}, {Function: "net/http.(*Server).Serve.gowrap3"}}
			ev.Goroutines = []facts.GoroutineGroup{{Stack: []unpark.Site{{Function: "net/http.(*Server).Serve"}}, Idle: true, Mean: 2, Series: []float64{2, 2, 2, 2}}}
		}, 0},
		{"the go statement has arguments", func(ev *facts.Evidence) { // dumps leave out what the compiler makes of it
			ev.Waits[0].Stack = []unpark.Site{{Function: "net/http.(*persistConn).roundTrip"}, {Function: "main.answer"}, {Function: "gnet.(*eventloop).orbit"}, {Function: "gnet.serve.gowrap1"}}
			for i := range ev.Goroutines {
				s := ev.Goroutines[i].Stack
				ev.Goroutines[i].Stack = append(slices.Clone(s[:len(s)-2]), unpark.Site{Function: "gnet.(*eventloop).orbit"})
			}
		}, 140},
		{"too few dumps", func(ev *facts.Evidence) {
			for i := range ev.Goroutines {
				ev.Goroutines[i].Series = ev.Goroutines[i].Series[:2]
			}
		}, 0},
	} {
		l := unpark.Latency{N: 3200, Mean: 0.05}
		ev := facts.Evidence{
			Seconds: 10, Requests: unpark.Num(3200),
			Window: unpark.Window{Load: &unpark.Load{Mode: unpark.Closed, AchievedRPS: 320, Response: l, Service: l}},
			CPU:    facts.CPU{Cores: unpark.Num(0.01), Allowed: unpark.Num(2)},
			Waits: []facts.Wait{{
				Class: unpark.WaitDownstream, Side: unpark.RequestPath, Waiter: unpark.Site{Function: "main.answer"}, Delay: 19.9, Count: 6400, Stack: loop,
			}},
			Goroutines: []facts.GoroutineGroup{
				{Stack: loop, Side: unpark.RequestPath, Mean: 1.75, Series: []float64{2, 1, 2, 2}}, {Stack: idle, Idle: true, Mean: 0.25, Series: []float64{0, 1, 0, 0}},
			},
		}
		c.change(&ev)
		got := loops(New(ev))
		if len(got) == 0 {
			got = []Wait{{}}
		} else if w := got[0]; w.Busy != 2 || w.Within != "gnet.(*eventloop).orbit" || w.Function() != "main.answer" || !w.Loops {
			t.Errorf("%s: %+v", c.name, w)
		}
		if math.Abs(got[0].Delay-c.want) > 1 {
			t.Errorf("%s: %.3g s, want %.3g", c.name, got[0].Delay, c.want)
		}
	}
}
