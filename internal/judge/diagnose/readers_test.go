package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestBesideTheHold: what computes for a part of the hold is told to run under a lock; not what does for a hundredth of it.
func TestBesideTheHold(t *testing.T) {
	for _, c := range []struct {
		cpu  float64
		want bool
	}{{2, true}, {0.05, false}} {
		ev := calm()
		leaf := &facts.Node{Site: fn("app.encode"), App: true, Value: c.cpu}
		root := &facts.Node{Site: fn("app.(*Cache).Get"), App: true, Value: c.cpu, Calls: []*facts.Node{leaf}}
		leaf.Caller = root
		ev.CPU.Tree = facts.Tree{Total: 20, Roots: []*facts.Node{root}}
		ev.Locks = append(ev.Locks[:0], contended(60, 0.95))
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassLock, findings)
		if len(f) != 1 || strings.HasSuffix(f[0].Title, "app.encode runs under it") != c.want {
			t.Errorf("%g s of CPU: %+v", c.cpu, f)
		}
	}
}

// TestReadersBehindAReader: one that reads, on no request, and is waited for by others that want to read: a writer stands between. What it
// computes is the culprit.
func TestReadersBehindAReader(t *testing.T) {
	const read, write, count = "app.(*Cache).Get", "app.(*Cache).put", "app.(*Cache).count"
	direct := edge(unpark.WaitLock, read, count, unpark.Held{Class: unpark.Running, Share: 0.99})
	direct.WaiterStack, direct.HolderStack = stack("sync.(*RWMutex).RLock", read, "net/http.(*conn).serve"), stack("sync.(*RWMutex).RUnlock", count)
	inside := edge(unpark.WaitLock, write, count, unpark.Held{Class: unpark.Running, Share: 0.99})
	inside.WaiterStack, inside.HolderStack = stack("sync.(*RWMutex).Lock", write, "net/http.(*conn).serve"), stack("sync.(*RWMutex).RUnlock", count)
	ev := chained(direct, inside)
	ev.Waits = nil
	leaf := &facts.Node{Site: fn("app.sum"), App: true, Value: 5}
	root := &facts.Node{Site: fn(count), App: true, Value: 5, Calls: []*facts.Node{leaf}}
	leaf.Caller = root
	ev.CPU.Tree = facts.Tree{Total: 20, Roots: []*facts.Node{root}}
	l := contended(60, 0.95)
	l.Type, l.Waiter, l.Holder = "sync.RWMutex (read)", fn(read), fn(write)
	ev.Locks = append(ev.Locks[:0], l)
	_, findings, _ := diagnose.Verdict(ev, nil)
	f := of(unpark.ClassLock, findings)
	if len(f) != 1 || f[0].Site.Function != count || f[0].Culprit == nil || f[0].Culprit.Function != "app.sum" || !strings.HasPrefix(f[0].Remedies[0].Title, "Hold it for less work to read: in "+count) {
		t.Errorf("%+v", f)
	}
}

// TestReadersBehindAWriter: a writer that has asked for an RWMutex waits for those inside and keeps out those that come. The lock is then
// to be held for less by those that read. Where the writer works, or only waits for another writer, it is its own hold.
func TestReadersBehindAWriter(t *testing.T) {
	const read, write = "app.(*Cache).Get", "app.(*Cache).reload"
	asks := unpark.Held{Class: unpark.WaitLock, Site: fn(write), Call: unpark.Site{Function: "sync.(*RWMutex).Lock"}, Share: 0.9}
	for _, c := range []struct {
		name string
		held unpark.Held
		ends string // how those end the writer's wait that it waits for
		site string
		says string
	}{
		{"it waits for those that read", asks, "sync.(*RWMutex).RUnlock", read, "Hold it for less work to read: in app.(*Cache).Get"},
		{"it works", unpark.Held{Class: unpark.Running, Share: 0.9}, "sync.(*RWMutex).RUnlock", write, "Hold it for less work: in app.(*Cache).reload"},
		{"it waits for another that writes", asks, "sync.(*RWMutex).Unlock", write, "Hold it for less work: in app.(*Cache).reload"},
	} {
		behind := edge(unpark.WaitLock, read, write, c.held)
		behind.WaiterStack = stack("sync.(*RWMutex).RLock", read, "net/http.(*conn).serve")
		inside := edge(unpark.WaitLock, write, read)
		inside.Count, inside.Delay, inside.Chained, inside.HolderStack = 0, 0, 4, stack(c.ends, read, "net/http.(*conn).serve")
		ev := chained(behind, inside)
		ev.Waits = nil
		l := contended(60, 0.95)
		l.Type, l.Waiter, l.Holder = "sync.RWMutex (read)", fn(read), fn(write)
		l.HolderAll = stack("sync.(*RWMutex).Unlock", write, "net/http.(*conn).serve")
		ev.Locks = append(ev.Locks[:0], l)
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassLock, findings)
		if len(f) != 1 || f[0].Site.Function != c.site || !strings.HasPrefix(f[0].Remedies[0].Title, c.says) {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
}

// TestKeptByWhatRuns: a dump met the holder of a lock where it waits, and a trace has it on a processor all the time: it is not held across
// that wait. Where the trace has it wait as well, and where there are few waits in it, it is.
func TestKeptByWhatRuns(t *testing.T) {
	const get, save = "app.(*Carts).Get", "app.(*Carts).save"
	for _, c := range []struct {
		name  string
		does  unpark.WaitClass
		count int64
		wait  bool
	}{{"it runs", unpark.Running, 900, false}, {"it waits", unpark.WaitSyscall, 900, true}, {"few waits are traced", unpark.Running, 3, true}} {
		e := edge(unpark.WaitLock, get, save, unpark.Held{Class: c.does, Share: 0.95})
		e.Count = c.count
		ev := chained(e)
		ev.Waits = nil
		l := contended(60, 0.95)
		l.Waiter, l.Holder = fn(get), fn(save)
		l.Held = []facts.SiteSum{{Site: fn("os.(*File).Close"), Value: 1}, {Site: fn("encoding/json.(*Encoder).Encode"), Value: 0.4}}
		ev.Locks = append(ev.Locks[:0], l)
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassLock, findings)
		if len(f) != 1 || strings.Contains(f[0].Title, "across I/O") != c.wait || strings.Contains(f[0].Title, "while encoding") == c.wait {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
}
