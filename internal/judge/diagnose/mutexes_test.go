package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestMutexProportion: a lock can be all of the mutex profile and cost next to
// nothing; both figures are told, of the lock and of the path that it is on.
func TestMutexProportion(t *testing.T) {
	elsewhere := contended(4, 0.1)
	elsewhere.Waiter, elsewhere.Holder = fn("app.(*Log).write"), fn("app.(*Log).write")
	elsewhere.WaiterAll = stack("sync.(*Mutex).Lock", "app.(*Log).write", "net/http.(*conn).serve")
	elsewhere.HolderAll = stack("sync.(*Mutex).Unlock", "app.(*Log).write", "net/http.(*conn).serve")
	scheduler := facts.Lock{Side: unpark.RuntimeSide, Type: "runtime", Holder: fn("runtime.schedule"), Delay: 90, Released: 90}
	tests := []struct {
		name  string
		locks []facts.Lock
		says  string
		not   string
	}{
		{"all of little", []facts.Lock{contended(1.5, 0.1), scheduler}, "share of the application's mutex delay, which is little, that is here", "mutex delay that is"},
		{"all of much", []facts.Lock{contended(9, 0.1), scheduler}, "share of the application's mutex delay that is here", "little"},
		{"a part of little", []facts.Lock{contended(1.5, 0.1), elsewhere}, "share of the application's mutex delay that is here", "little"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ev := calm()
			ev.Locks = tt.locks
			_, findings, _ := diagnose.Verdict(ev, nil)
			for _, f := range of(unpark.ClassLock, findings) {
				if f.Waiter.Function != "app.(*Cache).Get" {
					continue
				}
				if got := texts(f); !strings.Contains(got, tt.says) || strings.Contains(got, tt.not) || !strings.Contains(got, "waiting for it, on average") {
					t.Errorf("facts\n%s", got)
				}
				return
			}
			t.Errorf("the lock is not told: %+v", findings)
		})
	}
}

// TestMutexesBelowAWait: what requests wait for is not a lock, and the locks of the
// same path are put into proportion beside it; those of other paths are not.
func TestMutexesBelowAWait(t *testing.T) {
	l := contended(1.5, 0.1)
	l.WaiterAll = stack("sync.(*Mutex).Lock", "app.(*Cache).Get", "app.commit", "net/http.(*conn).serve")
	ev := chained(edge(unpark.WaitGroup, "app.commit", "app.done", sync(0.9)))
	ev.Locks = []facts.Lock{l}
	_, findings, _ := diagnose.Verdict(ev, nil)
	if f := of(unpark.ClassIO, findings); len(f) != 1 || !strings.Contains(texts(f[0]), "mutex delay, which is little, that is on this path, below app.commit") {
		t.Errorf("%+v", f)
	}
	ev.Locks = []facts.Lock{contended(1.5, 0.1)}
	_, findings, _ = diagnose.Verdict(ev, nil)
	if f := of(unpark.ClassIO, findings); len(f) != 1 || strings.Contains(texts(f[0]), "mutex delay") {
		t.Errorf("%+v", f)
	}
}

// TestLadderOnce: what is advised about any lock is said once, with the catalogue's code; of a lock that a library takes it is not said.
func TestLadderOnce(t *testing.T) {
	ladder := func(holder string) (held, sharded, other int) {
		l := contended(9, 0.1)
		l.Waiter, l.Holder = fn(holder), fn(holder)
		l.WaiterAll = stack("sync.(*Mutex).Lock", holder, "app.pick", "net/http.(*conn).serve")
		l.HolderAll = stack("sync.(*Mutex).Unlock", holder, "app.pick", "net/http.(*conn).serve")
		ev := calm()
		ev.Locks = []facts.Lock{l}
		ev.Waits = append(ev.Waits, waits(unpark.WaitLock, 9, 800, "block.pb.gz", "sync.(*Mutex).Lock", holder, "app.pick", "net/http.(*conn).serve"))
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassLock, findings)
		if len(f) != 1 {
			t.Fatalf("%s: findings %+v", holder, findings)
		}
		for _, r := range f[0].Remedies {
			title := strings.ToLower(r.Title)
			switch {
			case strings.HasPrefix(title, "hold it for less work") && strings.Contains(r.Change, "mu.Lock()") && len(r.Sources) > 0:
				held++
			case strings.Contains(title, "shard the lock") && strings.Contains(r.Change, "shards") && len(r.Sources) > 0:
				sharded++
			case strings.Contains(title, "before the lock is taken"), strings.Contains(title, "into shards"), strings.Contains(r.Change, "mu.Lock()"):
				other++
			}
		}
		return held, sharded, other
	}
	if held, sharded, other := ladder("app.(*Cache).Get"); held != 1 || sharded != 1 || other != 0 {
		t.Errorf("of a lock of the service's own: %d to hold it for less, %d shards, %d that say so again", held, sharded, other)
	}
	if held, sharded, other := ladder("github.com/some/faker.(*lockedSource).Int63"); held+sharded+other != 0 {
		t.Errorf("of a library's: %d to hold it for less, %d shards, %d that say so again", held, sharded, other)
	}
}

