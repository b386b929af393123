package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestLockTakenAndGivenByTwo: what takes a lock for its caller and what lets it go are two functions: the caller holds it meanwhile, also where
// no mutex profile says so and the trace does, which leaves out the frames of the runtime. Where the two have no caller in common, nothing is known of it.
func TestLockTakenAndGivenByTwo(t *testing.T) {
	const take, give = "app.(*Locker).Lock", "app.(*Locker).Unlock"
	for name, c := range map[string]struct {
		given []string // the way to where it is let go
		site  string
	}{
		"by one caller": {[]string{give, "app.send", "reflect.Value.call", "net/http.(*conn).serve"}, "app.send"},
		"by another":    {[]string{give, "app.other", "app.loop"}, take},
	} {
		l := contended(60, 0.95)
		l.Waiter, l.Holder, l.HolderAll = fn(take), unpark.Site{}, nil
		l.WaiterAll = stack("sync.(*Mutex).Lock", take, "app.send", "runtime.call512", "runtime.reflectcall", "reflect.Value.call", "net/http.(*conn).serve")
		e := edge(unpark.WaitLock, take, give, unpark.Held{Class: unpark.Running, Share: 0.9})
		e.HolderStack = stack(append([]string{"sync.(*Mutex).Unlock"}, c.given...)...)
		ev := calm()
		ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: 1000, Edges: []unpark.Edge{e}}
		ev.Locks = append(ev.Locks[:0], l)
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassLock, findings)
		if len(f) != 1 || f[0].Site.Function != c.site || !strings.HasPrefix(f[0].Remedies[0].Title, "Hold it for less work: in "+c.site+" ") {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// TestWayToTheLock: those that dumps meet on the way from the holder's function to the lock wait for it; what else they meet below it is what it
// is held for.
func TestWayToTheLock(t *testing.T) {
	const hold, take, reads = "app.(*shop).add", "app.(*Locker).Lock", "app.(*shop).read"
	for name, c := range map[string]struct {
		held []facts.SiteSum
		says string
	}{
		"and what it is held for":  {[]facts.SiteSum{{Site: fn(take), Value: 14}, {Site: fn(reads), Value: 0.9}}, "move " + reads + " out of the lock in " + hold},
		"nothing else was met":     {[]facts.SiteSum{{Site: fn(take), Value: 14}}, "in " + hold + " keep only the shared state"},
		"what calls the other way": {[]facts.SiteSum{{Site: fn(reads), Value: 0.9}}, "move " + reads + " out of the lock in " + hold},
	} {
		l := contended(60, 0.95)
		l.Waiter, l.Holder, l.Held = fn(hold), fn(hold), c.held
		l.WaiterAll = stack("sync.(*Mutex).Lock", take, hold, "net/http.(*conn).serve")
		l.HolderAll = stack("sync.(*Mutex).Unlock", hold, "net/http.(*conn).serve")
		ev := calm()
		ev.Locks = append(ev.Locks[:0], l)
		_, findings, _ := diagnose.Verdict(ev, nil)
		if f := of(unpark.ClassLock, findings); len(f) != 1 || !strings.Contains(f[0].Remedies[0].Title, c.says) {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// TestLockOfALibrarysGoroutine: a goroutine that a library starts for a request takes the library's lock: the line is the application's,
// which asked for it, and advice is what can be done there. Without one nothing but the library is known.
func TestLockOfALibrarysGoroutine(t *testing.T) {
	for asked, want := range map[string]string{"app.pick": "Do not share it", "": "Hold it for less work"} {
		ev := calm()
		taker := "example.org/pool.(*Pool).Acquire.func2"
		l := contended(0.4, 0.02)
		l.Waiter, l.Holder = fn(taker), fn(taker)
		l.WaiterAll = stack("sync.(*Cond).Wait", taker)
		l.HolderAll = l.WaiterAll
		ev.Locks = []facts.Lock{l}
		w := waits(unpark.WaitLock, 0.4, 800, "block.pb.gz", "sync.(*Cond).Wait", taker)
		w.Waiter = fn(taker)
		if asked != "" {
			w.Asked = fn(asked)
		}
		ev.Waits = append(ev.Waits, w)
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassLock, findings)
		if len(f) != 1 {
			t.Fatalf("asked by %q: %+v", asked, findings)
		}
		if first := f[0].Remedies[0].Title; !strings.HasPrefix(first, want) || strings.Contains(first, "func2") != (asked == "") {
			t.Errorf("asked by %q: first remedy %q", asked, first)
		}
		if asked != "" && f[0].Site.Function != asked {
			t.Errorf("site %s", f[0].Site)
		}
	}
}
