package experiment

import (
	"fmt"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/stats"
)

// Doses are the two delays of a subject, ascending, and how they are spread.
type Doses struct {
	Spin  [2]time.Duration // of each call that is delayed
	Every int              // one in so many calls is
}

const (
	// effect is the change of the time between two answers that the larger dose is
	// meant to have: well above what identical rounds differ by (3–7 %, DESIGN §5), and
	// small against the service, so that what binds stays what binds.
	effect = 0.2
	// leastPart and mostPart bound the larger dose as a part of the site's own time. A
	// fifth is what a site that is all of the service's time needs; beyond 6 tenths the
	// slowed service is another one.
	leastPart, mostPart = 0.2, 0.6
	// leastSpin is the shortest spin: five readings of the clock, 40 ns each.
	leastSpin = 200 * time.Nanosecond
	// callCost is what the inserted call takes by itself, and mostCalls the part of the
	// site's time that all calls of a request may take.
	callCost  = 20e-9
	mostCalls = 0.1
	// leastCalls per request says that the place was passed at all by requests.
	leastCalls = 0.01
)

// Plan chooses the doses of a subject by what a round without delay showed. The
// error says why there are none.
func Plan(s Subject, base Point, sc Scene) (Doses, error) {
	s = s.scaled(base, sc)
	c := s.Removed.Value.Or(0)
	calls := base.Calls
	switch {
	case calls < leastCalls:
		return Doses{}, fmt.Errorf("requests do not pass %s: %.3g calls per request", s.Spot.Site.Place(), calls)
	case calls*callCost > mostCalls*c:
		return Doses{}, fmt.Errorf("it is called %.0f times per request: the call of a delay alone would change the service", calls)
	}
	part := stats.Bound(effect/max(s.weight(base, sc), 1e-9), leastPart, mostPart)
	d := Doses{Every: 1}
	each := part * c / calls
	if small := 2 * leastSpin.Seconds(); each < small {
		if s.Spot.Lock {
			// Some longer holds among many short ones make another queue.
			return Doses{}, fmt.Errorf("it is held for %.0f ns at a time: too short for a delay that can be measured", 1e9*c/calls)
		}
		d.Every = int(small/each) + 1
		each *= float64(d.Every)
	}
	d.Spin[1] = time.Duration(each * 1e9)
	d.Spin[0] = d.Spin[1] / 2
	return d, nil
}

// weight is the share of the time between two answers that the site takes if it is
// what binds: of one lock, or of the processors.
func (s Subject) weight(base Point, sc Scene) float64 {
	c := s.Removed.Value.Or(0)
	if s.Spot.Lock {
		return c / base.Gap
	}
	if all := base.CPU + sc.Generator; all > 0 {
		return c / all
	}
	return 1
}

// scaled returns the subject with the time it takes in the rounds: the window that it
// was measured in was profiled, and may have had another machine. What stays is its
// share of the CPU, and of a lock its utilisation.
func (s Subject) scaled(base Point, sc Scene) Subject {
	was, is := sc.CPU, base.CPU
	if s.Spot.Lock {
		was, is = sc.Gap, base.Gap
	}
	if was <= 0 || is <= 0 {
		return s
	}
	by := func(n unpark.Number) unpark.Number {
		v, ok := n.Get()
		if !ok {
			return n
		}
		return unpark.Num(v * is / was)
	}
	s.Removed.Value, s.Removed.Low, s.Removed.High = by(s.Removed.Value), by(s.Removed.Low), by(s.Removed.High)
	return s
}

// Scene is what bounds the service besides its sites.
type Scene struct {
	CPU       float64 // of the service per request in the window of the finding, s; 0 when unknown
	Gap       float64 // between two answers in that window, s; 0 when unknown
	Cores     float64 // that its CPU may come from; 0 when unknown
	Generator float64 // CPU of the generator per request where it shares them, s
	// Least is the time between two answers that the load itself allows, s: of a closed
	// loop the time a request takes without waiting here, ÷ connections; of an open one
	// what is offered. 0 when unknown.
	Least float64
	Open  bool
}

// SceneOf reads the bounds from the window that the finding is from. On a machine that
// the generator shares, a request's CPU is that of both.
func SceneOf(r unpark.Run, w unpark.Window, f unpark.Finding) Scene {
	var sc Scene
	cores, allowed, parallel, used := 0.0, r.Target.Quota.Or(0), 0.0, 0.0
	for _, p := range w.Processes {
		parallel += p.GOMAXPROCS.Or(0)
		used += p.Cores.Or(0)
	}
	machine := float64(w.Machine.CPUs)
	if machine == 0 {
		machine = float64(r.Host.CPUs)
	}
	for _, n := range []float64{allowed, parallel, machine, float64(len(r.Target.CPUs))} {
		if n > 0 && (cores == 0 || n < cores) {
			cores = n
		}
	}
	sc.Cores = cores
	l := w.Load
	if l == nil || l.AchievedRPS <= 0 {
		return sc
	}
	sc.CPU, sc.Gap = used/l.AchievedRPS, 1/l.AchievedRPS
	if len(r.Target.CPUs) == 0 && cores == machine {
		sc.Generator = l.GeneratorCPU.Or(0) / l.AchievedRPS
	}
	switch {
	case l.Mode.Open():
		sc.Open = true
		if l.OfferedRPS > 0 {
			sc.Least = 1 / l.OfferedRPS
		}
	case w.Level.Connections > 0 && f.Class == unpark.ClassLock && l.Response.N > 0:
		rest := max(0, l.Response.Mean-f.Cost.WaitPerRequest.Value.Or(l.Response.Mean)) + r.Plan.Think
		sc.Least = rest / float64(w.Level.Connections)
	}
	return sc
}
