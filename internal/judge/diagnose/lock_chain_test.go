package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// chainOfLocks is requests that queue for the lock of a pool, which is taken in function get, and those of a lock that is
// waited for there and in add, for so long in ten seconds, while app.(*Conn).flush sleeps under it.
func chainOfLocks(get, add string, inside float64) facts.Evidence {
	pool := contended(60, 0.9)
	pool.Waiter, pool.Holder = fn(get), fn(get)
	pool.WaiterAll = stack("sync.(*Mutex).Lock", get, "app.ask", "net/http.(*conn).serve")
	pool.HolderAll = stack("sync.(*Mutex).Unlock", get, "app.ask", "net/http.(*conn).serve")
	conn := contended(inside, 0.9)
	conn.Waiter, conn.Holder = fn(add), fn("app.(*Conn).flush")
	conn.WaiterAll = stack("sync.(*Mutex).Lock", add, get, "app.ask", "net/http.(*conn).serve")
	conn.HolderAll = stack("sync.(*Mutex).Unlock", "app.(*Conn).flush", "app.loop")
	for i := range conn.WaiterAll {
		conn.WaiterAll[i].Line += 2 // get calls it between the lines at which the pool's lock is taken and let go
	}
	pool.HolderAll[1].Line += 4
	pool.Holder.Line += 4
	conn.Held = []facts.SiteSum{{Site: fn("time.Sleep"), Value: 9}}
	ev := calm()
	ev.Locks = []facts.Lock{pool, conn}
	ev.Waits = append(ev.Waits,
		waits(unpark.WaitLock, 60, 5000, "block.pb.gz", "sync.(*Mutex).Lock", get, "app.ask", "net/http.(*conn).serve"),
		waits(unpark.WaitLock, inside, 5000, "block.pb.gz", "sync.(*Mutex).Lock", add, get, "app.ask", "net/http.(*conn).serve"))
	return ev
}

// TestChainOfLocksIsOneFinding: requests that queue for a lock whose holder waits for another one are told of what runs under that,
// with all of the waits, and of both ways out; where the holder does something else they are told of each.
func TestChainOfLocksIsOneFinding(t *testing.T) {
	const get, add = "app.(*Pool).get", "app.(*Conn).add"
	limit, findings, _ := diagnose.Verdict(chainOfLocks(get, add, 8), nil)
	f := of(unpark.ClassLock, findings)
	if len(f) != 1 || f[0].Waiter.Function != get || f[0].Holder.Function != "app.(*Conn).flush" || f[0].Site.Function != "app.(*Conn).flush" {
		t.Fatalf("%d findings: %+v", len(f), f)
	}
	if want := "that " + get + " takes, whose holder waits for the one in " + add + ", which is held across a sleep"; !strings.HasSuffix(f[0].Title, want) {
		t.Errorf("%q, want %q", f[0].Title, want)
	}
	if got := f[0].Cost.WaitPerRequest.Value.Or(0); got < 0.0067 || got > 0.0069 {
		t.Errorf("%v s a request, want that of both", got)
	}
	if !strings.Contains(texts(f[0]), "of that for the lock in "+get+", held 90 % of the window: its holder waits for the one in "+add) {
		t.Errorf("no chain in\n%s", texts(f[0]))
	}
	if r := f[0].Remedies; !strings.Contains(r[0].Title, "out of the lock in app.(*Conn).flush") || !strings.Contains(r[1].Title, "Let go of the lock in "+get+" before "+add) {
		t.Errorf("%q, then %q", r[0].Title, r[1].Title)
	}
	if limit.Kind != unpark.LimitLock || !strings.Contains(limit.Why, get+", whose holder waits for the one in "+add) {
		t.Errorf("limit %s: %s", limit.Kind, limit.Why)
	}

	limit, findings, _ = diagnose.Verdict(chainOfLocks(get, add, 2), nil)
	f = of(unpark.ClassLock, findings)
	if len(f) != 2 || f[0].Holder.Function != get || strings.Contains(f[0].Title+limit.Why, "whose holder") || strings.Contains(f[0].Remedies[1].Title, "Let go") {
		t.Errorf("a fifth of the hold is no chain: %s; %+v", limit.Why, f)
	}
}

// TestChainInsideLibrary: of locks that a library takes the line is where the application goes there, and what it can do is about the one
// at which it enters.
func TestChainInsideLibrary(t *testing.T) {
	const get, add = "github.com/other/wire.(*Pool).get", "github.com/other/wire.(*Conn).add"
	_, findings, _ := diagnose.Verdict(chainOfLocks(get, add, 8), nil)
	f := of(unpark.ClassLock, findings)
	if len(f) != 1 || f[0].Site.Function != "app.ask" || f[0].Waiter.Function != get {
		t.Fatalf("%d findings: %+v", len(f), f)
	}
	var titles []string
	for _, r := range f[0].Remedies {
		titles = append(titles, r.Title)
	}
	if all := strings.Join(titles, "\n"); !strings.Contains(all, "its own instance behind wire.(*Pool).get") || strings.Contains(all, "Let go") {
		t.Errorf("advice:\n%s", all)
	}
}
