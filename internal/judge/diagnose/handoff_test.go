package diagnose_test

import (
	"math"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestHandoff: operations of channels are a cause together, whichever goroutines make them; of a
// library's channels nothing can be changed, only how often it is asked.
func TestHandoff(t *testing.T) {
	op := func(cpu float64, at unpark.Site) facts.Signal {
		return facts.Signal{ID: facts.SignalHandoff, Site: at, Leaf: fn("runtime.chansend1"), CPU: cpu, Stack: []unpark.Site{fn("runtime.chansend1"), at}}
	}
	library := unpark.Site{Function: "lib.(*Conn).serve", File: "example.com/lib@v1.2.3/conn.go", Line: 3}
	for _, c := range []struct {
		name  string
		cores float64
		ops   []facts.Signal
		first string // remedy; empty: no finding
	}{
		{"a producer and a consumer", 2.95, []facts.Signal{op(6, fn("app.each")), op(4, fn("app.list"))}, "Call a function"},
		{"those of a library", 2.95, []facts.Signal{op(10, library)}, "Ask less often"},
		{"a little of it", 2.95, []facts.Signal{op(3, fn("app.each")), op(3, fn("app.list"))}, ""},
		{"on idle processors", 0.4, []facts.Signal{op(2, fn("app.each"))}, ""},
	} {
		ev := calm()
		ev.CPU.Cores, ev.CPU.Sampled = unpark.Num(c.cores), unpark.Num(10*c.cores)
		ev.Signals = c.ops
		_, findings, _ := diagnose.Verdict(ev, nil)
		got := ""
		for _, f := range findings {
			if f.Rule == "handoff" {
				got = f.Remedies[0].Title
			}
		}
		if (got == "") != (c.first == "") || !strings.HasPrefix(got, c.first) {
			t.Errorf("%s: %q, want %q", c.name, got, c.first)
		}
	}
}

// TestHandoffTakesFunctions: a function that does little but hand over goes with its channels,
// and so does what the scheduler does for them; the finding is at the innermost that has most of
// it. A computation that also uses channels stays a computation.
func TestHandoffTakesFunctions(t *testing.T) {
	for _, c := range []struct {
		name    string
		each    float64 // s of CPU of the function that ranges, 4 of them at channels
		parks   float64 // s of setting goroutines aside
		others  float64 // waits that are not at channels
		rule    string
		culprit string
		cores   float64 // of 3
	}{
		{"little else", 6, 0, 0, "handoff", "app.each", 0.6 * 2.95},
		{"and the scheduler for it", 6, 2, 0, "handoff", "app.each", 0.8 * 2.95},
		{"which works for other waits as well", 6, 2, 1e6, "handoff", "app.each", 0.7 * 2.95},
		{"more beside", 9, 0, 0, "cpu", "app.each", 0.9 * 2.95},
	} {
		ev := calm()
		ev.CPU.Cores, ev.CPU.Sampled, ev.CPU.RequestPath = unpark.Num(2.95), unpark.Num(10), unpark.Num(10)
		site := fn("app.each")
		ev.Signals = []facts.Signal{
			{ID: facts.SignalHandoff, Site: site, Leaf: fn("runtime.chanrecv2"), CPU: 4, Stack: []unpark.Site{fn("runtime.chanrecv2"), site, fn("app.handle")}},
			{ID: facts.SignalPark, Site: fn("runtime.mcall"), Leaf: fn("runtime.park_m"), CPU: c.parks},
		}
		ev.Requests = unpark.Num(1)
		ev.Waits = []facts.Wait{
			{Class: unpark.WaitChannel, Side: unpark.RequestPath, Waiter: site, Count: 1e6},
			{Class: unpark.WaitNetwork, Side: unpark.Background, Idle: true, Waiter: fn("app.read"), Count: c.others},
		}
		root := &facts.Node{Site: fn("app.handle"), App: true, Value: 10, Handed: 4}
		root.Calls = []*facts.Node{{Site: site, App: true, Value: c.each, Handed: 4, Caller: root}}
		ev.CPU.Tree = facts.Tree{Total: 10, Roots: []*facts.Node{root}}
		_, findings, _ := diagnose.Verdict(ev, nil)
		if len(findings) == 0 || findings[0].Rule != c.rule {
			t.Errorf("%s: %+v", c.name, findings)
			continue
		}
		f := findings[0]
		if got := f.Cost.Cores.Value.Or(0); f.Culprit == nil || f.Culprit.Function != c.culprit || math.Abs(got-c.cores) > 0.02 {
			t.Errorf("%s: %v, %v cores, want %s, %v", c.name, f.Culprit, got, c.culprit, c.cores)
		}
	}
}
