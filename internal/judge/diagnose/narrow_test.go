package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestNarrow: where a request's parts wait for another service and are started a few at a time, the limit comes first; not where
// another function starts them, where they are started without waiting for long, nor where nothing is known of what keeps them.
func TestNarrow(t *testing.T) {
	for name, c := range map[string]struct {
		limiter string
		waited  float64 // of 100 s that requests take
		part    string
		want    bool
	}{
		"a few at a time":      {"golang.org/x/sync/errgroup.(*Group).Go", 80, "app.fan.func1", true},
		"of another function":  {"golang.org/x/sync/errgroup.(*Group).Go", 80, "app.other.func1", false},
		"it hardly waits":      {"golang.org/x/sync/errgroup.(*Group).Go", 20, "app.fan.func1", false},
		"by what is not known": {"example.org/group.(*Group).Go", 80, "app.fan.func1", false},
	} {
		ev := calm()
		ev.Waits = []facts.Wait{
			waits(unpark.WaitChannel, c.waited, 10000, "block.pb.gz", "runtime.chansend1", c.limiter, "app.fan", "net/http.(*conn).serve"),
			waits(unpark.WaitDownstream, 150, 20000, "block.pb.gz", "runtime.selectgo", "net/http.(*persistConn).roundTrip", "app.part", c.part),
		}
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassDownstream, findings)
		if len(f) != 1 {
			t.Errorf("%s: %+v", name, findings)
			continue
		}
		if got := strings.Contains(f[0].Remedies[0].Title, "SetLimit"); got != c.want {
			t.Errorf("%s: first of all %q", name, f[0].Remedies[0].Title)
		}
	}
}

// TestNarrowDeep: a stack whose end, with the function that starts the parts, is cut off says the same.
func TestNarrowDeep(t *testing.T) {
	ev := calm()
	deep := waits(unpark.WaitChannel, 80, 10000, "block.pb.gz", "runtime.chansend1", "golang.org/x/sync/errgroup.(*Group).Go", "app.fan", "net/http.(*conn).serve")
	deep.Stack = deep.Stack[:2]
	ev.Waits = []facts.Wait{deep, waits(unpark.WaitDownstream, 150, 20000, "block.pb.gz", "runtime.selectgo", "net/http.(*persistConn).roundTrip", "app.part", "app.fan.func1")}
	_, findings, _ := diagnose.Verdict(ev, nil)
	if f := of(unpark.ClassDownstream, findings); len(f) != 1 || !strings.Contains(f[0].Remedies[0].Title, "SetLimit") {
		t.Errorf("%+v", findings)
	}
}

// TestAllTaken: where a goroutine that the wait starts for each request finds no stream free most of the time, more connections come first; not
// where one seldom waits, nor where other calls start it.
func TestAllTaken(t *testing.T) {
	for name, c := range map[string]struct {
		waited float64 // of 10 s
		starts string
		want   bool
	}{
		"always one waits": {9, "golang.org/x/net/http2.(*ClientConn).roundTrip.gowrap1", true},
		"seldom":           {1, "golang.org/x/net/http2.(*ClientConn).roundTrip.gowrap1", false},
		"of other calls":   {9, "app.poll.gowrap1", false},
	} {
		ev := calm()
		free := waits(unpark.WaitPool, c.waited, 1000, "block.pb.gz", "sync.(*Cond).Wait", "golang.org/x/net/http2.(*ClientConn).awaitOpenSlotForStreamLocked", c.starts)
		free.Side = unpark.Background
		ev.Waits = []facts.Wait{free, waits(unpark.WaitDownstream, 80, 10000, "block.pb.gz", "runtime.selectgo", "golang.org/x/net/http2.(*ClientConn).roundTrip", "app.ask", "net/http.(*conn).serve")}
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassDownstream, findings)
		if len(f) != 1 {
			t.Errorf("%s: %+v", name, findings)
			continue
		}
		if got := strings.Contains(f[0].Remedies[0].Title, "several connections"); got != c.want {
			t.Errorf("%s: first of all %q", name, f[0].Remedies[0].Title)
		}
	}
}
