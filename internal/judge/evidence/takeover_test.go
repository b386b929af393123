package evidence

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestConnectionsTakenOver: a read in a handler is a wait for another service while
// net/http watches the clients of such requests, the client's own when nothing of
// net/http is left, and left out when that is not known.
func TestConnectionsTakenOver(t *testing.T) {
	const (
		reads    = dumpRead + "main.echo@9" + serve
		watch    = dumpRead + "net/http.(*connReader).backgroundRead net/http.(*connReader).startBackgroundRead.gowrap2"
		library  = dumpRead + "github.com/lib/pq.(*conn).recv database/sql.(*DB).Query main.echo@9" + serve
		handling = "syscall.write internal/poll.(*FD).Write main.echo@7" + serve
		own      = "syscall.read net/http.(*connReader).Read net/http.(*conn).readRequest net/http.(*conn).serve"
	)
	answered := made{handling, 3, 300}
	for _, c := range []struct {
		name     string
		requests int64
		dump     []made
		cpu      []made
		class    unpark.WaitClass
		side     unpark.Side
		idle     bool
		notice   bool
	}{
		{"a handler asks another service", 1e6, []made{{reads, 20, 20}, {watch, 20, 20}}, []made{answered, {own, 2, 200}}, unpark.WaitDownstream, unpark.RequestPath, false, false},
		{"heavy handlers hide net/http", 1e6, []made{{reads, 20, 20}, {watch, 18, 18}}, []made{answered}, unpark.WaitDownstream, unpark.RequestPath, false, false},
		{"the connection was taken over", 1e6, []made{{reads, 64, 64}}, []made{answered}, unpark.WaitNetwork, unpark.Background, true, false},
		{"a few health checks beside", 1e6, []made{{reads, 64, 64}, {watch, 1, 1}}, []made{answered, {own, 0.05, 5}}, unpark.WaitNetwork, unpark.Background, true, false},
		{"bodies are left unread", 1e6, []made{{reads, 64, 64}}, []made{answered, {own, 2, 200}}, unpark.WaitNetwork, unpark.Background, false, true},
		{"too few requests to tell", 1000, []made{{reads, 64, 64}}, []made{answered}, unpark.WaitNetwork, unpark.Background, false, true},
		{"a database's driver reads", 1e6, []made{{library, 64, 64}}, []made{answered}, unpark.WaitDownstream, unpark.RequestPath, false, false},
	} {
		w := window(10)
		w.Load = &unpark.Load{Requests: c.requests}
		ev, _, notices := Reduce(Input{
			Target: unpark.Target{Module: "example.com/shop"}, Window: w,
			Profiles:  single(profileOf(t, unpark.KindCPU, c.cpu...)),
			Snapshots: repeat(5, profileOf(t, unpark.KindGoroutine, c.dump...)),
		})
		var at facts.Wait
		for _, w := range ev.Waits {
			if w.Waiter.Function == "main.echo" {
				at = w
			}
		}
		if at.Class != c.class || at.Side != c.side || at.Idle != c.idle {
			t.Errorf("%s: %+v", c.name, at)
		}
		if got := hasNotice(notices, "reads-of-unknown-peer"); got != c.notice {
			t.Errorf("%s: notices %v", c.name, notices)
		}
	}
}
