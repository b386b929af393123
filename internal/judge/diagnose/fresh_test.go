package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestAnswersOverNewConnections: where requests open a connection each and the answer
// is ready soon, the connections are the cause; a slow answer is one beside them, and
// the only one where connections are kept.
func TestAnswersOverNewConnections(t *testing.T) {
	const pool, downstream = unpark.ClassPool, unpark.ClassDownstream
	for _, c := range []struct {
		name    string
		cpu     float64 // s for dialling
		opened  float64 // times a connection was waited for
		answers float64 // s
		want    []unpark.Class
		limit   unpark.LimitKind
	}{
		{"a connection for each request", 1, 9900, 60, []unpark.Class{pool}, unpark.LimitPool},
		{"with a slow answer", 1, 9900, 85, []unpark.Class{pool, downstream}, unpark.LimitDownstream},
		{"for one request in ten", 1, 1000, 60, []unpark.Class{pool, downstream}, unpark.LimitDownstream},
		{"connections are kept", 0, 9900, 60, []unpark.Class{pool, downstream}, unpark.LimitDownstream},
	} {
		ev := calm()
		call := []string{"net/http.(*Transport).roundTrip", "net/http.(*Client).do", "app.ask", "net/http.(*conn).serve"}
		ev.Waits = []facts.Wait{
			waits(unpark.WaitPool, 20, c.opened, "block.pb.gz", append([]string{"runtime.selectgo", "net/http.(*Transport).getConn"}, call...)...),
			waits(unpark.WaitDownstream, c.answers, 10000, "block.pb.gz", append([]string{"runtime.selectgo", "net/http.(*persistConn).roundTrip"}, call...)...),
		}
		ev.Signals = []facts.Signal{{
			ID: facts.SignalDial, Site: fn("net/http.(*Transport).dialConn"), Leaf: fn("net.(*Dialer).DialContext"), CPU: c.cpu,
			Stack: stack("syscall.connect", "net.(*Dialer).DialContext", "net/http.(*Transport).dialConn"),
		}}
		inside := contended(2, 0.1)
		inside.Waiter, inside.Holder = fn("net/http.(*Transport).prepareTransportCancel.func1"), fn("net/http.(*Transport).prepareTransportCancel.func1")
		inside.WaiterAll = stack("sync.(*Mutex).Lock", inside.Waiter.Function, "app.ask", "net/http.(*conn).serve")
		ev.Locks = []facts.Lock{inside}
		limit, findings, _ := diagnose.Verdict(ev, nil)
		var got []unpark.Class
		for _, f := range findings {
			if f.Class == unpark.ClassLock && c.cpu == 0 {
				continue // it is felt, and nothing else explains it
			}
			got = append(got, f.Class)
		}
		if len(got) != len(c.want) || got[0] != c.want[0] || limit.Kind != c.limit {
			t.Errorf("%s: limit %s, findings %v, want %s, %v", c.name, limit.Kind, got, c.limit, c.want)
		}
	}
}

// TestLocksOfTheLibrary: a lock inside net/http needs a tenth of a request's time. Its
// list of idle connections is no I/O, an exchange is.
func TestLocksOfTheLibrary(t *testing.T) {
	for _, c := range []struct {
		delay float64
		below string
		io    bool
		want  int
	}{{2, "net/http.(*connLRU).add", false, 0}, {15, "net/http.(*connLRU).add", false, 1}, {15, "net/http.(*persistConn).roundTrip", true, 1}} {
		ev := calm()
		l := contended(c.delay, 0.1)
		l.Waiter = fn("net/http.(*Transport).prepareTransportCancel.func1")
		l.WaiterAll = stack("sync.(*Mutex).Lock", l.Waiter.Function, "app.ask", "net/http.(*conn).serve")
		l.Held = []facts.SiteSum{{Site: fn(c.below), Value: 1}}
		ev.Locks = []facts.Lock{l}
		_, findings, _ := diagnose.Verdict(ev, nil)
		locks := of(unpark.ClassLock, findings)
		if len(locks) != c.want || c.want > 0 && strings.Contains(locks[0].Title, "I/O") != c.io {
			t.Errorf("%v s in 100 s of requests, above %s: %+v", c.delay, c.below, locks)
		}
	}
}
