package slowdown

import (
	"fmt"

	"github.com/unpark-go/unpark"
)

// Subject is a finding that an experiment can be made about.
type Subject struct {
	Finding unpark.Finding
	Spot    Spot
	// Removed is the time that goes with a fix, s/req.
	Removed unpark.Quantity

	scene scene
}

// SubjectOf returns the subject of a finding that was made in a window of a run, or why
// it is not one: the model's throughput interval is narrower than width (high ÷ low), or
// a delay cannot stand for what the finding costs.
func SubjectOf(r unpark.Run, w unpark.Window, f unpark.Finding, width float64) (s Subject, why string) {
	if is, ok := widthOf(f.Prediction.Throughput); ok && is <= width {
		return s, fmt.Sprintf("the model is certain enough: its interval is ×%.2f wide, an experiment is made from ×%.2f on", is, width)
	}
	s.Finding, s.scene = f, sceneOf(r, w, f)
	switch f.Class {
	case unpark.ClassLock:
		s.Spot, s.Removed = lockSpot(f), f.Cost.HoldPerRequest
		if !s.Removed.Known() {
			return s, "how long the lock is held per request is not known, so there is nothing to scale a delay by"
		}
	case unpark.ClassCPU, unpark.ClassAlloc, unpark.ClassRecompute:
		// Only what the site asks for is slowed down with it.
		s.Spot, s.Removed = Spot{Site: f.Site}, times(f.Cost.CPUPerRequest, f.Reach())
		if !s.Removed.Known() {
			return s, "what it takes of the CPU per request is not known, so there is nothing to scale a delay by"
		}
	default:
		return s, fmt.Sprintf("a finding of class %s waits without a processor: a delay that uses one would not stand for it", f.Class)
	}
	if s.Removed.Value.Or(0) <= 0 {
		return s, "it takes no measurable time per request"
	}
	if s.Spot.Site.IsZero() || s.Spot.Site.File == "" {
		return s, "its place in the source is not known"
	}
	return s, ""
}

// lockSpot is where the lock is let go, else where it is waited for: the hold that
// others wait for is the holder's.
func lockSpot(f unpark.Finding) Spot {
	for _, s := range []*unpark.Site{f.Holder, f.Waiter} {
		if s != nil && !s.IsZero() {
			return Spot{Site: *s, Lock: true}
		}
	}
	return Spot{Site: f.Site, Lock: true}
}

func widthOf(q unpark.Quantity) (float64, bool) {
	low, ok := q.Low.Get()
	high, also := q.High.Get()
	if !ok || !also || low <= 0 {
		return 0, false
	}
	return high / low, true
}

// Loadable says why no experiment can be made under a plan; "" when one can. In an
// open loop throughput is what is offered, unless more is offered than answered.
func Loadable(p unpark.Plan, l *unpark.Load) string {
	switch {
	case p.Mode == unpark.External || p.Mode == unpark.NoLoad:
		return "unpark does not drive the load, so it cannot repeat it"
	case p.Mode == unpark.Ramp || p.Mode == unpark.Replay:
		return "the load changes during a round: use --connections or --rate"
	case l == nil || l.Requests == 0:
		return "no load was measured"
	case p.Mode.Open() && !l.Overloaded():
		return "the rate is given, so throughput stays what is offered whatever is slowed down: use a closed loop (--connections) for an experiment"
	}
	return ""
}
