package investigate

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
	slow "github.com/unpark-go/unpark/internal/judge/slowdown"
)

// arm is what runs in a round: the service without delay, or with a dose at one place.
type arm struct {
	place *slowed // nil without delay
	dose  int     // 1, 2
}

func (a arm) String() string {
	if a.place == nil {
		return "no delay"
	}
	return a.place.doses.Spin[a.dose-1].String() + " at " + a.place.site.Place()
}

// arms are those of a round, the one without delay first.
func (ps places) arms() []arm {
	out := []arm{{}}
	for _, p := range ps {
		out = append(out, arm{p, 1}, arm{p, 2})
	}
	return out
}

// points reads what the delays logged in a window.
func (ps places) points(w unpark.Window, sample compare.Sample, logs string) (map[*slowed]slow.Point, error) {
	out := map[*slowed]slow.Point{}
	for _, p := range ps {
		names, err := filepath.Glob(filepath.Join(logs, p.delay.Logs()))
		if err != nil || len(names) == 0 {
			return nil, fmt.Errorf("the service wrote no log of the delay at %s: it must keep its environment, and may write to %s", p.site.Place(), logs)
		}
		point := slow.Point{Gap: 1 / sample["throughput"], CPU: sample["cpu_per_request"]}
		for _, name := range names {
			calls, spent, err := logged(name, w)
			if err != nil {
				return nil, err
			}
			point.Calls += calls / float64(w.Load.Requests)
			point.Delay += spent / float64(w.Load.Requests)
		}
		out[p] = point
	}
	return out, nil
}

// logged reads one process's log over a window.
func logged(name string, w unpark.Window) (calls, spent float64, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	return slow.ReadLog(f, w.Start, w.End)
}
