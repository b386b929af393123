package diagnose_test

import (
	"math"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// served is a service whose processors are full with its server's own work, for so many seconds of 30.
func served(cpu, writes float64) facts.Evidence {
	ev := calm()
	ev.CPU.Cores, ev.CPU.Sampled = unpark.Num(2.95), unpark.Num(30)
	loop := fn("net/http.(*conn).serve")
	ev.Signals = []facts.Signal{{ID: facts.SignalServing, Site: loop, Leaf: loop, CPU: cpu, Stack: []unpark.Site{loop}}}
	ev.Window.Processes[0].Reads, ev.Window.Processes[0].Writes = unpark.Num(20000), unpark.Num(10000*writes)
	ev.Window.Processes[0].Written = unpark.Num(2e6)
	return ev
}

// TestServing: where the processors are full and nothing else is found, the server around the
// handlers is what they go to, and says so; beside another finding it is silent.
func TestServing(t *testing.T) {
	for _, c := range []struct {
		name        string
		cpu, writes float64
		change      func(*facts.Evidence)
		want        string // of the first remedy; empty: no finding
	}{
		{"most of the CPU", 18, 1, nil, "More processors"},
		{"more than one write for an answer", 18, 3, nil, "Write each answer once: there are 3 write calls"},
		{"writes that may be to others", 18, 3, func(ev *facts.Evidence) {
			ev.Window.Peers = []unpark.Peer{{Address: "10.0.0.7:5432", Connections: 4}}
		}, "More processors"},
		{"a fifth of it", 6, 1, nil, ""},
		{"on idle processors", 18, 1, func(ev *facts.Evidence) { ev.CPU.Cores = unpark.Num(0.9) }, ""},
		{"beside a finding", 18, 1, func(ev *facts.Evidence) {
			ev.CPU.Shares.GC = unpark.Num(0.3)
		}, ""},
	} {
		ev := served(c.cpu, c.writes)
		if c.change != nil {
			c.change(&ev)
		}
		limit, findings, _ := diagnose.Verdict(ev, nil)
		var found []unpark.Finding
		for _, f := range findings {
			if f.Rule == "serving" {
				found = append(found, f)
			}
		}
		switch {
		case c.want == "" && len(found) > 0:
			t.Errorf("%s: %q", c.name, found[0].Title)
		case c.want == "":
		case len(found) != 1 || !strings.HasPrefix(found[0].Remedies[0].Title, c.want):
			t.Errorf("%s: %+v", c.name, found)
		case limit.Kind != unpark.LimitCPU || found[0].Site.Function != "net/http.(*conn).serve" || found[0].Share.Or(0) != 0.6:
			t.Errorf("%s: limit %s, %s %v", c.name, limit.Kind, found[0].Site.Function, found[0].Share)
		}
	}
}

// TestWire: read and write calls between two ends of one process are a cost of their own; those
// on connections of clients, or to others, are not.
func TestWire(t *testing.T) {
	call := func(id facts.SignalID, cpu float64, via, site string) facts.Signal {
		return facts.Signal{ID: id, Site: fn(site), Leaf: fn("syscall.write"), CPU: cpu, Via: unpark.Site{Function: via}, Stack: stack("syscall.write", via, site)}
	}
	self := []unpark.Peer{{Address: "127.0.0.1:4222", Connections: 2, PID: 1, Self: true}}
	for _, c := range []struct {
		name  string
		calls float64
		cores float64
		peers []unpark.Peer
		want  bool
		asks  float64 // CPU of requests in the client, a third of it system calls
	}{
		{"a fifth of the CPU", 4, 2.95, self, true, 0},
		{"a little of it", 1, 2.95, self, false, 0},
		{"a little of it, and a client that computes", 1, 2.95, self, true, 4.5},
		{"the same client, of another", 1, 2.95, append([]unpark.Peer{{Address: "10.0.0.7:5432", Connections: 1}}, self...), false, 4.5},
		{"on processors that are scarce", 4, 2.4, self, true, 0},
		{"on idle processors", 4, 0.9, self, false, 0},
		{"to others as well", 4, 2.95, append([]unpark.Peer{{Address: "10.0.0.7:5432", Connections: 1}}, self...), false, 0},
		{"of clients alone", 4, 2.95, nil, false, 0},
	} {
		ev := calm()
		ev.CPU.Cores, ev.CPU.Sampled = unpark.Num(c.cores), unpark.Num(30)
		ev.Window.Peers = c.peers
		ev.Signals = []facts.Signal{
			call(facts.SignalSend, 5, "net/http.checkConnErrorWriter.Write", "net/http.(*conn).serve"),
			call(facts.SignalSend, c.calls, "example.com/queue.(*Conn).flush", "app.flusher"),
			call(facts.SignalReceive, c.calls/2, "example.com/queue.(*reader).fill", "app.reader"),
		}
		invoke := &facts.Node{Site: fn("google.golang.org/grpc.(*ClientConn).Invoke"), Value: c.asks, Kernel: c.asks / 3}
		ev.CPU.Tree = facts.Tree{Total: 20, Roots: []*facts.Node{{Site: fn("app.page"), App: true, Value: 20, Calls: []*facts.Node{invoke}}}}
		_, findings, _ := diagnose.Verdict(ev, nil)
		found := of(unpark.ClassSyscall, findings)
		if (len(found) == 1) != c.want {
			t.Errorf("%s: %+v, want %v", c.name, found, c.want)
			continue
		}
		if c.want && (found[0].Rule != "wire" || found[0].Site.Function != "app.flusher" || math.Abs(found[0].Share.Or(0)-(c.calls*1.5+c.asks*2/3)/30) > 1e-9) {
			t.Errorf("%s: %s in %s, %v", c.name, found[0].Rule, found[0].Site.Function, found[0].Share)
		}
	}
}
