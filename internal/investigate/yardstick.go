package investigate

import (
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/yardstick"
)

// beyond is how much longer than its window and what surrounds it a yardstick may go on: for reading profiles.
// Then it ends by itself.
const beyond = time.Minute

// gauge measures how fast the machine is until done, which notes what falls into the window. Without a load nothing is compared with other
// runs, and a machine in production is left alone; a target on another machine has another's speed.
func (r *runner) gauge(window time.Duration) (done func(*unpark.Window)) {
	if m := r.rec.run.Plan.Mode; m == unpark.NoLoad || r.rec.run.Target.Elsewhere {
		return func(*unpark.Window) {}
	}
	y, err := yardstick.Start(r.service.cpus(), yardstick.Seldom, window+2*r.c.Baseline+r.c.TraceMost+beyond)
	if err != nil {
		return func(*unpark.Window) {} // not on this system, or not on those processors: the run is as good without
	}
	return func(w *unpark.Window) {
		y.Stop()
		if took, n, ok := y.Within(w.Start, w.End); ok {
			w.Machine.Yardstick = unpark.Measured(took.Seconds(), "s", int64(n))
		}
	}
}
