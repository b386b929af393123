package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

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
		ev.Locks = append(ev.Locks[:0], l)
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassLock, findings)
		if len(f) != 1 || f[0].Site.Function != c.site || !strings.HasPrefix(f[0].Remedies[0].Title, c.says) {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
}
