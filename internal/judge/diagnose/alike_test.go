package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestCallsAlike: waits for one call of a library that need not be made for each request are
// one finding wherever it is called; other calls, and calls that have to be made, are several.
func TestCallsAlike(t *testing.T) {
	const call, confirm, header = "github.com/rabbitmq/amqp091-go.(*Channel).call", "github.com/rabbitmq/amqp091-go.(*DeferredConfirmation).WaitContext", "google.golang.org/grpc/internal/transport.(*ClientStream).waitOnHeader"
	ask := func(delay float64, library, app string) facts.Wait {
		return waits(unpark.WaitDownstream, delay, 10_000, unpark.KindBlock.File(), "runtime.selectgo", library, app, "net/http.(*conn).serve")
	}
	redis := func(delay float64, command, app string) facts.Wait {
		return waits(unpark.WaitDownstream, delay, 10_000, unpark.KindBlock.File(), "internal/poll.(*FD).Read", "github.com/redis/go-redis/v9/internal/proto.(*Reader).readLine",
			"github.com/redis/go-redis/v9.(*baseClient).process", command, app, "net/http.(*conn).serve")
	}
	for _, c := range []struct {
		name string
		a, b facts.Wait
		want int
	}{
		{"opened here and closed there", ask(30, call, "app.open"), ask(20, call, "app.release"), 1},
		{"two calls", ask(30, call, "app.open"), ask(20, confirm, "app.publish"), 2},
		{"two commands of one client", redis(30, "github.com/redis/go-redis/v9.cmdable.Get", "app.page"), redis(20, "github.com/redis/go-redis/v9.cmdable.Keys", "app.drop"), 2},
		{"two questions", ask(30, header, "app.price"), ask(20, header, "app.stock"), 2},
	} {
		ev := calm()
		ev.Waits = []facts.Wait{c.a, c.b}
		_, findings, _ := diagnose.Verdict(ev, nil)
		found := of(unpark.ClassDownstream, findings)
		if len(found) != c.want {
			t.Errorf("%s: %d findings, want %d", c.name, len(found), c.want)
		}
		if c.want != 1 || len(found) != 1 {
			continue
		}
		f := found[0]
		if w := f.Cost.WaitPerRequest.Value.Or(0); w < 4.9e-3 || w > 5.1e-3 || f.Share.Or(0) < 0.99 || !strings.Contains(f.Title, "and in app.release") {
			t.Errorf("%s: %q, %v s a request, share %v", c.name, f.Title, w, f.Share)
		}
	}
}

// TestAnswersTogether: waits for other processes in several places bind together from half
// of a request's time, and not where they are at the same time.
func TestAnswersTogether(t *testing.T) {
	for _, c := range []struct {
		name string
		each float64 // s, of 100 that requests take
		want bool
	}{
		{"three fifths", 30, true},
		{"less than half", 20, false},
		{"at the same time", 60, false},
	} {
		ev := calm()
		ev.Waits = nil
		for _, app := range []string{"app.price", "app.stock"} {
			ev.Waits = append(ev.Waits, waits(unpark.WaitDownstream, c.each, 10_000, unpark.KindBlock.File(), "runtime.selectgo", "net/http.(*persistConn).roundTrip", app, "net/http.(*conn).serve"))
		}
		limit, _, _ := diagnose.Verdict(ev, nil)
		if is := limit.Kind == unpark.LimitDownstream && strings.Contains(limit.Why, "most of that in"); is != c.want {
			t.Errorf("%s: limit %s (%s)", c.name, limit.Kind, limit.Why)
		}
	}
}
