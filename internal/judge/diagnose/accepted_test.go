package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestAccepted: what a listener takes to accept connections is a finding from 5 µs of a request on; where the load keeps its own, the
// service closes them, and without a load its callers may.
func TestAccepted(t *testing.T) {
	at := unpark.Site{Function: "main.main", File: "main.go", Line: 9}
	listener := unpark.Site{Function: "net.(*TCPListener).Accept", File: "tcpsock.go", Line: 387}
	l := unpark.Latency{N: 100000, Mean: 0.001, P50: 0.001, P99: 0.002, Max: 0.01}
	load := &unpark.Load{Mode: unpark.Closed, AchievedRPS: 10000, Response: l, Service: l}
	for name, c := range map[string]struct {
		cpu  float64 // s, of 15 in all
		load *unpark.Load
		want string
	}{
		"each request": {1, load, "the service closes many after an answer"},
		"a few":        {0.2, load, ""},
		"of no load":   {1, nil, "callers open a connection"},
	} {
		m := model.New(facts.Evidence{
			Seconds: 10, Requests: unpark.Num(100000),
			Signals: []facts.Signal{{ID: facts.SignalAccept, Site: at, Leaf: listener, CPU: c.cpu, Stack: []unpark.Site{listener, at}}},
			CPU:     facts.CPU{Cores: unpark.Num(1.5), Allowed: unpark.Num(2), Sampled: unpark.Num(15)},
			Window:  unpark.Window{Load: c.load},
		})
		var got string
		if all := accepted(m); len(all) > 0 {
			got = all[0].Title
		}
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
