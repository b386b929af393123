package window

import (
	"os"
	"testing"

	"github.com/unpark-go/unpark/internal/measure/target/rusage"
)

// TestNeighbours: the busiest processes beside the target and unpark, by what they used in
// the window alone.
func TestNeighbours(t *testing.T) {
	p := func(pid, parent int, name string, cpu float64) rusage.Running {
		return rusage.Running{PID: pid, Parent: parent, Name: name, StartTicks: uint64(pid), CPU: cpu}
	}
	all := func(ps ...rusage.Running) map[identity]rusage.Running {
		out := map[identity]rusage.Running{}
		for _, p := range ps {
			out[identity{p.PID, p.StartTicks}] = p
		}
		return out
	}
	self := os.Getpid()
	u := &usage{order: []identity{{70, 70}}}
	u.first.all = all(p(70, 1, "server", 1), p(71, 70, "worker", 0), p(80, 1, "old", 500), p(81, 1, "backup", 3), p(self, 1, "unpark", 1))
	u.last.all = all(p(70, 1, "server", 11), p(71, 70, "worker", 9), p(80, 1, "old", 500.1), p(81, 1, "backup", 8), p(82, 1, "born", 2), p(self, 1, "unpark", 5))
	got := u.neighbours(10)
	if len(got) != 2 || got[0].Name != "backup" || got[0].Cores != 0.5 || got[1].Name != "born" || got[1].Cores != 0.2 {
		t.Errorf("%+v", got)
	}
	if got := u.neighbours(0); got != nil {
		t.Errorf("no window: %+v", got)
	}
}
