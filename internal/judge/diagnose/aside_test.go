package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestPlaceKeptAside: where a goroutine that serves no request has the connection for which requests wait, it is named, and what goes is
// their wait. Not where requests give it back, where a request started that goroutine, which then has no loop of its own, or where what
// gives it back is database/sql itself, which opened it.
func TestPlaceKeptAside(t *testing.T) {
	conn := []string{"database/sql.(*DB).conn", "database/sql.(*DB).QueryContext", "app.find", "net/http.(*conn).serve"}
	back := []string{"runtime.chansend1", "database/sql.(*DB).putConn", "database/sql.(*DB).ExecContext"}
	sweep := append(back, "github.com/some/store.(*Store).sweep", "github.com/some/store.(*Store).loop", "github.com/some/store.New.gowrap1")
	for name, c := range map[string]struct {
		by    []string
		loops string
		count int64
		named bool
	}{
		"a sweep":               {sweep, "github.com/some/store.(*Store).loop", 300, true},
		"seldom seen":           {sweep, "github.com/some/store.(*Store).loop", 3, false},
		"started by a request":  {sweep, "github.com/other/pool.(*Worker).loop", 300, false},
		"another request":       {append(back, "app.put", "net/http.(*conn).serve"), "github.com/some/store.(*Store).loop", 300, false},
		"one that was opened":   {[]string{"runtime.chansend1", "database/sql.(*DB).putConn", "database/sql.(*DB).connectionOpener"}, "database/sql.(*DB).connectionOpener", 300, false},
		"the loop of a request": {append(sweep, "net/http.(*conn).serve"), "github.com/some/store.(*Store).loop", 300, false},
	} {
		ev := calm()
		idle := waits(unpark.WaitSelect, 9, 90, "block.pb.gz", "runtime.selectgo", c.loops)
		idle.Side, idle.Idle, idle.Waiter = unpark.Background, true, fn(c.loops)
		ev.Waits = []facts.Wait{waits(unpark.WaitPool, 60, 9000, "block.pb.gz", append([]string{"runtime.selectgo"}, conn...)...), idle}
		e := edge(unpark.WaitPool, "app.find", "app.find")
		e.Count, e.HolderStack, e.WaiterStack = c.count, stack(c.by...), stack(append([]string{"runtime.selectgo"}, conn...)...)
		ev.Tracing = &unpark.Tracing{Seconds: 1, Requests: 1000, Edges: []unpark.Edge{e}}
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassPool, findings)
		if len(f) != 1 {
			t.Errorf("%s: findings %+v", name, findings)
			continue
		}
		named := f[0].Holder != nil && f[0].Holder.Function == "github.com/some/store.(*Store).sweep" &&
			strings.Contains(f[0].Title, "on a goroutine of its own") && strings.HasPrefix(f[0].Remedies[0].Title, "Let store.(*Store).sweep")
		if named != c.named {
			t.Errorf("%s: named %v, want %v: %s, holder %v, do %s", name, named, c.named, f[0].Title, f[0].Holder, f[0].Remedies[0].Title)
		}
	}
}
