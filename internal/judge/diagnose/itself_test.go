package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestAsksItself: requests wait for the service itself, over a connection. The one goroutine that dumps met at work, mostly at the disk, is what
// they wait for, as far as so few dumps can tell; where none is, that is not known, and no number of connections is called the limit.
func TestAsksItself(t *testing.T) {
	network := unpark.Held{Class: unpark.WaitNetwork, Site: fn("app.read"), Share: 0.95}
	for name, c := range map[string]struct {
		peer  unpark.Peer
		dumps int
		disk  float64 // goroutines, of the one that writes
		run   float64
		want  unpark.LimitKind
		says  string
	}{
		"one that writes to the disk":               {unpark.Peer{PID: 1, Self: true}, 16, 0.53, 0.28, unpark.LimitIO, "store.flush"},
		"seen idle more often":                      {unpark.Peer{PID: 1, Self: true}, 16, 0.3, 0.2, unpark.LimitUnknown, "for the service itself, over a connection"},
		"seen idle as often in many dumps":          {unpark.Peer{PID: 1, Self: true}, 160, 0.53, 0.25, unpark.LimitUnknown, "for the service itself, over a connection"},
		"one that computes":                         {unpark.Peer{PID: 1, Self: true}, 16, 0.2, 0.75, unpark.LimitUnknown, "for the service itself, over a connection"},
		"another service is asked, which has a pid": {unpark.Peer{PID: 9, Name: "redis"}, 16, 0.2, 0.3, unpark.LimitDownstream, "app.commit"},
	} {
		ev := chained(edge(unpark.WaitGroup, "app.commit", "app.read", network))
		ev.Window.Load.Mode = unpark.Closed
		ev.Window.Peers, ev.Window.Profiles = []unpark.Peer{c.peer}, []unpark.ProfileFile{{Kind: unpark.KindCPU, PID: 1, State: unpark.Present}}
		writer := func(class unpark.WaitClass, mean float64, functions ...string) facts.GoroutineGroup {
			s := stack(append(functions, "store.loop")...)
			return facts.GoroutineGroup{Class: class, Side: unpark.Background, Stack: s, Site: s[len(s)-2], Mean: mean, Snapshots: c.dumps}
		}
		ev.Goroutines = append(ev.Goroutines,
			writer(unpark.WaitSyscall, c.disk, "os.(*File).Sync", "store.flush"), writer(unpark.WaitUnknown, c.run, "store.put"),
			writer(unpark.WaitSelect, 1-c.disk-c.run, "runtime.selectgo"))
		limit, _, _ := diagnose.Verdict(ev, nil)
		if limit.Kind != c.want || !strings.Contains(limit.Why, c.says) {
			t.Errorf("%s: %s: %s", name, limit.Kind, limit.Why)
		}
	}
}