// TestOwnInsideLibrary: what a library calls, or waits for, under its lock is the application's to move out of it; not what the library does itself,
// and not what only computes.
func TestOwnInsideLibrary(t *testing.T) {
	const each, library = "github.com/deckarep/golang-set/v2.(*threadSafeSet).Each", "github.com/deckarep/golang-set/v2.(*threadSafeSet).Add" // of which the catalogue knows something
	for name, c := range map[string]struct {
		held  []string
		first string
	}{
		"it calls back":     {[]string{"app.(*Line).tell", "net/http.(*Client).Do"}, "Call app.(*Line).tell outside of that lock: take what it needs from golang-set.(*threadSafeSet).Each first"},
		"it asks itself":    {[]string{"github.com/deckarep/golang-set/v2.(*threadSafeSet).load", "net/http.(*Client).Do"}, ""},
		"what calls waits":  {[]string{"app.notice", "net/http.(*Client).Do"}, ""},
		"it only computes":  {[]string{"app.(*Line).sum"}, ""},
		"nothing was seen":  {nil, ""},
		"of another module": {[]string{"github.com/other/bus.(*Bus).Send", "net/http.(*Client).Do"}, ""},
	} {
		l := contended(9, 0.9)
		l.Waiter, l.Holder = fn(library), fn(each)
		l.WaiterAll = stack("sync.(*RWMutex).Lock", library, "app.register", "net/http.(*conn).serve")
		l.HolderAll = stack("sync.(*RWMutex).RUnlock", each, "app.notice", "net/http.(*conn).serve")
		for i, f := range c.held {
			l.Held = append(l.Held, facts.SiteSum{Site: fn(f), Value: float64(10 - i)})
		}
		ev := calm()
		ev.Locks = []facts.Lock{l}
		ev.Waits = append(ev.Waits, waits(unpark.WaitLock, 9, 800, "block.pb.gz", "sync.(*RWMutex).Lock", library, "app.register", "net/http.(*conn).serve"))
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassLock, findings)
		if len(f) != 1 {
			t.Errorf("%s: findings %+v", name, findings)
			continue
		}
		if first := f[0].Remedies[0].Title; strings.HasPrefix(first, "Call app.") != (c.first != "") || !strings.HasPrefix(first, c.first) {
			t.Errorf("%s: %s", name, first)
		}
	}
}

// TestOwnInsideByTrace: what those do who keep a lock is seen in a trace as well, and where they let it go, when the mutex profile has the writer
// that waited for them as its holder.
func TestOwnInsideByTrace(t *testing.T) {
	const add, each = "github.com/some/set.(*Set).Add", "github.com/some/set.(*Set).Each"
	for line, want := range map[string]string{
		"app.(*Line).tell":                "Call app.(*Line).tell outside of that lock: take what it needs from set.(*Set).Each first",
		"github.com/some/set.(*Set).load": "",
		"app.notice":                      "", // calls Each
	} {
		l := contended(9, 0.9)
		l.Waiter, l.Holder = fn(add), fn(add)
		l.WaiterAll = stack("sync.(*RWMutex).Lock", add, "app.register", "net/http.(*conn).serve")
		l.HolderAll = stack("sync.(*RWMutex).Unlock", add, "app.register", "net/http.(*conn).serve")
		e := edge(unpark.WaitLock, add, each, unpark.Held{Class: unpark.WaitDownstream, Site: fn(line), Call: fn("net/http.(*Client).Post"), Share: 0.9})
		e.WaiterStack, e.HolderStack = l.WaiterAll, stack("sync.(*RWMutex).RUnlock", each, "app.notice", "net/http.(*conn).serve")
		ev := calm()
		ev.Locks, ev.Tracing = []facts.Lock{l}, &unpark.Tracing{Seconds: 1, Requests: 1000, Edges: []unpark.Edge{e}}
		ev.Waits = append(ev.Waits, waits(unpark.WaitLock, 9, 800, "block.pb.gz", "sync.(*RWMutex).Lock", add, "app.register", "net/http.(*conn).serve"))
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassLock, findings)
		if len(f) != 1 {
			t.Errorf("%s: findings %+v", line, findings)
			continue
		}
		if first := f[0].Remedies[0].Title; strings.HasPrefix(first, "Call app.") != (want != "") || !strings.HasPrefix(first, want) {
			t.Errorf("%s: %s", line, first)
		}
	}
}
