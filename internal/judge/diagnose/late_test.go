package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestAnswersThatDoNotCome: a wait that deadlines mostly end is told as one, with the line that sets the deadline, and is not to be asked less
// often first; one that they end now and then is a wait as others.
func TestAnswersThatDoNotCome(t *testing.T) {
	const ended = "until their time is up"
	for _, c := range []struct {
		late, given float64
		told        bool
	}{{0.9, 0.3, true}, {0.3, 0.1, false}, {0, 0.9, false}} {
		ev := calm()
		w := waits(unpark.WaitDownstream, 85, 10000, "block.pb.gz", "runtime.selectgo", "net/http.(*persistConn).roundTrip", "net/http.(*Client).do", "app.ask", "net/http.(*conn).serve")
		w.Late, w.GivenUp = unpark.Num(c.late), unpark.Num(c.given)
		ev.Waits = []facts.Wait{w}
		ev.Allocs = []facts.AllocSite{{Site: fn("app.ask"), Bytes: 1e6, Callees: []facts.SiteSum{{Site: fn("context.WithTimeout"), Value: 1e6}}}}
		_, findings, _ := diagnose.Verdict(ev, nil)
		found := of(unpark.ClassDownstream, findings)
		if len(found) != 1 {
			t.Fatalf("%+v: %d findings of another service", c, len(found))
		}
		f := found[0]
		first := f.Remedies[0].Title
		if strings.Contains(f.Title, ended) != c.told || strings.Contains(first, "circuit breaker") != c.told || strings.Contains(first, "which app.ask sets") != c.told {
			t.Errorf("%+v: %q, first %q", c, f.Title, first)
		}
	}
}

// TestConnectionsOfCallsGivenUp: connections that calls close which are given up are not kept by more room for idle ones, nor by
// bodies that are read.
func TestConnectionsOfCallsGivenUp(t *testing.T) {
	for _, c := range []struct {
		given    float64
		exchange string
		told     bool
	}{{0.3, "net/http.(*persistConn).roundTrip", true}, {0.2, "net/http.(*persistConn).roundTrip", false}, {0.7, "net/http.(*http2ClientConn).roundTrip", false}} {
		ev := calm()
		call := []string{"net/http.(*Transport).roundTrip", "net/http.(*Client).do", "app.ask", "net/http.(*conn).serve"}
		w := waits(unpark.WaitDownstream, 85, 10000, "block.pb.gz", append([]string{"runtime.selectgo", c.exchange}, call...)...)
		w.GivenUp = unpark.Num(c.given)
		ev.Waits = []facts.Wait{w, waits(unpark.WaitPool, 20, 9900, "block.pb.gz", append([]string{"runtime.selectgo", "net/http.(*Transport).getConn"}, call...)...)}
		ev.Signals = []facts.Signal{{
			ID: facts.SignalDial, Site: fn("net/http.(*Transport).dialConn"), Leaf: fn("net.(*Dialer).DialContext"), CPU: 1,
			Stack: stack("syscall.connect", "net.(*Dialer).DialContext", "net/http.(*Transport).dialConn"),
		}}
		_, findings, _ := diagnose.Verdict(ev, nil)
		found := of(unpark.ClassPool, findings)
		if len(found) == 0 {
			t.Fatalf("%+v: no finding of connections", c)
		}
		if first := found[0].Remedies[0].Title; strings.Contains(first, "many are given up") != c.told {
			t.Errorf("%+v: first %q", c, first)
		}
	}
}
