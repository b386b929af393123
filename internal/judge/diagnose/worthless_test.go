package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestLocksThatAreWorthNothing: a lock that takes less of a request than a fix would have
// to buy is no finding, however much of all blocking it is, unless it is what makes the
// slowest requests slow.
func TestLocksThatAreWorthNothing(t *testing.T) {
	for _, c := range []struct {
		name  string
		delay float64 // s, of the 100 s of all requests
		tail  float64 // share of what makes the slowest slow
		want  int
	}{
		{"a hundredth of the time", 1, 0, 0},
		{"a hundredth, and little of the tail", 1, 0.2, 0},
		{"a hundredth, and much of the tail", 1, 0.4, 1},
		{"a twentieth of the time", 5, 0, 1},
	} {
		ev := chained()
		ev.Locks = []facts.Lock{contended(c.delay, 0.1)}
		ev.Tracing.Tail = unpark.Cohort{From: 0.99, To: 1, N: 50, Mean: 0.05}
		ev.Tracing.Excess = []unpark.Excess{{
			Class: unpark.WaitLock, Site: fn("app.(*Cache).Get"), Tail: 0.02, More: unpark.Between(0.02, 0.01, 0.03, "s/req", 50), Share: unpark.Num(c.tail),
		}}
		_, findings, _ := diagnose.Verdict(ev, nil)
		if n := len(of(unpark.ClassLock, findings)); n != c.want {
			t.Errorf("%s: %d findings, want %d: %+v", c.name, n, c.want, findings)
		}
	}
}

// TestAdviceForALibrarysLock: what stands between its Lock and Unlock is not yours to
// change, so no advice says so; of your own lock it does.
func TestAdviceForALibrarysLock(t *testing.T) {
	for _, library := range []bool{true, false} {
		ev := calm()
		l := contended(60, 0.9)
		if library {
			l.Waiter, l.Holder = fn("lib.(*Store).Get"), fn("lib.(*Store).Get")
			l.WaiterAll = stack("sync.(*Mutex).Lock", "lib.(*Store).Get", "app.serve", "net/http.(*conn).serve")
			l.HolderAll = stack("sync.(*Mutex).Unlock", "lib.(*Store).Get", "app.serve", "net/http.(*conn).serve")
		}
		ev.Locks = []facts.Lock{l}
		ev.Waits = append(ev.Waits, waits(unpark.WaitLock, 60, 5000, "block.pb.gz", names(l.WaiterAll)...))
		_, findings, _ := diagnose.Verdict(ev, nil)
		f := of(unpark.ClassLock, findings)
		if len(f) != 1 {
			t.Fatalf("library %v: %+v", library, findings)
		}
		var titles []string
		for _, r := range f[0].Remedies {
			titles = append(titles, r.Title)
		}
		said := strings.Join(titles, "\n")
		if library == strings.Contains(said, "Shard the lock") || library != strings.Contains(said, "Do not share it") {
			t.Errorf("library %v:\n%s", library, said)
		}
	}
}

func names(stack []unpark.Site) []string {
	var out []string
	for _, s := range stack {
		out = append(out, s.Function)
	}
	return out
}
