package diagnose_test

import (
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
